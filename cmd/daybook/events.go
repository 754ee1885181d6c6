package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/actions/gate"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/rounds"
)

func eventName(e agent.Event) string {
	name := fmt.Sprintf("%T", e)
	return strings.ToLower(name[strings.LastIndex(name, ".")+1:])
}

// write writes an event to stdout as a line of JSON. d.mu is held.
func (d *screen) write(name string, fields any) {
	if err := writeEvent(d.term.stdout, 0, name, time.Now(), fields); d.err == nil {
		d.err = err
	}
}

// writeEvent writes an event's fields after its name, its time and, if it has one, its row in the journal.
func writeEvent(to io.Writer, row int, name string, at time.Time, fields any) error {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(struct {
		Event string    `json:"event"`
		Time  time.Time `json:"time"`
		Row   int       `json:"row,omitempty"`
	}{name, at.UTC(), row})
	if err = cmp.Or(err, enc.Encode(fields)); err != nil {
		return err
	}
	_, err = to.Write(bytes.Replace(out.Bytes(), []byte("}\n{"), []byte(","), 1)) // one object of both
	return err
}

// result writes the path of the report to stdout, or the JSON event "result". f tells why there is no report.
func (d *screen) result(r researcher.Result, f *fault) error {
	switch {
	case !d.json && r.Report == "":
		return nil
	case !d.json:
		_, err := fmt.Fprintln(d.term.stdout, r.Report)
		return err
	}
	last := struct {
		Reason   agent.Reason     `json:"reason"`
		Report   string           `json:"report"`
		Steps    int              `json:"steps"`
		Usage    agent.Usage      `json:"usage"`
		Score    float64          `json:"score,omitempty"`
		Nothing  bool             `json:"nothing_found,omitempty"`
		Unsound  []gate.Refusal   `json:"unsound,omitempty"`
		Unmended []rounds.Touched `json:"unmended,omitempty"`
		Notes    []string         `json:"notes,omitempty"` // those without an answer
		Error    string           `json:"error,omitempty"`
		Hint     string           `json:"hint,omitempty"`
	}{Reason: r.Reason, Report: r.Report, Steps: r.Steps, Usage: r.Usage, Score: r.Score, Nothing: r.Nothing,
		Unsound: r.Unsound, Unmended: r.Unmended, Notes: r.Notes}
	if f != nil {
		last.Error, last.Hint = f.Error(), wrap(f.hint, 0, "")
	}
	if f != nil && last.Reason == "" {
		last.Reason = "error"
		if f.code == exitInterrupted {
			last.Reason = "interrupted"
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.write("result", last)
	return d.err
}

// lineHandler writes log records as lines among the others: those above Info, and Info if verbose.
type lineHandler struct {
	say     func(string)
	lang    prose.Language
	verbose bool
}

var _ slog.Handler = lineHandler{}

func (h lineHandler) Enabled(_ context.Context, level slog.Level) bool {
	return level > slog.LevelInfo || h.verbose && level == slog.LevelInfo
}

func (h lineHandler) Handle(_ context.Context, r slog.Record) error {
	var line strings.Builder
	if r.Level >= slog.LevelWarn {
		line.WriteString(h.lang.Say("warning: "))
	}
	line.WriteString(h.lang.Tell(r.Message))
	for a := range r.Attrs {
		value := a.Value.String()
		if strings.Contains(value, " ") { // a single word is a name
			value = h.lang.Tell(value)
		}
		fmt.Fprintf(&line, " · %s%s%s", h.lang.Say(a.Key), h.lang.Say(": "), value)
	}
	h.say(clean(line.String()))
	return nil
}

// WithAttrs and WithGroup change nothing: no logger here uses them.
func (h lineHandler) WithAttrs([]slog.Attr) slog.Handler { return h }
func (h lineHandler) WithGroup(string) slog.Handler      { return h }
