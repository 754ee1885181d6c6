package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	"github.com/daybook-agent/daybook/agent/intake"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/muesli/cancelreader"
	"mvdan.cc/sh/v3/shell"
)

// asker puts questions to the user at the terminal, which is read only while a question is shown.
type asker struct {
	term  terminal
	lang  prose.Language
	show  *screen
	alone bool        // without a model, so that only the user changes the plan
	turn  *sync.Mutex // held until a question is off the screen, even one that was answered elsewhere
}

// person returns whoever can be asked, or nil for nobody.
func (c *runCommand) person(t terminal, show *screen, alone bool) intake.Person {
	switch {
	case c.Attended:
		return attendee{}
	case !c.canAsk(t) && c.Plan:
		show.say(c.speaks().Say("nobody is here to be shown the plan (no terminal, --no-input or --json), so --plan is left out: run it at a terminal, or change the chapters in %s while it works",
			filepath.Join(c.Dir, workspace.OverallFile)))
		return nil
	case !c.canAsk(t):
		return nil
	}
	return asker{t, c.speaks(), show, alone, new(sync.Mutex)}
}

// errLeft means that the user was asked what to research and left, as they were told that they may.
var errLeft = errors.New("left")

// askWhat asks the user at the terminal for the question if neither they nor the folder gave one, and for the
// documents of a new research. Its error is errLeft if they give no question.
func (c *runCommand) askWhat(ctx context.Context, t terminal) error {
	switch {
	case !c.canAsk(t), c.Question != "" && c.Dir != "":
		return nil
	case c.Question != "":
		return c.askDocs(ctx, t)
	}
	if _, err := os.Stat(c.Dir); err == nil {
		if _, err := researcher.Open(c.Dir).Status(); !errors.Is(err, researcher.ErrNoQuestion) {
			return nil // it has one, or the run reports what is wrong with the folder
		}
	}
	say := c.speaks().Say
	if _, err := os.Lstat(c.Dir); c.Dir != "" && err != nil { // it may be spelled wrong
		t.note(clean(say("There is no folder %s yet. A question makes it, Enter leaves.", c.Dir)))
	}
	for {
		var err error
		if c.Question, err = reply(ctx, t, say("What do you want to know? (Enter leaves; daybook help shows what else it can do)")); err != nil {
			return err
		}
		if !strings.HasPrefix(c.Question, "daybook ") || strings.ContainsAny(c.Question, "?？") {
			break
		}
		fmt.Fprintln(t.stderr, say("That is a command and no question: leave with Enter, then type it."))
	}
	if c.Question == "" || isLeaving(c.Question) {
		return errLeft
	}
	if err := c.check(); err != nil {
		return err
	}
	return c.askDocs(ctx, t)
}

// askDocs asks which documents to read, unless the user has said so.
func (c *runCommand) askDocs(ctx context.Context, t terminal) error {
	if c.hasDocs() || c.placed {
		return nil
	}
	say := c.speaks().Say
	for {
		said, err := reply(ctx, t, say("Which folder or file of yours should it read?")+"\n"+
			say("(. is this one; Enter alone searches only the web; q leaves)"))
		docs, found := pathsIn(said)
		if err != nil || found {
			c.Settings.Docs = docs
			return err
		}
		if isLeaving(said) {
			return errLeft
		}
		t.note(clean(say("there are no documents at %s", said)))
	}
}

// pathsIn returns the paths that somebody typed or dropped into the terminal, and whether all exist.
func pathsIn(said string) (paths []string, found bool) {
	isMissing := func(path string) bool { _, err := os.Stat(path); return err != nil }
	words, err := shell.Fields(said, nil)
	for _, paths := range [][]string{{said}, words, {strings.Join(words, " ")}} {
		if err == nil && len(paths) > 0 && !slices.ContainsFunc(paths, isMissing) {
			return paths, true
		}
	}
	return nil, said == ""
}

