package mailer

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

// aliases are names of charsets that neither index of golang.org/x/text knows
// or that real mail uses for a larger charset than the index says (trap M3).
// nil stands for a name that says nothing: the bytes decide.
var aliases = map[string]encoding.Encoding{
	"cp932": japanese.ShiftJIS, "ms932": japanese.ShiftJIS, "windows-932": japanese.ShiftJIS,
	"windows-31j": japanese.ShiftJIS, "cswindows31j": japanese.ShiftJIS, "x-ms-cp932": japanese.ShiftJIS,
	"sjis": japanese.ShiftJIS, "x-sjis": japanese.ShiftJIS, "x-sjis-jp": japanese.ShiftJIS, "shift-jis": japanese.ShiftJIS,
	"mskanji": japanese.ShiftJIS, "x-mac-japanese": japanese.ShiftJIS, "x-sjis-docomo": japanese.ShiftJIS,
	"sjis-win": japanese.ShiftJIS, "shift_jisx0213": japanese.ShiftJIS, "shift_jis-2004": japanese.ShiftJIS,
	"iso-2022-jp-ms": japanese.ISO2022JP, "cp50220": japanese.ISO2022JP, "cp50221": japanese.ISO2022JP,
	"cp50222": japanese.ISO2022JP, "iso-2022-jp-1": japanese.ISO2022JP, "iso-2022-jp-2": japanese.ISO2022JP,
	"iso-2022-jp-3": japanese.ISO2022JP, "iso-2022-jp-2004": japanese.ISO2022JP, "jis": japanese.ISO2022JP,
	"iso2022-jp": japanese.ISO2022JP, "iso2022jp": japanese.ISO2022JP, "iso-2022jp": japanese.ISO2022JP,
	"csiso2022jp": japanese.ISO2022JP, "jis_encoding": japanese.ISO2022JP, "jis7": japanese.ISO2022JP,
	"eucjp": japanese.EUCJP, "eucjp-ms": japanese.EUCJP, "eucjp-win": japanese.EUCJP, "x-euc-jp": japanese.EUCJP,
	"cp51932": japanese.EUCJP, "euc_jp": japanese.EUCJP, "ujis": japanese.EUCJP, "x-euc": japanese.EUCJP,

	"gb2312": simplifiedchinese.GB18030, "gb_2312-80": simplifiedchinese.GB18030, "gbk": simplifiedchinese.GB18030,
	"cp936": simplifiedchinese.GB18030, "ms936": simplifiedchinese.GB18030, "windows-936": simplifiedchinese.GB18030,
	"gb18030": simplifiedchinese.GB18030, "x-gbk": simplifiedchinese.GB18030, "euc-cn": simplifiedchinese.GB18030,
	"x-euc-cn": simplifiedchinese.GB18030, "hz-gb-2312": simplifiedchinese.HZGB2312,
	"ks_c_5601-1987": korean.EUCKR, "ks_c_5601": korean.EUCKR, "ksc5601": korean.EUCKR, "cp949": korean.EUCKR,
	"ms949": korean.EUCKR, "windows-949": korean.EUCKR, "uhc": korean.EUCKR, "x-windows-949": korean.EUCKR,

	// What calls itself Latin-1 is windows-1252 where the two differ, as in browsers.
	"iso-8859-1": charmap.Windows1252, "latin1": charmap.Windows1252, "l1": charmap.Windows1252,
	"iso8859-1": charmap.Windows1252, "iso_8859-1": charmap.Windows1252, "cp1252": charmap.Windows1252,
	"ansi": charmap.Windows1252, "ansi_x3.110-1983": charmap.Windows1252, "latin-1": charmap.Windows1252,
	"latin9": charmap.ISO8859_15, "latin-9": charmap.ISO8859_15, "iso8859-15": charmap.ISO8859_15,
	"iso-8859-8-i": charmap.ISO8859_8, "iso-8859-6-i": charmap.ISO8859_6,
	"cp850": charmap.CodePage850, "ibm850": charmap.CodePage850, "cp437": charmap.CodePage437,
	"cp1250": charmap.Windows1250, "cp1251": charmap.Windows1251, "win-1251": charmap.Windows1251,
	"utf8": unicode.UTF8, "utf-8": unicode.UTF8, "x-utf_8j": unicode.UTF8, "utf8mb4": unicode.UTF8, "cp65001": unicode.UTF8,
	"utf-16": unicode.UTF16(unicode.BigEndian, unicode.UseBOM), "utf16": unicode.UTF16(unicode.BigEndian, unicode.UseBOM),
	"utf-16le": unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "utf-16be": unicode.UTF16(unicode.BigEndian, unicode.UseBOM),
	"unicode": unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "ucs-2": unicode.UTF16(unicode.BigEndian, unicode.UseBOM),

	"": nil, "us-ascii": nil, "ascii": nil, "ansi_x3.4-1968": nil, "iso646-us": nil, "7bit": nil, "8bit": nil, "binary": nil,
	"unknown-8bit": nil, "unknown": nil, "x-unknown": nil, "default": nil, "default_charset": nil, "x-user-defined": nil,
	"_autodetect": nil, "_autodetect_all": nil, "_iso-2022-jp$esc": japanese.ISO2022JP, "none": nil, "utf-?": nil,
}

