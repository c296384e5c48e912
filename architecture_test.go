package pbem_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// mayImport says which of our packages each package may import; the files are
// read, since the result of a test that runs the go command is cached.
var mayImport = map[string]string{
	"rules":              "",
	"notation":           "rules",
	"board":              "rules notation",
	"ladder":             "",
	"player":             "ladder",
	"clock":              "",
	"game":               "clock rules player",
	"mailer":             "",
	"mailer/imapbox":     "mailer",
	"mailer/smtpout":     "mailer",
	"mailer/lmtp":        "mailer",
	"templates":          "",
	"config":             "clock",
	"store":              "clock game ladder player mailer notation rules",
	"service":            "board clock game ladder player mailer notation rules templates",
	"daemon":             "service store game player mailer mailer/imapbox mailer/smtpout",
	"internal/localmail": "",
	"internal/realmail":  "",
	"internal/control":   "",
	"cmd/pbem":           "*",
	"internal/sim":       "clock daemon game mailer mailer/imapbox mailer/smtpout notation player rules service store",
	"bench/sim":          "*",
	"bench/club":         "*",
	"bench/perft":        "*",
	"bench/mail":         "*",
}

func TestImportsFollowTheArchitecture(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != "." {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		room := filepath.ToSlash(filepath.Dir(path))
		allowed, known := mayImport[room]
		if !known {
			t.Errorf("%s: package %s is not in the table of rooms", path, room)
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, i := range f.Imports {
			name, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return err
			}
			ours, found := strings.CutPrefix(name, "pbem/")
			if found && allowed != "*" && !strings.Contains(" "+allowed+" ", " "+ours+" ") {
				t.Errorf("%s imports %s; %s may import only: %s", path, ours, room, allowed)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
