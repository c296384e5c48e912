package service

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"strconv"
	"strings"

	"pbem/player"
)

// token is what a mail of ours carries in its Reply-To and Message-ID, so that
// a reply names what it answers and proves that its writer has read it. It
// reads "g17-2-" and a MAC over the recipient and what stands before it; whose
// token it is follows from whose MAC it is.
type token struct {
	about  byte // what num counts: one of the about… constants
	num    uint64
	ply    int // of a game
	mac    string
	prefix string // what the MAC covers, as written
}

const (
	aboutGame      = 'g'
	aboutChallenge = 'c'
	aboutPlayer    = 'p'
	aboutHeld      = 'h'
)

// macChars is how much of the MAC a token shows. A guess costs a mail, so 100
// bits are far out of reach, and the address stays short of the 64 octets that
// a local part may have (RFC 5321, section 4.5.3.1.1).
const macChars = 20

// alphabet is Crockford's base32 in lower case: local parts get case-folded.
var alphabet = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// newToken makes the token of a mail to who (or, for a held message, to the
// address it waits for).
func newToken(secret []byte, about byte, num uint64, ply int, who string) string {
	prefix := fmt.Sprintf("%c%d-%d", about, num, ply)
	return prefix + "-" + mac(secret, prefix, who)
}

func mac(secret []byte, prefix, who string) string {
	h := hmac.New(sha256.New, secret)
	// The length keeps prefix and who apart.
	fmt.Fprintf(h, "pbem token 1\x00%d\x00%s%s", len(prefix), prefix, who)
	return alphabet.EncodeToString(h.Sum(nil))[:macChars]
}

// parseToken takes a token apart. It proves nothing: see [token.belongs].
func parseToken(s string) (t token, ok bool) {
	parts := strings.Split(strings.ToLower(s), "-")
	if len(parts) != 3 || len(parts[0]) < 2 || len(parts[2]) != macChars {
		return token{}, false
	}
	num, err := strconv.ParseUint(parts[0][1:], 10, 64)
	if err != nil {
		return token{}, false
	}
	ply, err := strconv.Atoi(parts[1])
	if err != nil || ply < 0 {
		return token{}, false
	}
	switch about := parts[0][0]; about {
	case aboutGame, aboutChallenge, aboutPlayer, aboutHeld:
		return token{about: about, num: num, ply: ply, mac: parts[2], prefix: parts[0] + "-" + parts[1]}, true
	}
	return token{}, false
}

// belongs reports whether t was given to who, in constant time.
func (t token) belongs(secrets [][]byte, who string) bool {
	ok := false
	for _, s := range secrets {
		if hmac.Equal([]byte(mac(s, t.prefix, who)), []byte(t.mac)) {
			ok = true
		}
	}
	return ok
}

// tokenOwner is how a player is named inside a MAC.
func tokenOwner(id player.ID) string { return "player " + strconv.FormatUint(uint64(id), 10) }

// tokenAddress is how an address that belongs to no player yet is named
// inside a MAC.
func tokenAddress(addr string) string { return "address " + strings.ToLower(addr) }
