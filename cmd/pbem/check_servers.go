package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"pbem/mailer/imapbox"
	"pbem/mailer/smtpout"
)

// servers logs in to both servers and tells what they offer.
func (k *checkup) servers(ctx context.Context) {
	if k.c.IMAP.Enabled() {
		r, err := imapbox.Probe(ctx, imapConfig(k.c, k.log))
		if err != nil {
			k.offline = true
			k.ill("imap", err.Error(), mendIMAP(err))
		} else {
			k.imap(r)
		}
	}
	r, err := smtpout.Probe(ctx, smtpConfig(k.c, k.log))
	if err != nil {
		k.offline = true
		k.ill("smtp", err.Error(), mendSMTP(err))
		return
	}
	login := "logged in"
	if k.c.SMTP.User == "" {
		login = "connected, without a login,"
	}
	k.well("smtp", "%s: %s %s.", k.c.SMTP.Addr, login, over(r.TLS))
	for _, note := range r.Notes {
		k.say("", "Note: "+note)
	}
}

// imap tells what was found, and what follows from each.
func (k *checkup) imap(r imapbox.Report) {
	k.well("imap", "%s: logged in %s, %s in %s.", k.c.IMAP.Addr, over(r.TLS),
		count(int(r.Messages), "mail"), k.c.IMAP.Mailbox)
	k.say("", "It offers "+strings.Join(r.Caps, " ")+".")
	for _, c := range []struct {
		has  bool
		text string
	}{
		{r.Idle, "IDLE: the server tells of new mail at once, so a move is answered within seconds."},
		{r.UIDPlus, "UIDPLUS: single mails can be removed without touching others."},
		{r.Move, "MOVE: mail can go to another folder in one step."},
		{r.Keywords, "Keywords: handled mail is told apart by a flag of our own, and stays unread for you."},
		{r.UIDValidity != 0, "UIDVALIDITY: mail has lasting numbers, so after a restart only what is new is read."},
		{true, "Mail that was handled " + k.settled(r.Settle)},
	} {
		if c.has {
			k.say("", "- "+c.text)
		}
	}
	for _, note := range r.Notes {
		k.say("", "Note: "+note)
	}
}

// settled words what [imapbox.Report] says is done with handled mail.
func (k *checkup) settled(how string) string {
	if flag, ok := strings.CutPrefix(how, "flag "); ok {
		return "gets the flag " + flag + " and stays where it is."
	}
	if how == "leave" {
		return "stays as it is."
	}
	return fmt.Sprintf("goes to the folder %q (%s).", k.c.IMAP.MoveTo, how)
}

func over(tls string) string {
	if tls == "" {
		return "without encryption"
	}
	return "over " + tls
}

// mendIMAP says what to do about an error of the IMAP server.
func mendIMAP(err error) string {
	var problem *imapbox.Error
	if !errors.As(err, &problem) {
		return "try again."
	}
	switch problem.Problem {
	case imapbox.Misconfigured:
		return "change [imap] in the settings."
	case imapbox.Unreachable:
		return unreachable("imap")
	case imapbox.BadTLS:
		return badTLS("imap")
	case imapbox.WrongPassword:
		return wrongPassword("imap")
	case imapbox.NoMailbox:
		return "name a folder that exists in imap.mailbox; that of new mail is nearly always INBOX."
	case imapbox.Silent:
		return silent("imap")
	}
	return "wait some minutes and try again; if it stays so, ask whoever runs the server."
}

// mendSMTP is [mendIMAP] for the SMTP server.
func mendSMTP(err error) string {
	var problem *smtpout.Error
	if !errors.As(err, &problem) {
		return "try again."
	}
	switch problem.Problem {
	case smtpout.Misconfigured:
		return "change [smtp] in the settings."
	case smtpout.Unreachable:
		return unreachable("smtp")
	case smtpout.BadTLS:
		return badTLS("smtp")
	case smtpout.WrongPassword:
		return wrongPassword("smtp")
	case smtpout.Refused:
		return "see that smtp.user may send as service.address; without smtp.user the server may want a login."
	case smtpout.Silent:
		return silent("smtp")
	}
	return "wait some minutes and try again; if it stays so, ask whoever runs the server."
}

func unreachable(section string) string {
	return "see that name and port in " + section + ".addr are right, that the server runs, and that no " +
		"firewall keeps this machine from it (many networks close ports 25 and 465; 587 with \"starttls\" often works)."
}

func badTLS(section string) string {
	return "write the server's name as its certificate has it in " + section + ".addr, and see that the port fits " +
		section + ".security. A certificate of your own is believed if the variable SSL_CERT_FILE names the file of " +
		"the authority that signed it."
}

func wrongPassword(section string) string {
	return "see that " + section + ".user and the password are right. Large providers want a password made for " +
		"programs (\"app password\"), and access by mail programs switched on in the account's settings."
}

func silent(section string) string {
	return "see that the port in " + section + ".addr fits " + section + ".security: 993 and 465 want \"tls\", 143 and " +
		"587 \"starttls\"."
}
