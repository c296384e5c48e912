package mailer

import (
	"bytes"
	"encoding/base64"
	"unicode/utf16"
	"unicode/utf8"
)

// utf7 decodes UTF-7 (RFC 2152), which no library of ours knows. What is not
// valid stands for itself.
func utf7(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for len(b) > 0 {
		plus := bytes.IndexByte(b, '+')
		if plus < 0 {
			return append(out, b...)
		}
		out = append(out, b[:plus]...)
		b = b[plus+1:]
		n := 0
		for n < len(b) && sextet(b[n]) >= 0 {
			n++
		}
		code := b[:n]
		b = b[n:]
		if n == 0 {
			out = append(out, '+') // "+-", or a plus that begins no code
		} else {
			out = appendUTF16(out, code)
		}
		b = bytes.TrimPrefix(b, []byte("-"))
	}
	return out
}

func appendUTF16(out, code []byte) []byte {
	raw, err := base64.RawStdEncoding.DecodeString(string(code))
	if err != nil {
		return append(append(out, '+'), code...)
	}
	units := make([]uint16, len(raw)/2)
	for i := range units {
		units[i] = uint16(raw[2*i])<<8 | uint16(raw[2*i+1])
	}
	for _, r := range utf16.Decode(units) {
		out = utf8.AppendRune(out, r)
	}
	return out
}

// iso2022kr turns ISO-2022-KR (RFC 1557) into EUC-KR: between SO and SI the
// high bit is set.
func iso2022kr(b []byte) []byte {
	b = bytes.ReplaceAll(b, []byte("\x1b$)C"), nil)
	out := make([]byte, 0, len(b))
	var high byte
	for _, c := range b {
		switch c {
		case 0x0e:
			high = 0x80
		case 0x0f:
			high = 0
		case '\n', '\r', ' ':
			out = append(out, c)
		default:
			out = append(out, c|high)
		}
	}
	return out
}
