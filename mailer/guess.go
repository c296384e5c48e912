package mailer

import (
	"bytes"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
)

// guess says in which charset b, which is not UTF-8 and has no usable label,
// may be written. Text of two-byte charsets comes in pairs with typical first
// bytes, Cyrillic text is nearly all high bytes, and anything else is taken
// for windows-1252.
func guess(b []byte) encoding.Encoding {
	if pairs, kana := shiftJISPairs(b); kana > 0 && kana*4 >= pairs && fits(japanese.ShiftJIS, b) {
		return japanese.ShiftJIS
	}
	c := count(b)
	cyrillic := c.high > 2*c.letters && (c.upper+c.lower)*10 > c.high*9
	paired := c.odd == 0 && c.pairs > 1
	switch {
	case paired && c.kana*4 >= c.pairs && fits(japanese.EUCJP, b):
		return japanese.EUCJP
	case paired && c.hangul*3 >= c.pairs*2 && fits(korean.EUCKR, b):
		return korean.EUCKR
	case cyrillic && c.lower > c.upper:
		return charmap.Windows1251
	case cyrillic:
		return charmap.KOI8R
	case paired && c.high > c.letters && fits(simplifiedchinese.GB18030, b):
		return simplifiedchinese.GB18030
	}
	return charmap.Windows1252
}

// shiftJISPairs counts the two-byte characters of b, read as Shift_JIS, and
// those among them that are kana or signs.
func shiftJISPairs(b []byte) (pairs, kana int) {
	for i := 0; i+1 < len(b); i++ {
		if first := b[i]; first >= 0x81 && first <= 0x9f || first >= 0xe0 && first <= 0xef {
			pairs++
			if first <= 0x83 && b[i+1] >= 0x40 {
				kana++
			}
			i++
		}
	}
	return pairs, kana
}

// census counts what tells the other charsets apart.
type census struct {
	letters      int // of ASCII
	high         int // bytes from 0x80
	upper, lower int // from 0xC0 and from 0xE0: capitals and small letters of windows-1251, the reverse in KOI8-R
	pairs        int // pairs of high bytes, as in EUC and GBK
	odd          int // runs of high bytes that are no pairs
	kana, hangul int // pairs of EUC-JP, of EUC-KR
}

func count(b []byte) census {
	var c census
	run := 0 // length of the run of high bytes so far
	for i, x := range b {
		if x < 0x80 {
			c.odd += run % 2
			run = 0
			if x >= 'A' {
				c.letters++
			}
			continue
		}
		c.high++
		run++
		switch {
		case x >= 0xe0:
			c.lower++
		case x >= 0xc0:
			c.upper++
		}
		if run%2 == 0 {
			c.pairs++
			switch first := b[i-1]; {
			case first == 0xa4 || first == 0xa5:
				c.kana++
			case first >= 0xb0 && first <= 0xc8:
				c.hangul++
			}
		}
	}
	c.odd += run % 2
	return c
}

// fits reports whether b decodes in e without a flaw.
func fits(e encoding.Encoding, b []byte) bool {
	d, err := e.NewDecoder().Bytes(b)
	return err == nil && !bytes.ContainsRune(d, '\uFFFD')
}
