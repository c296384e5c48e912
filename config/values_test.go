package config_test

import (
	"testing"

	"pbem/config"
)

func TestParseSize(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text string
		want config.Size
	}{
		{"1MiB", 1 << 20}, {"500 kB", 500_000}, {"64KiB", 65536}, {"1gib", 1 << 30},
		{"65536", 65536}, {"10B", 10}, {"0", 0},
	} {
		got, err := config.ParseSize(tt.text)
		if err != nil || got != tt.want {
			t.Errorf("ParseSize(%q) = %d, %v; want %d", tt.text, got, err, tt.want)
		}
		if back, err := config.ParseSize(got.String()); err != nil || back != got {
			t.Errorf("ParseSize(%q) = %d, %v; want %d", got.String(), back, err, got)
		}
	}
	for _, text := range []string{"", "MiB", "-1", "1.5MiB", "1 TiB", "9999999999GiB"} {
		if got, err := config.ParseSize(text); err == nil {
			t.Errorf("ParseSize(%q) = %d, want an error", text, got)
		}
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	commands := []string{"demo", "init", "check", "serve", "deliver", "outbox", "read", "version"}
	for word, want := range map[string]string{
		"serv": "serve", "chekc": "check", "INIT": "init", "delivery": "deliver", "verison": "version",
		"frobnicate": "", "": "", "x": "",
	} {
		if got := config.Nearest(word, commands); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestValidate(t *testing.T) {
	t.Parallel()
	c := config.Default()
	c.Service.Address = "shogi@example.org"
	c.IMAP.Addr, c.IMAP.User, c.IMAP.Password, c.IMAP.Security = "127.0.0.1:1143", "shogi", config.NewSecret("x"), config.None
	c.SMTP.Addr, c.SMTP.Security = "localhost:1025", config.None
	if err := c.Validate(); err != nil {
		t.Errorf("Validate of good settings: %v", err)
	}
	c.SMTP.Security = "ssl"
	const want = `smtp.security: "ssl" is not known; write "tls" or "starttls" or "none"`
	if err := c.Validate(); err == nil || err.Error() != want {
		t.Errorf("Validate = %v, want %s", err, want)
	}
}

func TestLMTPNetwork(t *testing.T) {
	t.Parallel()
	for listen, want := range map[string][2]string{
		"127.0.0.1:24":             {"tcp", "127.0.0.1:24"},
		"unix:/run/pbem/lmtp.sock": {"unix", "/run/pbem/lmtp.sock"},
	} {
		network, address := config.LMTP{Listen: listen}.Network()
		if got := [2]string{network, address}; got != want {
			t.Errorf("Network of %s = %v, want %v", listen, got, want)
		}
	}
}
