package main

import "github.com/daybook-agent/daybook/agent/account"

// refreshed lists what became of the sources, and which claims rest on it. It is wrapped where it is shown.
func (n *narrator) refreshed(e account.Refreshed) string {
	say := n.lang.Say
	said := say("looked again at %s", n.lang.Count(e.Looked, "source"))
	if len(e.Back)+len(e.Changed)+len(e.Renamed)+len(e.Gone)+len(e.Outside)+len(e.Returned)+len(e.Failed) == 0 {
		return said + say(": ") + say("nothing changed")
	}
	const few = 5
	list := func(title string, items []string) {
		for i, item := range items {
			if i == few {
				said += "\n    " + say("… and %d more", len(items)-few)
				break
			}
			said += "\n  " + say(title) + say(": ") + cut(clean(item), maxSubject)
		}
	}
	list("deleted and put back", e.Back)
	list("renamed", e.Renamed)
	list("changed", e.Changed)
	list("gone", e.Gone)
	list("no longer among the documents", e.Outside)
	list("there again", e.Returned)
	list("not readable", e.Failed)
	var claims []string
	for _, c := range e.Claims {
		now := c.Now
		if now == "" {
			now = say("gone")
		}
		claims = append(claims, say("line %d  [%s]  → %s  %s", c.Line, c.Ref, now, c.Claim))
	}
	if !e.IsWork() && len(e.Changed)+len(e.Gone) > 0 {
		said += "\n  " + say("no claim of the report rests on that")
	}
	list("to be mended", claims)
	if e.File != "" {
		said += "\n  " + say("before and now: %s", clean(e.File))
	}
	return said
}
