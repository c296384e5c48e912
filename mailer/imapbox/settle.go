package imapbox

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-imap/v2"
)

const defaultFlag = "$PbemDone"

// settling is what is done with mail that was taken. Choosing it needs no try: the server
// tells its capabilities and which flags it keeps.
type settling struct {
	move    bool      // MOVE
	expunge bool      // COPY, then UID EXPUNGE
	flag    imap.Flag // empty: mail stays as it is
}

func (w settling) String() string {
	switch {
	case w.move:
		return "move"
	case w.expunge:
		return "copy and expunge"
	case w.flag != "":
		return "flag " + string(w.flag)
	default:
		return "leave"
	}
}

// chooseSettling picks the way that is safe on this server.
func (c Config) chooseSettling(caps imap.CapSet, permanent []imap.Flag) settling {
	w := settling{flag: keptFlag(imap.Flag(c.Flag), permanent)}
	if c.MoveTo == "" {
		return w
	}
	// Trap B1: without MOVE the library's Move sends COPY, STORE and EXPUNGE in one go and
	// deletes the mail even if the copy fails; without UIDPLUS its EXPUNGE also takes what
	// others have marked as deleted.
	w.move = caps.Has(imap.CapMove)
	w.expunge = !w.move && caps.Has(imap.CapUIDPlus)
	return w
}

// keptFlag returns wanted, or \Seen if the server would forget wanted, or "" if it keeps
// neither. A server that names no permanent flags keeps all (RFC 9051, section 7.1).
func keptFlag(wanted imap.Flag, permanent []imap.Flag) imap.Flag {
	keeps := func(f imap.Flag) bool {
		return slices.ContainsFunc(permanent, func(p imap.Flag) bool { return strings.EqualFold(string(p), string(f)) })
	}
	switch {
	case len(permanent) == 0 || keeps(wanted):
		return wanted
	case !strings.HasPrefix(string(wanted), `\`) && keeps(imap.FlagWildcard):
		return wanted
	case keeps(imap.FlagSeen):
		return imap.FlagSeen
	default:
		return ""
	}
}

// moves reports whether taken mail leaves the mailbox.
func (w settling) moves() bool { return w.move || w.expunge }

// keyword returns the flag if it is one that only we set, empty if anybody may set it or
// there is none.
func (w settling) keyword() imap.Flag {
	if strings.HasPrefix(string(w.flag), `\\`) {
		return ""
	}
	return w.flag
}

// farewell is how long mail just taken may still be flagged or moved after ctx has ended.
const farewell = 5 * time.Second

// settleAll flags or moves mail that the handler has taken. A refusal is logged: the mail is
// safe, it only looks unread. The error is that of a broken connection.
func (s *session) settleAll(ctx context.Context, uids []uint32) error {
	set, ok := setOf(uids)
	if !ok {
		return nil
	}
	last, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(farewell, cancel) })
	defer stop()
	ctx = last
	err := s.settleSet(ctx, set)
	if isRefusal(err) && !s.settle.moves() { // It was to be moved: flag it at least.
		err = s.settleSet(ctx, set)
	}
	if isRefusal(err) {
		s.c.Log.Warn("mail taken, but not marked", "mailbox", s.c.Mailbox, "uid", set.String(), "how", s.settle.String(), "err", err)
		return nil
	}
	return err
}

func (s *session) settleSet(ctx context.Context, set imap.UIDSet) error {
	switch {
	case s.settle.move:
		return s.orCreate(ctx, func() error {
			return s.do(ctx, "MOVE", func(func()) error {
				_, err := s.client.Move(set, s.c.MoveTo).Wait()
				return err
			})
		})
	case s.settle.expunge:
		return s.copyAndExpunge(ctx, set)
	case s.settle.flag != "":
		return s.addFlag(ctx, set, s.settle.flag)
	}
	return nil
}

// copyAndExpunge moves mail on a server without MOVE, one step after the other (trap B1):
// nothing is deleted before the server has said that the copy is made.
func (s *session) copyAndExpunge(ctx context.Context, set imap.UIDSet) error {
	err := s.orCreate(ctx, func() error {
		return s.do(ctx, "COPY", func(func()) error {
			_, err := s.client.Copy(set, s.c.MoveTo).Wait()
			return err
		})
	})
	if err != nil {
		return err
	}
	if err := s.addFlag(ctx, set, imap.FlagDeleted); err != nil {
		return err
	}
	return s.do(ctx, "UID EXPUNGE", func(func()) error { return s.client.UIDExpunge(set).Close() })
}

// orCreate runs command again after making MoveTo, if the server says that is what it lacks.
// Any other refusal makes the session flag mail from now on.
func (s *session) orCreate(ctx context.Context, command func() error) error {
	err := command()
	if !isRefusal(err) {
		return err
	}
	created := s.do(ctx, "CREATE", func(func()) error { return s.client.Create(s.c.MoveTo, nil).Wait() })
	if created == nil {
		s.c.Log.Info("mailbox made", "mailbox", s.c.MoveTo)
		err = command()
	}
	if isRefusal(err) {
		s.settle.move, s.settle.expunge = false, false
		s.c.Log.Warn("mail cannot be moved; it is flagged instead", "mailbox", s.c.MoveTo, "err", err)
	}
	return err
}

func (s *session) addFlag(ctx context.Context, set imap.UIDSet, flag imap.Flag) error {
	store := func(flag imap.Flag) error {
		return s.do(ctx, "STORE", func(func()) error {
			return s.client.Store(set, &imap.StoreFlags{
				Op: imap.StoreFlagsAdd, Silent: true, Flags: []imap.Flag{flag},
			}, nil).Close()
		})
	}
	err := store(flag)
	if isRefusal(err) && !strings.HasPrefix(string(flag), `\`) { // It said it kept keywords.
		s.settle.flag = imap.FlagSeen
		return store(imap.FlagSeen)
	}
	return err
}

// setOf makes a set for a command. An empty one would break the connection (trap B10), so
// there is none: ok is false.
func setOf(uids []uint32) (set imap.UIDSet, ok bool) {
	for _, uid := range uids {
		if uid != 0 {
			set.AddNum(imap.UID(uid))
		}
	}
	return set, len(set) > 0
}
