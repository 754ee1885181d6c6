package openai

import (
	"maps"
	"slices"
	"strings"
)

// Finding is what is known of one ability of a server.
type Finding string

// The findings.
const (
	Unknown Finding = ""
	Yes     Finding = "yes"
	No      Finding = "no"
)

// Capabilities are what a server and a model on it can do, as far as that is known. The zero value knows
// nothing; a Brain then asks as it would ask OpenAI's own server, and finds out from the answers.
type Capabilities struct {
	// calls of actions as a part of the protocol; No has them written in the text
	Calls Finding `json:"calls,omitempty"`
	// several calls in one reply; No has those that came told again one by one
	Parallel Finding `json:"parallel,omitempty"`
	// a system message, and several of the user in a row; No joins them, and writes calls in the text
	Roles  Finding `json:"roles,omitempty"`
	Choice Finding `json:"tool_choice,omitempty"` // that a certain action must be called
	Stream Finding `json:"stream,omitempty"`      // replies in pieces
	Usage  Finding `json:"usage,omitempty"`       // the server says how many tokens a request took
	// it takes the field that asks for the usage of a stream
	Options Finding `json:"stream_options,omitempty"`
	Cache   Finding `json:"cache,omitempty"`  // tokens were taken from a prompt cache
	Window  int     `json:"window,omitempty"` // tokens of one request, reply included; 0 is unknown
	// Refused names more fields that the server does not take, those of Extra and the key of a cache, apart
	// by spaces.
	Refused string `json:"refused,omitempty"`
}

// findings are what a Brain knows by now. Those beside the capabilities it forgets when it ends.
type findings struct {
	Capabilities
	begun    bool    // the capabilities hold what was known before
	answered bool    // a whole reply came
	streamed bool    // and as a stream
	broken   int     // streams in a row that brought none, before the first that did
	ratio    float64 // tokens as the server counts them for one that is estimated; 0 while unknown
	whole    bool    // the server was seen to count what it took from its cache
}

// can is what is known by now.
func (b *Brain) can() (now findings) {
	b.discover(func(f *findings) { now = *f })
	return now
}

// discover changes what is known, tells of it when it is new, and says whether it was.
func (b *Brain) discover(change func(*findings)) bool {
	b.finding.Lock()
	defer b.finding.Unlock()
	if !b.found.begun {
		b.found.begun, b.found.Capabilities = true, b.Known
		if b.Window > 0 {
			b.found.Window = 0 // the person's word is newer than what was found in an earlier process
		}
	}
	before := b.found.Capabilities
	change(&b.found)
	isNew := b.found.Capabilities != before
	if isNew && b.Learned != nil {
		b.Learned(b.found.Capabilities)
	}
	return isNew
}

// observe notes what a whole reply shows of the server.
func (b *Brain) observe(d *draft, native int) {
	e := d.to
	b.discover(func(c *findings) {
		c.answered = true
		if d.streamed {
			c.streamed, c.broken = true, 0
		}
		if e.form.stream {
			c.Stream = finding(d.streamed)
		}
		if told := d.usage.PromptTokens > 0; told ||
			c.Usage == Unknown && (!e.form.stream || e.form.options) {
			c.Usage = finding(told)
		}
		if native > 0 && c.Calls != No {
			c.Calls = Yes
		}
		if native > 1 && c.Parallel == Unknown {
			c.Parallel = Yes
		}
		if d.usage.cached() > 0 {
			c.Cache = Yes
		}
	})
}

func finding(yes bool) Finding {
	if yes {
		return Yes
	}
	return No
}

// extraNames are the fields of Extra that are still sent, and that of the cache's key where one is wanted, in
// order, apart by spaces.
func (b *Brain) extraNames(c findings) string {
	all := slices.Collect(maps.Keys(b.Extra))
	if b.Quirks.CacheKey && !slices.Contains(all, cacheKeyField) {
		all = append(all, cacheKeyField)
	}
	left := slices.DeleteFunc(all, func(name string) bool { return names(c.Refused, name) })
	slices.Sort(left)
	return strings.Join(left, " ")
}
