package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
)

// chapterOf names the researcher of a chapter that an event comes from, "" for others.
func chapterOf(at agent.At) string {
	parts := strings.SplitN(at.Agent, "/", 4)
	if len(parts) < 3 || agent.Kind(parts[2]) != "chapter" {
		return ""
	}
	return strings.Join(parts[:3], "/")
}

// isOutermost says whether an event is the researcher's own.
func isOutermost(at agent.At) bool { return at.Agent == account.Name }

// given remembers which chapters a reply has researched side by side, by the paths of their researchers.
func (n *narrator) given(e agent.Replied) {
	for _, call := range e.Calls {
		var args struct {
			Chapters []struct {
				File string `json:"file"`
			} `json:"chapters"`
		}
		if call.Name != "research_chapters" || json.Unmarshal([]byte(call.Args), &args) != nil {
			continue
		}
		for i, c := range args.Chapters {
			name := strings.TrimSuffix(path.Base(clean(c.File)), ".md")
			put(&n.chapters, fmt.Sprintf("%s/%s/chapter%d", e.Agent, call.ID, i+1), name)
		}
	}
}

// sideBySide follows what the researchers of chapters do.
func (p *progress) sideBySide(chapter string, e agent.Event, n *narrator) {
	tell := func(doing string) { put(&p.chapters, chapter, n.chapters[chapter]+"  "+doing) }
	switch e := e.(type) {
	case agent.Opened:
		tell(p.lang.Say("thinking"))
	case agent.Acting:
		if depth(e.At) == 0 {
			tell(p.doing(e.Call, n))
		}
	case agent.Ended:
		if depth(e.At) == 0 {
			delete(p.chapters, chapter)
		}
	}
}

// atWork are the lines of what is being done: one, or one for each chapter that is researched side by side.
func (p *progress) atWork() []string {
	switch {
	case p.stopping:
		return []string{"▸ " + p.lang.Say("stopping")}
	case len(p.chapters) == 0:
		return []string{"▸ " + p.action}
	}
	var lines []string
	for _, chapter := range slices.Sorted(maps.Keys(p.chapters)) {
		lines = append(lines, "▸ "+p.chapters[chapter])
	}
	return lines
}
