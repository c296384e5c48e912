package service

import (
	"errors"
	"strings"

	"pbem/player"
	"pbem/templates"
)

// join makes the owner of a proven address a player.
func (c *conversation) join(args, _ string) error {
	if c.who.ID != 0 {
		c.say(templates.Already{Name: c.who.Name})
		return nil
	}
	name := strings.Trim(args, " .,!\"'“”")
	var bad *player.NameError
	if err := player.CheckName(name); errors.As(err, &bad) {
		c.say(templates.BadName{Name: name, Why: bad.Why})
		return nil
	}
	_, err := c.st.PlayerByName(name)
	taken, err := found(err)
	if err != nil {
		return err
	}
	if taken {
		c.say(templates.BadName{Name: name, Why: "somebody has it already"})
		return nil
	}
	id, err := c.st.NextPlayer()
	if err != nil {
		return err
	}
	c.who = player.Player{ID: id, Name: name, Addresses: []string{c.msg.From.Addr}, Joined: c.env.Now}
	c.keepPlayer(c.who)
	c.note(false, "player joined", "player", uint64(id))
	c.say(templates.Welcome{Name: name, Address: c.msg.From.Addr})
	return nil
}
