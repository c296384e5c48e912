package service

import (
	"strings"
	"time"

	"pbem/mailer"
	"pbem/templates"
)

// Trouble is what the operator is to know of.
type Trouble struct {
	Since    time.Time // when the operator was last told; zero: never
	SetAside int       // messages in quarantine
	GivenUp  int       // mails that could not be delivered
	Excesses int       // mails over a limit
}

// operatorID begins the Message-IDs of mails to the operator.
const operatorID = "operator."

// ToOperator reports whether the mail of that Message-ID tells the operator of
// trouble: that it cannot be delivered is none to tell of.
func ToOperator(messageID string) bool { return strings.HasPrefix(messageID, operatorID) }

// TellOperator writes the mail that tells the operator of t.
func TellOperator(t Trouble, env Env) (Mail, error) {
	set := env.Settings
	part := templates.Operator{Service: set.Name, SetAside: t.SetAside, GivenUp: t.GivenUp, Excesses: t.Excesses}
	if !t.Since.IsZero() {
		part.Since = t.Since.UTC().Format("Mon 2 January, 15:04 UTC")
	}
	subject, text, err := templates.Render(part)
	return Mail{Draft: mailer.Draft{
		From:      mailer.Address{Name: set.Name, Addr: set.Address},
		To:        mailer.Address{Addr: set.Operator},
		MessageID: operatorID + env.NewID() + "@" + set.host(),
		Subject:   oneLine(subject), Text: text + "\n",
		Date: env.Now, Auto: "auto-generated",
	}}, err
}
