package main

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent/prose"
)

// lineHandler writes log records as lines among the others: warnings, and more when asked for.
type lineHandler struct {
	say     func(string)
	lang    prose.Language
	verbose bool
	with    []slog.Attr
}

var _ slog.Handler = lineHandler{}

func (h lineHandler) Enabled(_ context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn || (h.verbose && level >= slog.LevelInfo)
}

func (h lineHandler) Handle(_ context.Context, r slog.Record) error {
	var line strings.Builder
	if r.Level >= slog.LevelWarn {
		line.WriteString(h.lang.Say("warning: "))
	}
	line.WriteString(h.lang.Tell(r.Message))
	add := func(a slog.Attr) bool {
		value := a.Value.String()
		if strings.Contains(value, " ") { // a single word is a name
			value = h.lang.Tell(value)
		}
		fmt.Fprintf(&line, " · %s%s%s", h.lang.Say(a.Key), h.lang.Say(": "), value)
		return true
	}
	for _, a := range h.with {
		add(a)
	}
	r.Attrs(add)
	h.say(clean(line.String()))
	return nil
}

func (h lineHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	h.with = slices.Concat(h.with, attrs)
	return h
}

// WithGroup leaves the names as they are: a line has no room for groups.
func (h lineHandler) WithGroup(string) slog.Handler { return h }
