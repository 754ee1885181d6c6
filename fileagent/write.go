package fileagent

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/markdown"
	"github.com/daybook-agent/daybook/fileagent/passage"
)

// place is the position for a text in write_file.
type place struct {
	Mode   string `json:"mode,omitempty"`
	Line   int    `json:"line,omitempty"`
	Anchor string `json:"anchor,omitempty"`
}

// writing is the input of write_file.
type writing struct {
	Path string  `json:"path"`
	Text *string `json:"text,omitempty"`
	source
	place
	marked
}

func writeFile(w *workspace.Workspace, content string) agent.Action {
	return action("write_file", func(_ context.Context, in writing) (agent.Outcome, error) {
		written := in.Path
		in.Path = spelled(w, in.Path)
		theirs := w.ByHand(in.Path)
		old, isNew := before(w, in.Path)
		body, err := in.body(w, old, content)
		if err != nil {
			return agent.Outcome{}, err
		}
		did, kept, err := in.write(w, in.Path, body)
		if err != nil {
			return agent.Outcome{}, err
		}
		came, unseen := w.ChangesIn(in.Path)
		gone := did == "Wrote" && mostGone(old, body)
		done := wrote(did, in.Path, old, body, isNew) + misspelt(written, in.Path)
		if did == "Inserted" && in.Mode != "before" && strings.HasPrefix(in.Anchor, "#") {
			done += " It stands at the end of that section, below its text."
		}
		if in.From != "" && in.isAll(w) {
			done += nowHolds(w, in.Path)
		}
		if gone {
			done += " This replaced all of the file. If only a part was meant, write the whole text again, " +
				"and change a part by replace_in_file or mode insert."
		}
		if unseen != nil { // reported as an error, the text would be written again
			done += fmt.Sprintf(" It is written; whether a person changed it meanwhile could not be seen "+
				"(%v), so read it before you change it again.", unseen)
		}
		if came != "" {
			done += " A person had changed it since you saw it; their change stands, and yours beside it:\n" +
				came
		}
		lost := dropped(w, in.Path, theirs)
		done += lost
		switch {
		// otherwise everything that they wrote is still there
		case kept != "" && (gone || lost != "" || len(theirs) == 0):
			done += " The version before, which a person had edited, is kept as " + kept + "."
		case gone:
			done += " No action brings the text before back; a person can, from the journal with " +
				"`daybook restore`."
		}
		return agent.Say(done, filled(in.Path, body)), nil
	})
}

// body returns the text to write into a file that holds old.
func (in *writing) body(w *workspace.Workspace, old, content string) (string, error) {
	switch {
	case in.From == "" && in.Text == nil:
		return "", errors.New("give text, or from for the file to copy it from")
	case in.From == "":
		return given(content, "write_file", *in.Text)
	case in.Text != nil && *in.Text != "":
		return "", errors.New("give text, or from, and not both")
	}
	body, err := in.source.text(w, in.Path, in.Mode != "" && in.Mode != "overwrite")
	in.Anchor = passage.HeadingNamed(old, in.Anchor)
	if err != nil || in.Mode != "append" || strings.TrimSpace(old) == "" {
		return body, err
	}
	return "\n" + strings.TrimLeft(body, "\n"), nil // a separate block
}

// write puts a text in its place; the workspace adapts its line ends to the file's.
func (at place) write(w *workspace.Workspace, file, body string) (did, kept string, err error) {
	mode := at.Mode
	if mode == "" && (at.Line != 0 || at.Anchor != "") {
		mode = "insert" // rather than lose the whole file
	}
	switch {
	case mode == "" || mode == "overwrite":
		kept, err = w.Overwrite(file, body)
		return "Wrote", kept, err
	case mode == "append":
		return "Appended", "", w.Append(file, body)
	case mode == "insert" && at.Anchor == "":
		return "Inserted", "", w.Insert(file, at.Line, body)
	case mode == "insert" && at.Line != 0:
		err = errors.New("give a line or an anchor, and not both: a text is inserted at one place")
	case mode == "insert" || mode == "before":
		err = edit(w, file, func(old string) (string, error) {
			return passage.Insert(file, old, at.Anchor, body, mode == "before")
		})
	case mode == "inline":
		err = edit(w, file,
			func(old string) (string, error) { return passage.Replace(old, at.Anchor, at.Anchor+body) })
	default:
		err = fmt.Errorf("write_file has no mode %q; the modes are overwrite, append, insert, before and "+
			"inline", at.Mode)
	}
	return "Inserted", "", err
}

// before returns a file's text, and whether it is new; "" and false for one written by a cut-off call.
func before(w *workspace.Workspace, file string) (text string, isNew bool) {
	if w.InFlight(path.Clean(file)) {
		return "", false
	}
	text, err := w.Peek(file)
	return text, err != nil // the write reports any other error
}

