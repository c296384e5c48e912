package mailer_test

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"

	"pbem/mailer"
)

// Trap M2: one bad line in a header makes go-message refuse the whole message.
func TestTrapM2BadHeaderLine(t *testing.T) {
	t.Parallel()
	for name, top := range map[string]string{
		"mbox From line":          "From helen@example.org Tue Nov 11 12:00:00 2025\n",
		"line without a colon":    "this is no field\n",
		"continuation of nothing": " folded\n",
		"blank in a field's name": "X Bad: field\n",
		"8-bit name":              "X-\xe9t\xe9: field\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, err := mailer.Parse([]byte(top+"From: helen@example.org\nSubject: hello\n\nP-7f\n"), mailer.ParseOptions{})
			if err != nil || !m.Salvaged || m.From.Addr != "helen@example.org" || strings.Join(m.Lines, "|") != "P-7f" {
				t.Errorf("Parse = %+v, %v", m, err)
			}
		})
	}
}

// Trap M3: names of charsets that libraries do not know, wrong ones and none.
func TestTrapM3Charsets(t *testing.T) {
	t.Parallel()
	const ja, ko, zh, ru, es = "▲７六歩。髙島屋の①番テーブルで", "７六步 안녕하세요, 잘 부탁드립니다", "７六步，你好，谢谢", "Пешка на семь, добрый день", "¿Qué tal? Año «nuevo» – 12 €"
	tests := []struct {
		label string
		text  string
		as    encoding.Encoding
	}{
		{"cp932", ja, japanese.ShiftJIS}, {"MS932", ja, japanese.ShiftJIS}, {"windows-31j", ja, japanese.ShiftJIS},
		{"x-sjis", ja, japanese.ShiftJIS}, {"x-mac-japanese", ja, japanese.ShiftJIS}, {`"Shift_JIS"`, ja, japanese.ShiftJIS},
		{"iso-2022-jp-ms", ja, japanese.ISO2022JP}, {"CP50220", ja, japanese.ISO2022JP}, {"cp50221", ja, japanese.ISO2022JP},
		{"eucjp-ms", ja, japanese.EUCJP}, {"x-euc-jp", ja, japanese.EUCJP},
		{"ks_c_5601-1987", ko, korean.EUCKR}, {"cp949", ko, korean.EUCKR},
		{"gb2312", zh, simplifiedchinese.GBK}, {"x-gbk", zh, simplifiedchinese.GB18030}, {"big5", "７六步，您好，謝謝", traditionalchinese.Big5},
		{"iso-8859-1", es, charmap.Windows1252}, {"ansi", es, charmap.Windows1252}, {"koi8-r", ru, charmap.KOI8R}, {"cp1251", ru, charmap.Windows1251},
		{"utf-16", es, unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM)}, {"utf-16le", es, unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)},
		// Labels that say nothing, or lie: the bytes decide.
		{"unknown-8bit", ja, japanese.ShiftJIS}, {"", ja, japanese.EUCJP}, {"us-ascii", ja, japanese.ISO2022JP}, {"utf-8", ja, japanese.ShiftJIS},
		{"", es, charmap.Windows1252}, {"utf-8", es, charmap.Windows1252}, {"x-nonsense", ru, charmap.Windows1251}, {"", ru, charmap.KOI8R},
		{"iso-8859-1", ja, encoding.Nop}, {"us-ascii", ru, encoding.Nop}, {"shift_jis", es, encoding.Nop}, {"iso-2022-jp", ja, japanese.ShiftJIS},
		{"", ko, korean.EUCKR},
	}
	for _, tt := range tests {
		b, err := tt.as.NewEncoder().Bytes([]byte(tt.text))
		if err != nil {
			t.Fatalf("%s: %v", tt.label, err)
		}
		if got := mailer.DecodeText(b, tt.label); got != tt.text {
			t.Errorf("%q: got %q, want %q", tt.label, got, tt.text)
		}
	}
	for label, bytes := range map[string]string{
		"utf-7":             "+/x3/F1FtayE-",
		"unicode-1-1-utf-7": "+/x3/F1FtayE-",
		"iso-2022-kr":       "\x1b$)C\x0e#77\x1e\x0f",
	} {
		if got := mailer.DecodeText([]byte(bytes), label); strings.ContainsAny(got, "+\x0e\uFFFD") {
			t.Errorf("%s: %q", label, got)
		}
	}
}

