package main

import (
	"cmp"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/researcher"
)

// screen shows what happens in a run: as JSON on stdout if that is asked for, otherwise as lines on stderr.
// On a terminal that somebody looks at, it keeps a few lines at the end that show the state of the run;
// milestones scroll away above them. It changes no mode of the terminal, so that however the process ends,
// the shell finds it as it was. Its methods may be called from several goroutines.
type screen struct {
	term     terminal
	narrator narrator
	json     bool
	colour   bool
	live     bool // lines can be redrawn, and somebody sees it

	mu       sync.Mutex
	said     string // the last line of the story, to leave out repeated ones
	err      error  // from the first line of JSON that could not be written
	progress progress
	drawn    []string      // the lines of the block on the screen
	began    bool          // something happened
	shows    bool          // the block is on the screen
	held     bool          // while the user is asked
	spoke    time.Time     // when the last line was shown
	silence  time.Duration // after it, until the next sign of life
	closed   bool          // nothing is drawn any more
	over     chan struct{}
}

const (
	frame    = 250 * time.Millisecond // between two paintings when nothing happens: the clock shows seconds
	patience = 2 * time.Second        // of somebody who sees only lines
)

var (
	bold  = ansi.NewStyle().Bold()
	faint = ansi.NewStyle().Faint()
	green = ansi.NewStyle().ForegroundColor(ansi.Green)
)

func newScreen(t terminal, c *runCommand, s settings) *screen {
	lang, live := c.speaks(), !c.JSON && isLive(t.stderr)
	return &screen{
		term: t, json: c.JSON, colour: os.Getenv("NO_COLOR") == "", live: live, over: make(chan struct{}),
		narrator: narrator{lang: lang, verbose: c.Verbose, live: live && !c.Verbose, dir: c.Dir},
		progress: progress{lang: lang, question: clean(c.Question),
			maxSteps: value(s.MaxSteps, researcher.DefaultSteps), maxCost: value(s.MaxCost, 0),
			maxTime: time.Duration(value(s.MaxMinutes, 0)) * time.Minute},
	}
}

// isLive reports whether lines on a file can be redrawn and somebody sees it.
func isLive(f *os.File) bool {
	ci := os.Getenv("CI")
	if on, err := strconv.ParseBool(ci); err == nil && !on {
		ci = ""
	}
	return isTerminal(f) && os.Getenv("TERM") != "dumb" && ci == ""
}

func isTerminal(f *os.File) bool { return term.IsTerminal(f.Fd()) }

func isColoured(f *os.File) bool {
	return isTerminal(f) && os.Getenv("TERM") != "dumb" && os.Getenv("NO_COLOR") == ""
}

// widthOf returns the width of a terminal, or 0 for other files.
func widthOf(f *os.File) int {
	width, _, _ := term.GetSize(f.Fd())
	return width
}

// observe handles an event.
func (d *screen) observe(e agent.Event) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return
	}
	d.progress.take(e, &d.narrator)
	if !d.began && !d.json {
		d.began, d.shows, d.spoke, d.silence = true, d.live, time.Now(), patience
		go d.keepGoing()
	}
	switch l := d.narrator.tell(e); {
	case d.json:
		d.write(eventName(e), e)
	case d.live && !d.narrator.alone:
		d.show(d.fit(e, l))
	case l.text != "" && l.text != d.said: // the parts of one page are shown once
		if len(d.narrator.pages) > 0 {
			d.show(d.fit(e, d.narrator.together()))
		}
		d.said, l.text = l.text, d.fit(e, l)
		d.show(l.text)
	}
}

// wasIndexing reports whether the last that happened is that documents were read.
func (d *screen) wasIndexing() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.progress.indexing
}

// fit returns a line of the story as the screen shows it: cut on a live one, unless its end matters.
func (d *screen) fit(e agent.Event, l line) string {
	acted, ok := e.(agent.Acted)
	isWhole := ok && acted.Call.Name == "all_finished"
	switch e.(type) {
	case account.Archived, account.Kept, account.Refreshed, agent.Waiting, agent.Noticed:
		isWhole = true
	}
	columns, _ := d.size()
	switch {
	case !d.live:
		return wrapped(l.text, 0)
	case !l.milestone && !d.narrator.verbose && !d.narrator.alone:
		return ""
	case isWhole:
		return wrapped(l.text, columns)
	}
	return cutName(l.text, columns-1)
}

