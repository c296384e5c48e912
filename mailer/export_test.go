package mailer

// Walked returns how many parts of a message Parse looks at, and how many bytes
// of text it decodes in search of the plain text.
func Walked(raw []byte) (parts, text int) {
	limits := DefaultLimits()
	e, err := readEntity(raw, limits.Header)
	if err != nil {
		return 0, 0
	}
	w := walk{limits: limits, left: limits.Text}
	w.part(e, 0)
	return w.parts, limits.Text - w.left
}

// Unflow, TransferDecoded, DecodeText and Decode are tested by themselves.
var (
	Unflow          = unflow
	TransferDecoded = transferDecoded
	DecodeText      = decodeText
	Decode          = decode
)
