package daemon_test

import "pbem/mailer"

func draft(to, messageID string) mailer.Draft {
	return mailer.Draft{
		From: mailer.Address{Addr: "shogi@example.org"}, To: mailer.Address{Addr: to},
		MessageID: messageID, Subject: "hello", Text: "hello",
	}
}
