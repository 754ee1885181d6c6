package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/actions/gate"
	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/daybook-agent/daybook/agent/rounds"
)

// jsonDisplay writes each event to stdout as a line of JSON, and last the event "result".
type jsonDisplay struct {
	plainDisplay
	err error // of the first line that could not be written
}

var _ display = (*jsonDisplay)(nil)

func newJSONDisplay(term terminal) *jsonDisplay {
	return &jsonDisplay{plainDisplay: plainDisplay{term: term}}
}

func (d *jsonDisplay) observe(e agent.Event) { d.write(eventName(e), e) }

func eventName(e agent.Event) string {
	name := fmt.Sprintf("%T", e)
	return strings.ToLower(name[strings.LastIndex(name, ".")+1:])
}

func (d *jsonDisplay) write(name string, fields any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := writeEvent(d.term.stdout, 0, name, time.Now(), fields); d.err == nil {
		d.err = err
	}
}

// writeEvent puts name and time in front of an event's own fields, and the journal's row when there is one.
func writeEvent(to io.Writer, row int, name string, at time.Time, fields any) error {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(struct {
		Event string    `json:"event"`
		Time  time.Time `json:"time"`
		Row   int       `json:"row,omitempty"`
	}{name, at.UTC(), row})
	if err != nil {
		return err
	}
	head := bytes.TrimSuffix(out.Bytes(), []byte("}\n"))
	out.Truncate(len(head))
	begins := out.Len()
	if err := enc.Encode(fields); err != nil {
		return err
	}
	out.Bytes()[begins] = ',' // in place of the brace that opens the fields
	_, err = to.Write(out.Bytes())
	return err
}

func (d *jsonDisplay) result(r researcher.Result, f *fault) error {
	last := struct {
		Reason   agent.Reason     `json:"reason"`
		Report   string           `json:"report"`
		Steps    int              `json:"steps"`
		Usage    agent.Usage      `json:"usage"`
		Score    float64          `json:"score,omitempty"`
		Nothing  bool             `json:"nothing_found,omitempty"`
		Unsound  []gate.Refusal   `json:"unsound,omitempty"`
		Unmended []rounds.Touched `json:"unmended,omitempty"`
		Notes    []string         `json:"notes,omitempty"` // without an answer
		Error    string           `json:"error,omitempty"`
		Hint     string           `json:"hint,omitempty"`
	}{Reason: r.Reason, Report: r.Report, Steps: r.Steps, Usage: r.Usage, Score: r.Score, Nothing: r.Nothing,
		Unsound: r.Unsound, Unmended: r.Unmended, Notes: r.Notes}
	if f != nil {
		last.Error, last.Hint = f.Error(), f.hint
	}
	if f != nil && last.Reason == "" {
		last.Reason = "error"
		if f.code == exitInterrupted {
			last.Reason = "interrupted"
		}
	}
	d.write("result", last)
	return d.err
}
