package service

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"pbem/player"
	"pbem/templates"
)

// wish is a setting that players can choose, as data.
type wish struct {
	name    string
	aliases []string
	like    string // what can be written behind the name
	does    string
	show    func(player.Settings) string
	// set changes s, or says why it cannot be.
	set func(s *player.Settings, value string) (why string)
}

func wishes() []wish {
	return []wish{
		{name: "timezone", aliases: []string{"zone", "time", "tz"}, like: "Europe/Rome",
			does: "times in your mails, and your weekends",
			show: func(s player.Settings) string { return zoneText(s.Zone) },
			set: func(s *player.Settings, v string) string {
				zone, ok := findZone(v)
				if !ok {
					return "I know no such place; name a large city of your zone, such as Rome, Tokyo or New York"
				}
				s.Zone = zone
				return ""
			}},
		{name: "reminders", aliases: []string{"reminder", "remind"}, like: player.DefaultPlan,
			does: "when you are reminded of a move: half of the time gone, or so much left; off for none",
			show: func(s player.Settings) string { return cmp.Or(s.Reminders, player.DefaultPlan) },
			set: func(s *player.Settings, v string) string {
				if _, err := player.ParsePlan(v); err != nil {
					return err.Error()
				}
				s.Reminders = v
				return ""
			}},
		{name: "quiet", like: player.DefaultQuiet, does: "hours in which you get no reminder; off for none",
			show: func(s player.Settings) string { return cmp.Or(s.Quiet, player.DefaultQuiet) },
			set: func(s *player.Settings, v string) string {
				if _, err := player.ParseQuiet(v); err != nil {
					return err.Error()
				}
				s.Quiet = v
				return ""
			}},
		{name: "digest", like: "8", does: "one mail a day, at that hour, instead of one for each move; off for none",
			show: func(s player.Settings) string { return cmp.Or(s.Digest, "off") },
			set: func(s *player.Settings, v string) string {
				if v == "off" {
					s.Digest = ""
					return ""
				}
				if _, err := player.ParseHour(v); err != nil {
					return err.Error()
				}
				s.Digest = v
				return ""
			}},
		{name: "board", like: "mine", does: "how the board lies: mine, your own side below, or black",
			show: func(s player.Settings) string {
				if s.FixedBoard {
					return "black"
				}
				return "mine"
			},
			set: func(s *player.Settings, v string) string {
				if v != "mine" && v != "black" {
					return "it is mine or black"
				}
				s.FixedBoard = v == "black"
				return ""
			}},
		{name: "strict", like: "on", does: "ask about every move that is not written in full, as the service writes it",
			show: func(s player.Settings) string {
				if s.Strict {
					return "on"
				}
				return "off"
			},
			set: func(s *player.Settings, v string) string {
				if v != "on" && v != "off" {
					return "it is on or off"
				}
				s.Strict = v == "on"
				return ""
			}},
		{name: "hold", like: "20m", does: "how long your moves wait, and can be taken back, before your opponent is told; off for none",
			show: func(s player.Settings) string { return cmp.Or(s.Hold, "off") },
			set: func(s *player.Settings, v string) string {
				if v == "off" {
					s.Hold = ""
					return ""
				}
				if _, err := player.ParseHold(v); err != nil {
					return err.Error()
				}
				s.Hold = v
				return ""
			}},
		{name: "vacation", like: "stays", does: "whether a move ends your vacation: ends or stays",
			show: func(s player.Settings) string {
				if s.MoveEndsLeave {
					return "ends"
				}
				return "stays"
			},
			set: func(s *player.Settings, v string) string {
				if v != "ends" && v != "stays" {
					return "it is ends or stays"
				}
				s.MoveEndsLeave = v == "ends"
				return ""
			}},
	}
}

func wishNamed(name string) (wish, bool) {
	for _, s := range wishes() {
		for _, n := range append([]string{s.name}, s.aliases...) {
			if n == name {
				return s, true
			}
		}
	}
	return wish{}, false
}

// set changes one of the sender's settings, or shows all of them.
func (c *conversation) set(args, _ string) error {
	name, value, _ := strings.Cut(strings.TrimSpace(args), " ")
	s, ok := wishNamed(strings.ToLower(name))
	value = strings.ToLower(strings.Trim(value, " .=:"))
	if name == "" || !ok {
		c.say(c.settingsList(name))
		return nil
	}
	p := c.who
	why := "nothing stands behind it"
	if value != "" {
		why = s.set(&p.Settings, value)
	}
	if why != "" {
		c.say(templates.BadSetting{Name: s.name, Value: value, Why: why, Like: "set " + s.name + " " + s.like})
		return nil
	}
	c.keepPlayer(p)
	games, err := c.st.GamesOf(p.ID)
	if err != nil {
		return err
	}
	for _, g := range games { // reminders and weekends of the games that run follow
		side, _ := g.Side(p.ID)
		g.Clock = g.Clock.Rezone(int(side), p.Settings.Zone, c.env.Now)
		before := c.game
		if err := c.keep(g); err != nil {
			return err
		}
		c.game = before
	}
	c.say(templates.SettingSaved{Name: s.name, Value: s.show(p.Settings), Now: moment(c.env.Now, p)})
	return nil
}

func (c *conversation) settingsList(unknown string) templates.SettingsList {
	l := templates.SettingsList{Unknown: unknown}
	for _, s := range wishes() {
		l.Settings = append(l.Settings, templates.SettingRow{Usage: "set " + s.name + " " + s.like, Does: s.does, Value: s.show(c.who.Settings)})
	}
	return l
}

// zoneText names a zone as people do.
func zoneText(name string) string {
	if name == "" || name == "UTC" {
		return "UTC"
	}
	if west, ok := strings.CutPrefix(name, "Etc/GMT"); ok { // Etc counts westward
		return "UTC" + strings.NewReplacer("+", "-", "-", "+").Replace(west)
	}
	return strings.ReplaceAll(name, "_", " ")
}

var offset = regexp.MustCompile(`^(?:utc|gmt)?\s*([+-])\s*(\d{1,2})(?::?00)?$`)

// findZone returns the IANA name of the zone that people call by its name, by
// a city in it, or by its distance from Greenwich.
func findZone(text string) (string, bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	if text == "utc" || text == "gmt" {
		return "UTC", true
	}
	if m := offset.FindStringSubmatch(text); m != nil {
		hours, _ := strconv.Atoi(m[2])                      // two digits
		sign := map[string]string{"+": "-", "-": "+"}[m[1]] // Etc counts westward
		name := fmt.Sprintf("Etc/GMT%s%d", sign, hours)
		_, err := time.LoadLocation(name)
		return name, err == nil && hours > 0
	}
	var words []string
	for part := range strings.SplitSeq(text, "/") {
		var b []string
		for w := range strings.FieldsSeq(strings.ReplaceAll(part, "_", " ")) {
			b = append(b, strings.ToUpper(w[:1])+w[1:])
		}
		words = append(words, strings.Join(b, "_"))
	}
	name := strings.Join(words, "/")
	if name == "" || strings.ContainsAny(name, ".\\") {
		return "", false
	}
	tries := []string{name}
	if len(words) == 1 {
		tries = nil
		for _, area := range []string{"Europe", "America", "Asia", "Australia", "Africa", "Pacific", "Atlantic", "Indian", "America/Argentina"} {
			tries = append(tries, area+"/"+name)
		}
	}
	for _, t := range tries {
		if _, err := time.LoadLocation(t); err == nil {
			return t, true
		}
	}
	return "", false
}