// leastLost is the least loss of words, besides more than half of them, that suggests a mistake.
const leastLost = 50

// mostGone reports whether so much was lost: perhaps only a line was to be changed.
func mostGone(old, body string) bool {
	had, has := prose.Count(old), prose.Count(body)
	return had-has >= leastLost && 2*has < had
}

// wrote describes how much was written in place of how much, and whether the file is new.
func wrote(did, file, old, body string, isNew bool) string {
	size, instead, where := fmt.Sprintf("%d bytes (%d words)", len(body), prose.Length(body)), "", ""
	if isNew {
		where = noChapter(file)
	}
	if isNew && did == "Appended" {
		return fmt.Sprintf("Created %s, which was not there, with %s.%s", file, size, where)
	}
	// repeated writes must give the same result, which is how circling agents are detected
	if did == "Wrote" && old != "" && old != body {
		instead = fmt.Sprintf(" in place of %d (%d words)", len(old), prose.Length(old))
	}
	return fmt.Sprintf("%s %s%s: %s.%s", did, size, instead, file, where)
}

func createFile(w *workspace.Workspace, content string) agent.Action {
	type input struct {
		Path string `json:"path"`
		Text string `json:"text,omitempty"`
		marked
	}
	return action("create_file", func(_ context.Context, in input) (agent.Outcome, error) {
		body, err := given(content, "create_file", in.Text)
		if err != nil {
			return agent.Outcome{}, err
		}
		file := spelled(w, in.Path)
		if err := w.Create(file, body); err != nil {
			return agent.Outcome{}, err
		}
		return agent.Say(fmt.Sprintf("Created %s with %d bytes.", file, len(body))+noChapter(file)+
			misspelt(in.Path, file), filled(file, body)), nil
	})
}

const (
	maxLost  = 3  // dropped lines that are shown
	lostLine = 80 // characters shown of each
)

// dropped returns a sentence on the person's lines missing from a file; "" if none is.
func dropped(w *workspace.Workspace, path string, theirs []string) string {
	if len(theirs) == 0 {
		return ""
	}
	now, err := w.Peek(path)
	if err != nil {
		return "" // a person removed it
	}
	return drops(markdown.Lost(theirs, now))
}

func drops(lost []string) string {
	if len(lost) == 0 {
		return ""
	}
	var shown []string
	for _, line := range lost[:min(len(lost), maxLost)] {
		shown = append(shown, "“"+prose.Shorten(prose.OneLine(line), lostLine)+"”")
	}
	more := ""
	if n := len(lost) - maxLost; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return " This drops lines of the person's: " + strings.Join(shown, ", ") + more +
		". Put them back unless they asked for that."
}

func replaceInFile(w *workspace.Workspace, content string) agent.Action {
	type input struct {
		Path string `json:"path"`
		Old  string `json:"old"`
		Text string `json:"text"`
		marked
	}
	return action("replace_in_file", func(_ context.Context, in input) (agent.Outcome, error) {
		body, err := given(content, "replace_in_file", in.Text)
		if err != nil {
			return agent.Outcome{}, err
		}
		file := spelled(w, in.Path)
		theirs := w.ByHand(file)
		if err := edit(w, file, func(old string) (string, error) {
			if in.Old, err = passage.Stretch(old, in.Old); err != nil {
				return "", err
			}
			return passage.Replace(old, in.Old, body)
		}); err != nil {
			return agent.Outcome{}, err
		}
		return agent.Say(fmt.Sprintf("Replaced %d bytes by %d (%d words): %s.", len(in.Old), len(body),
			prose.Length(body), file)+misspelt(in.Path, file)+dropped(w, file, theirs),
			filled(file, body)), nil
	})
}

// edit changes a file on the basis of its current text, even if a person wrote it.
func edit(w *workspace.Workspace, path string, change func(old string) (string, error)) error {
	return w.Amend(path, func(old string) (string, error) {
		made, err := change(old)
		if err != nil {
			return "", fmt.Errorf("%s was not changed: %w", path, err)
		}
		return made, nil
	})
}

func move(w *workspace.Workspace) agent.Action {
	type input struct {
		Path string `json:"path"`
		To   string `json:"to"`
		marked
	}
	return action("move", func(_ context.Context, in input) (agent.Outcome, error) {
		from, to := spelled(w, in.Path), spelled(w, in.To)
		if err := w.Move(from, to); err != nil {
			return agent.Outcome{}, err
		}
		return agent.Say(fmt.Sprintf("Moved %s to %s.", from, to)+noChapter(to)+misspelt(in.To, to),
			agent.Fact{Kind: agent.Deleted, Path: from}, agent.Fact{Kind: agent.Changed, Path: to}), nil
	})
}