// Trap M4: no library undoes format=flowed.
func TestTrapM4Flowed(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		delsp      bool
		want       string
	}{
		{"soft break", "one \ntwo\nthree", false, "one two\nthree"},
		{"delsp", "先日は \nありがとう", true, "先日はありがとう"},
		{"the signature mark never joins", "bye \n-- \nHelen", false, "bye \n-- \nHelen"},
		{"the signature mark is no soft break", "bye\n-- \nHelen", false, "bye\n-- \nHelen"},
		{"space-stuffing", " From here\n >no quote", false, "From here\n>no quote"},
		{"quotes join at their depth", "> one \n> two\nmine", false, "> one two\nmine"},
		{"depths do not mix", "> one \n>> two \nmine", false, "> one \n>> two \nmine"},
		{"a blank line ends the paragraph", "one \n\ntwo", false, "one \ntwo"},
	}
	for _, tt := range tests {
		if got := mailer.Unflow(tt.text, tt.delsp); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestTransferDecoded(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, encoding, body, want string }{
		{"soft break in a move", "quoted-printable", "P-2=\r\nf\r\n", "P-2f\r\n"},
		{"blanks behind a soft break", "Quoted-Printable", "P-2= \t\r\nf", "P-2f"},
		{"a sign that begins no code", "quoted-printable", "Nx3c= ja=zz =", "Nx3c= ja=zz "},
		{"small hex", "quoted-printable", "=c3=a9=3d", "é="},
		{"odd lines", "base64", "UC\r\n0y\r\nZg==\r\n", "P-2f"},
		{"cut off", "base64", "UC0yZg0KSGVs", "P-2f\r\nHel"},
		{"cut off in a character", "base64", "UC0yZg0KSG", "P-2f\r\nH"},
		{"foreign bytes", "base64", "UC!0y*Zg==", "P-2f"},
		{"encodings one after the other", "BASE64 ", "UC0=\r\nMmY=", "P-2f"},
		{"the footer of a list below", "base64", "UC0yZg==\r\n\r\n_______\r\nshogi mailing list\r\n", "P-2f"},
		{"8bit", "8bit", "P-2f", "P-2f"},
		{"nonsense", "x-nonsense", "P-2f", "P-2f"},
	}
	for _, tt := range tests {
		if got := string(mailer.TransferDecoded([]byte(tt.body), tt.encoding, 1000)); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestHeaderText(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, field, want string }{
		{"encoded word", "=?utf-8?Q?Luc=C3=ADa_F?= rest", "Lucía F rest"},
		{"neighbours", "=?utf-8?B?77yX?= =?utf-8?B?5YWt?=", "７六"},
		{"a character cut in two", "=?utf-8?B?77w=?= =?utf-8?B?l+WFrQ==?=", "７六"},
		{"ISO-2022-JP", "=?iso-2022-jp?B?GyRCNVdKXUVEGyhC?=", "久保田"},
		{"raw UTF-8", "Re: ７六歩", "Re: ７六歩"},
		{"raw windows-1252", "A\xf1o nuevo", "Año nuevo"},
		{"language", "=?utf-8*es?Q?A=C3=B1o?=", "Año"},
		{"unknown charset", "=?x-none?Q?A=F1o?=", "Año"},
		{"blank inside", "=?utf-8?Q?two words?=", "two words"},
		{"line ends inside", "=?utf-8?Q?a=0D=0ABcc:_x?=", "a Bcc: x"},
		{"no word", "=?utf-8?X?abc?=", "=?utf-8?X?abc?="},
	}
	for _, tt := range tests {
		if got := mailer.Decode(tt.field); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
