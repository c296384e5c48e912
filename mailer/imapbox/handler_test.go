package imapbox_test

import (
	"errors"
	"strings"
	"testing"

	"pbem/mailer/imapbox"
)

// After a crash between Receive and the flag, mail below the cursor is offered again.
func TestUnmarkedIsOfferedAgain(t *testing.T) {
	t.Parallel()
	s := startBad(t, text(1), text(2), text(3))
	s.mails[1].flags = "$PbemDone"
	k := newKeeper()
	k.cursor = imapbox.Cursor{UIDValidity: 7, UID: 3}
	watch(t, config(t, s.serve()), k)
	wantMails(t, k, text(2), text(3))
	k.awaitSettled(t, 2)
	if k.cursor.UID != 3 || !strings.Contains(s.said(), "UID STORE 2:3 +FLAGS.SILENT ($PbemDone)") {
		t.Errorf("cursor at %d, client said\n%s\nwant 3, and UIDs 2:3 flagged", k.cursor.UID, s.said())
	}
}

// What the handler does not take is not flagged, and comes again.
func TestHandlerFails(t *testing.T) {
	t.Parallel()
	s := startBad(t, text(1), text(2))
	k := newKeeper()
	fails := 2
	k.onReceive = func([]imapbox.Fetched) error {
		if fails--; fails >= 0 {
			if strings.Contains(s.said(), "STORE") {
				t.Error("mail flagged before it was taken")
			}
			return errors.New("disk full")
		}
		return nil
	}
	watch(t, config(t, s.serve()), k)
	wantMails(t, k, text(1), text(2))
}

// A panic of the handler ends the session only.
func TestHandlerPanics(t *testing.T) {
	t.Parallel()
	s := startBad(t, text(1))
	k := newKeeper()
	first := true
	k.onReceive = func([]imapbox.Fetched) error {
		if first {
			first = false
			panic("out of cheese")
		}
		return nil
	}
	watch(t, config(t, s.serve()), k)
	wantMails(t, k, text(1))
}