// Answer implements intake.Person.
func (a asker) Answer(ctx context.Context, q intake.Question) (string, error) {
	a.turn.Lock()
	defer a.turn.Unlock()
	defer a.show.hold()()
	out := a.term.stderr
	fmt.Fprintf(out, "\n%s\n", wrap(clean(q.Text), widthOf(out), ""))
	for i, o := range q.Options {
		fmt.Fprintln(out, wrap(fmt.Sprintf("  %d) %s", i+1, clean(o)), widthOf(out), "     "))
	}
	hint := a.lang.Say("a number, your own words, or nothing to begin at once")
	if len(q.Options) == 0 {
		hint = a.lang.Say("your words, or nothing to begin at once")
	}
	answer, err := hear(ctx, a.term, a.lang.Say("(question %d of at most %d; %s)", q.N, intake.MaxQuestions, hint))
	if err != nil {
		fmt.Fprintln(out) // the prompt is still on the line if it was answered elsewhere
	}
	return answer, err
}

// Confirm implements intake.Person.
func (a asker) Confirm(ctx context.Context, p intake.Plan) (intake.Verdict, error) {
	a.turn.Lock()
	defer a.turn.Unlock()
	defer a.show.hold()()
	out := a.term.stderr
	a.print(p)
	draft, ways := p.Markdown(), a.lang.Say("Enter begins; e opens the plan in your editor; n begins nothing; or say what should be different.")
	if a.alone {
		ways = a.lang.Say("Enter begins; e opens the plan in your editor, as without a model nobody else changes it; n begins nothing.")
	}
	for {
		said, err := hear(ctx, a.term, ways)
		if err != nil {
			return intake.Verdict{}, err
		}
		switch answer := strings.ToLower(said); {
		case answer == "", isYes(answer):
			return intake.Verdict{Accept: true}, nil
		case slices.Contains(refusals, answer):
			return intake.Verdict{}, nil
		case slices.Contains([]string{"e", "edit", "编辑", "改"}, answer):
			edited, err := edit(ctx, draft)
			if errors.Is(err, errNotSaved) {
				fmt.Fprintln(out, a.lang.Say("The plan was not saved, so nothing is begun."))
				return intake.Verdict{}, nil
			}
			if err == nil {
				draft = edited // a plan that cannot be read is corrected, not started again
				var plan intake.Plan
				if plan, err = intake.ParsePlan(edited); err == nil {
					a.print(plan)
					return intake.Verdict{Edited: &plan}, nil
				}
			}
			if ctx.Err() != nil {
				return intake.Verdict{}, context.Cause(ctx)
			}
			fmt.Fprintf(out, "%s\n", a.lang.Tell(clean(err.Error())))
		case !a.alone:
			return intake.Verdict{Refused: said}, nil
		}
	}
}

// print shows a plan without the note on how to edit it, which is for the editor.
func (a asker) print(p intake.Plan) {
	_, plan, _ := strings.Cut(p.Markdown(), "-->")
	parts := slices.DeleteFunc(strings.Split(strings.TrimSpace(plan), "\n\n## "), func(part string) bool {
		_, under, _ := strings.Cut(part, "\n")
		return strings.TrimSpace(under) == ""
	})
	lines := strings.Split(strings.Join(parts, "\n\n## "), "\n")
	for i, line := range lines {
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		lines[i] = wrap(indent+clean(line), widthOf(a.term.stderr), indent+"  ")
	}
	fmt.Fprintf(a.term.stderr, "\n%s\n\n", strings.Join(lines, "\n"))
}

func isYes(said string) bool {
	return slices.Contains([]string{"y", "yes", "ok", "是", "好", "可以", "同意"}, strings.ToLower(said))
}

// refusals are the words with which the user says no.
var refusals = []string{"n", "no", "不", "否", "取消"}

// isLeaving reports whether the user leaves, or says no, in place of an answer.
func isLeaving(said string) bool {
	said = strings.ToLower(said)
	return slices.Contains(refusals, said) || slices.Contains([]string{"q", "quit", "exit", "退出"}, said)
}

// hear puts a question to the user at the terminal and returns the line that they type. Its error is [io.EOF]
// if they leave, and the cause of ctx if that has ended.
func hear(ctx context.Context, t terminal, question string) (string, error) {
	fmt.Fprint(t.stderr, wrapped(question, widthOf(t.stderr))+"\n> ")
	in, err := cancelreader.NewReader(os.Stdin)
	if err != nil {
		return "", fmt.Errorf("reading the answer: %w", err)
	}
	defer context.AfterFunc(ctx, func() { in.Cancel() })()
	before, err := term.MakeRaw(os.Stdin.Fd())
	if err != nil {
		return "", fmt.Errorf("reading the answer: %w", err)
	}
	line, err := typed(in, t.stderr)
	if errors.Is(err, io.EOF) && line != "" {
		err = nil
	}
	if err = cmp.Or(context.Cause(ctx), err); err == nil {
		err = in.Close()
	}
	return strings.TrimSpace(line), cmp.Or(err, term.Restore(os.Stdin.Fd(), before))
}

