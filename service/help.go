package service

import (
	"strings"

	"pbem/templates"
)

// topic is what a command is listed under in help.
type topic string

// The topics, in the order of the list.
const (
	topicStart  topic = "A game to play"
	topicInGame topic = "In a game"
	topicOffers topic = "To propose, or end a game"
	topicTime   topic = "Time"
	topicClub   topic = "Around the board"
)

var topics = []topic{topicStart, topicInGame, topicOffers, topicTime, topicClub}

// help lists the commands by topic, or explains one of them, or all.
func (c *conversation) help(args, _ string) error {
	args = strings.ToLower(strings.Trim(args, " .?!#"))
	switch cmds := called(fold(args)); {
	case args == "":
		c.say(helpTopics())
	case args == "all":
		c.say(helpAll())
	case len(cmds) > 0:
		c.say(helpWord(cmds[0]))
	default:
		h := helpTopics()
		h.Unknown, h.Nearest = args, nearestCommand(args)
		c.say(h)
	}
	return nil
}

func helpTopics() templates.Help {
	var h templates.Help
	for _, t := range topics {
		g := templates.HelpTopic{Title: string(t)}
		for _, cmd := range commands() {
			if cmd.topic == t {
				g.Words = append(g.Words, cmd.name)
			}
		}
		h.Topics = append(h.Topics, g)
	}
	return h
}

func helpAll() templates.HelpAll {
	var h templates.HelpAll
	for _, cmd := range commands() {
		h.Words = append(h.Words, helpWord(cmd))
	}
	return h
}

func helpWord(cmd command) templates.HelpWord {
	return templates.HelpWord{Name: cmd.name, Usage: cmd.usage, Does: cmd.does, Also: otherNames(cmd.name)}
}