// keepGoing keeps the clock of a live screen going. Elsewhere, it breaks a long silence.
func (d *screen) keepGoing() {
	if d.live {
		d.look()
	}
	tick := time.NewTicker(frame)
	defer tick.Stop()
	for {
		var plan planned
		if d.live { // only a live screen shows it
			plan = planIn(d.narrator.dir)
		}
		select {
		case <-d.over:
			return
		case now := <-tick.C:
			d.mu.Lock()
			if d.live {
				d.progress.plan = plan
				d.show("")
			} else {
				d.breakSilence(now)
			}
			d.mu.Unlock()
		}
	}
}

// breakSilence shows what takes so long, at ever longer intervals: the reading of documents, and whatever the
// built-in brain does. A model is known to take its time. d.mu is held.
func (d *screen) breakSilence(now time.Time) {
	if d.closed || d.held || now.Sub(d.spoke) < d.silence || !d.narrator.alone && !d.progress.indexing {
		return
	}
	next := 2 * d.silence
	d.show(d.progress.action)
	d.spoke, d.silence = now, next
}

// show writes a line, above the block on a live screen. d.mu is held.
func (d *screen) show(text string) {
	if d.shows && !d.held {
		d.paint(text)
	} else if text != "" {
		fmt.Fprintln(d.term.stderr, text)
		d.spoke, d.silence = time.Now(), patience
	}
}

// say shows a message of the program in full: unlike in a line of the story, its end may matter.
func (d *screen) say(text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	columns := 0
	if d.live {
		columns, _ = d.size()
	}
	d.show(wrapped(text, columns))
}

// stopping shows a line while the run ends as soon as it can.
func (d *screen) stopping(text string) {
	d.mu.Lock()
	d.progress.stopping = true
	d.mu.Unlock()
	d.say(text)
}

// look gets from the workspace the question, if the command line gave none, and the state of its rounds.
// Until a run has begun another question, the folder still holds the previous one.
func (d *screen) look() {
	there := planIn(d.narrator.dir).sources
	status, err := researcher.Open(d.narrator.dir).Status()
	if err != nil {
		return // the run itself reports what is wrong
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	question := clean(status.Question)
	d.progress.older = there
	d.progress.question = cmp.Or(d.progress.question, question)
	if d.progress.question == question {
		d.progress.judged(status)
		d.progress.before, d.progress.older = status.Ran, there-status.Sources
	}
}

// paint draws the block below a line that stays, in one write so that nothing flickers. d.mu is held.
func (d *screen) paint(above string) {
	columns, rows := d.size()
	out := d.toTop(columns)
	if above != "" {
		out += ansi.EraseScreenBelow + above + "\n"
	}
	const margin = 4 // free for what the terminal echoes of the keyboard
	d.drawn = d.progress.block(columns-margin, rows, time.Now())
	var lines []string
	for i, l := range d.drawn {
		lines = append(lines, d.styled(i, l)+ansi.EraseLineRight)
	}
	fmt.Fprint(d.term.stderr, out+strings.Join(lines, "\n")+ansi.EraseScreenBelow)
}

func (d *screen) styled(row int, l string) string {
	switch text := strings.TrimSpace(l); {
	case !d.colour || strings.HasPrefix(text, "▸"):
		return l
	case row == 0:
		return bold.Styled(l)
	case strings.HasPrefix(text, "✓"):
		return green.Styled(l)
	}
	return faint.Styled(l)
}

// toTop returns to the block's first column, counting the rows that its lines take in the present window.
func (d *screen) toTop(columns int) string {
	rows := 0
	for _, l := range d.drawn {
		rows += max(1, (ansi.StringWidth(l)+columns-1)/columns)
	}
	if rows < 2 {
		return "\r"
	}
	return "\r" + ansi.CursorUp(rows-1)
}

// erase removes the block from the screen. d.mu is held.
func (d *screen) erase() {
	if d.shows {
		columns, _ := d.size()
		fmt.Fprint(d.term.stderr, d.toTop(columns)+ansi.EraseScreenBelow)
		d.drawn = nil
	}
}

func (d *screen) size() (columns, rows int) {
	columns, rows, err := term.GetSize(d.term.stderr.Fd())
	if err != nil || columns < 1 {
		return 80, 24
	}
	return columns, rows
}

// hold clears the way for a question to the user, until the function that it returns is called.
func (d *screen) hold() (goOn func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.erase()
	d.held = true
	return func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.held = false
	}
}

// close removes what is not to stay. Lines may still be shown.
func (d *screen) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.closed {
		close(d.over)
		d.erase()
		d.shows = false
		if !d.json && len(d.narrator.pages) > 0 { // nothing came after they were read
			d.show(d.fit(nil, d.narrator.together()))
		}
		d.closed = true
	}
}
