package store

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"
)

// exportFormat is the version of the format below. It changes only if lines
// get another meaning; what records hold is the schema's matter.
const exportFormat = 1

// exportHeader is the first line of an export:
//
//	{"pbem_export":1,"schema":2}
//
// The lines after it hold everything that is not derived from something else,
// bucket by bucket and in the order of the keys, so that one state has one
// export. Each is an [exportLine]:
//
//	{"in":"players","sequence":2}
//	{"in":"players","id":1,"record":{"name":"Hana","addresses":["hana@example.org"],…}}
//	{"in":"outbox.data","id":7,"text":"From: Shogi by mail <shogi@example.org>\r\n…"}
//	{"in":"cursors","key":"INBOX","record":{"uidvalidity":7,"uid":9}}
//	{"in":"seen.hash","key_hex":"0100…","base64":"gAAAAGm0…"}
//
// The last line says how many came before it, so that half an export is not
// taken for a whole one:
//
//	{"end":true,"lines":6}
//
// [Import] takes an export of any older schema: it runs the same migrations
// over it as [Open] does over an older file.
type exportHeader struct {
	Format int `json:"pbem_export"`
	Schema int `json:"schema"`
}

// exportLine is one entry of a bucket, or the last number the bucket has given.
type exportLine struct {
	In       string `json:"in"` // the bucket, see schema.go
	Sequence uint64 `json:"sequence,omitempty"`

	// One of these is the key.
	ID     uint64 `json:"id,omitempty"`
	Key    string `json:"key,omitempty"`
	KeyHex string `json:"key_hex,omitempty"` // where it is no text

	// One of these is the value.
	Record json.RawMessage `json:"record,omitempty"`
	Text   *string         `json:"text,omitempty"`
	Base64 *string         `json:"base64,omitempty"` // where it is no text
}

type exportEnd struct {
	End   bool `json:"end"`
	Lines int  `json:"lines"`
}

// exported are the buckets an export holds.
func exported() []string {
	return slices.DeleteFunc(buckets(), func(name string) bool { return slices.Contains(indexes(), name) })
}

// Export writes the whole state to w, as lines of JSON.
func (tx *Tx) Export(w io.Writer) error {
	out := bufio.NewWriterSize(w, 1<<16)
	lines := json.NewEncoder(out)
	lines.SetEscapeHTML(false)
	n := 0
	write := func(line any) error {
		n++
		return lines.Encode(line)
	}
	if err := write(exportHeader{exportFormat, Schema()}); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	for _, name := range exported() {
		if err := tx.exportBucket(name, write); err != nil {
			return fmt.Errorf("export %s: %w", name, err)
		}
	}
	if err := lines.Encode(exportEnd{true, n}); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}

func (tx *Tx) exportBucket(name string, write func(any) error) error {
	b := tx.bucket(name)
	if n := b.Sequence(); n > 0 {
		if err := write(exportLine{In: name, Sequence: n}); err != nil {
			return err
		}
	}
	return b.ForEach(func(k, v []byte) error {
		if name == bucketMeta && string(k) == keySchema {
			return nil // It stands in the header.
		}
		line := exportLine{In: name}
		line.setKey(k)
		line.setValue(v)
		return write(line)
	})
}

// numbered reports whether the keys of a bucket are numbers.
func numbered(bucket string) bool {
	switch bucket {
	case bucketPlayers, bucketGames, bucketChallenges, bucketHeld,
		bucketSetAside, bucketSetAsideRaw, bucketOutbox, bucketOutboxData, bucketFailed:
		return true
	}
	return false
}

func (l *exportLine) setKey(k []byte) {
	if numbered(l.In) && len(k) == 8 {
		if l.ID, _, _ = cutID(k); l.ID != 0 {
			return
		}
	}
	if legible(k) {
		l.Key = string(k)
		return
	}
	l.KeyHex = hex.EncodeToString(k)
}

// legible reports whether bytes are text, as against numbers and hashes.
func legible(b []byte) bool {
	return utf8.Valid(b) && bytes.IndexFunc(b, func(r rune) bool { return r < '\t' }) < 0
}

// key is what setKey was given.
func (l *exportLine) key() ([]byte, error) {
	switch {
	case l.ID != 0 && l.Key == "" && l.KeyHex == "":
		return idKey(l.ID), nil
	case l.ID == 0 && l.Key != "" && l.KeyHex == "":
		return []byte(l.Key), nil
	case l.ID == 0 && l.Key == "" && l.KeyHex != "":
		return hex.DecodeString(l.KeyHex)
	}
	return nil, fmt.Errorf("it must have one of id, key and key_hex")
}

func (l *exportLine) setValue(v []byte) {
	switch {
	case compactObject(v):
		l.Record = v
	case legible(v):
		text := string(v)
		l.Text = &text
	default:
		text := base64.StdEncoding.EncodeToString(v)
		l.Base64 = &text
	}
}

// compactObject reports whether v is an object of JSON that would be written
// again byte by byte: a mail may look like one, too.
func compactObject(v []byte) bool {
	if len(v) == 0 || v[0] != '{' {
		return false
	}
	var c bytes.Buffer
	return json.Compact(&c, v) == nil && bytes.Equal(c.Bytes(), v)
}

// value is what setValue was given.
func (l *exportLine) value() ([]byte, error) {
	switch {
	case l.Record != nil && l.Text == nil && l.Base64 == nil:
		return l.Record, nil
	case l.Record == nil && l.Text != nil && l.Base64 == nil:
		return []byte(*l.Text), nil
	case l.Record == nil && l.Text == nil && l.Base64 != nil:
		return base64.StdEncoding.DecodeString(*l.Base64)
	}
	return nil, fmt.Errorf("it must have one of record, text and base64")
}