// encodingNamed returns the charset that label names, or nil.
func encodingNamed(label string) encoding.Encoding {
	label = strings.ToLower(strings.Trim(strings.TrimSpace(label), `"'`))
	if e, ok := aliases[label]; ok {
		return e
	}
	if e, err := htmlindex.Get(label); err == nil {
		return e
	}
	if e, err := ianaindex.MIME.Encoding(label); err == nil {
		return e
	}
	return nil
}

// decodeText returns b, labelled as of some charset, as text. The label is
// believed unless the bytes plainly say otherwise: text that is valid UTF-8,
// or that has the escapes of ISO-2022-JP, is just that.
func decodeText(b []byte, label string) string {
	b = byLabel(b, strings.ToLower(label))
	return strings.Map(func(r rune) rune {
		if r == 0 || r == '\uFEFF' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(string(b), "\uFFFD"))
}

func byLabel(b []byte, label string) []byte {
	switch {
	case strings.Contains(label, "utf-7"):
		return utf7(b)
	case strings.Contains(label, "2022-kr"):
		return decoded(korean.EUCKR, iso2022kr(b))
	case bytes.HasPrefix(b, []byte("\xff\xfe")), bytes.HasPrefix(b, []byte("\xfe\xff")):
		return decoded(aliases["utf-16"], b)
	case escaped(b):
		return decoded(japanese.ISO2022JP, b)
	}
	e := encodingNamed(label)
	wide := strings.Contains(label, "16") && e != nil && strings.HasPrefix(label, "utf") || label == "unicode" || label == "ucs-2"
	switch {
	case wide:
		return decoded(e, b)
	case label == "hz-gb-2312":
		return decoded(e, b)
	case utf8.Valid(b), nearlyUTF8(b) && (e == nil || e == unicode.UTF8):
		return b
	case e == nil, e == unicode.UTF8, e == japanese.ISO2022JP:
		return decoded(guess(b), b)
	}
	return decoded(e, b)
}

// decoded returns b as UTF-8; what cannot be decoded becomes U+FFFD.
func decoded(e encoding.Encoding, b []byte) []byte {
	if d, err := e.NewDecoder().Bytes(b); err == nil {
		return d
	}
	return b
}

// escaped reports whether b switches charsets as ISO-2022-JP does (RFC 1468).
func escaped(b []byte) bool {
	for _, esc := range []string{"\x1b$B", "\x1b$@", "\x1b$(", "\x1b(J", "\x1b(I"} {
		if bytes.Contains(b, []byte(esc)) {
			return true
		}
	}
	return false
}

// nearlyUTF8 reports whether b is UTF-8 but for a few bytes, as where text was
// cut in the middle of a character.
func nearlyUTF8(b []byte) bool {
	good, bad := 0, 0
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		switch {
		case r == utf8.RuneError && n == 1:
			bad++
		case n > 1:
			good++
		}
		b = b[n:]
	}
	return good > 4*bad
}