// reply returns the user's answer to a question, or "" if they leave.
func reply(ctx context.Context, t terminal, question string) (string, error) {
	said, err := hear(ctx, t, question)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return said, err
}

// errNotSaved means that the user left their editor without saving.
var errNotSaved = errors.New("the plan was not saved")

// edit opens a text in the user's editor and returns what they saved.
func edit(ctx context.Context, text string) (string, error) {
	file, err := os.CreateTemp("", "daybook-plan-*.md")
	if err != nil {
		return "", fmt.Errorf("making a file to edit: %w", err)
	}
	defer os.Remove(file.Name())
	_, err = file.WriteString(text)
	old := time.Now().Add(-time.Hour) // so that even an unchanged text saved at once is newer
	err = errors.Join(err, file.Close(), os.Chtimes(file.Name(), old, old))
	before, failed := os.Stat(file.Name())
	if err = errors.Join(err, failed); err != nil {
		return "", fmt.Errorf("making a file to edit: %w", err)
	}
	editor := cmp.Or(strings.TrimSpace(os.Getenv("VISUAL")), strings.TrimSpace(os.Getenv("EDITOR")), "vi")
	words := append(strings.Fields(editor), file.Name())
	run := exec.CommandContext(ctx, words[0], words[1:]...)
	run.Stdin, run.Stdout, run.Stderr = os.Stdin, os.Stderr, os.Stderr
	if err := run.Run(); err != nil {
		return "", fmt.Errorf("opening the plan in %s: %w; set EDITOR to another editor", words[0], err)
	}
	after, err := os.Stat(file.Name())
	if err == nil && os.SameFile(before, after) && after.ModTime().Equal(before.ModTime()) {
		return "", errNotSaved
	}
	edited, err := os.ReadFile(file.Name())
	if err != nil {
		return "", fmt.Errorf("reading the edited plan: %w", err)
	}
	return string(edited), nil
}

// The keys other than letters, as a terminal sends them.
const (
	ctrlC     = 3
	ctrlD     = 4
	ctrlH     = 8
	ctrlU     = 21
	escapeKey = 27
	backspace = 127
)

// typed reads a line key by key and echoes it. A terminal's own editor counts each letter as one column, and
// leaves half of an erased Chinese one on the screen.
func typed(in io.Reader, out io.Writer) (string, error) {
	var line []rune
	erase := func(letters int) {
		for ; letters > 0 && len(line) > 0; letters-- {
			last := len(line) - 1
			fmt.Fprint(out, strings.Repeat("\b \b", ansi.StringWidth(string(line[last]))))
			line = line[:last]
		}
	}
	var part []byte // of an unfinished letter or key
	for key := make([]byte, 1); ; {
		if _, err := io.ReadFull(in, key); err != nil {
			return string(line), err
		}
		part = append(part, key[0])
		switch c := key[0]; {
		case part[0] == escapeKey && !isWhole(part), c >= ' ' && !utf8.FullRune(part):
			continue
		case part[0] == escapeKey: // an arrow or the like
		case c == '\r', c == '\n', c == ctrlD && len(line) > 0:
			fmt.Fprint(out, "\r\n")
			return string(line), nil
		case c == ctrlD:
			return "", io.EOF
		case c == ctrlC:
			fmt.Fprint(out, "\r\n")
			return "", errInterrupted
		case c == ctrlH, c == backspace:
			erase(1)
		case c == ctrlU:
			erase(len(line))
		default:
			if r, _ := utf8.DecodeRune(part); unicode.IsPrint(r) {
				line = append(line, r)
				fmt.Fprint(out, string(r))
			}
		}
		part = part[:0]
	}
}

// isWhole reports whether a key that begins with an escape is complete: it ends in a letter or ~.
func isWhole(key []byte) bool {
	last := key[len(key)-1]
	begins := len(key) == 2 && (last == '[' || last == 'O')
	return len(key) > 1 && last >= '@' && last <= '~' && !begins
}
