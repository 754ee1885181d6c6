// Package mcp joins the tools of other programs to a research: MCP servers that it starts and speaks with
// over stdio, or reaches by streamable HTTP.
//
//	client, err := mcp.Open(ctx, "hn", server, mcp.Options{Workspace: dir})
//	if err != nil {
//		return err // the server could not be started, or speaks no MCP
//	}
//	defer client.Close()
//	for _, offer := range client.Offers() {
//		// show offer.Says to the person; offer.Tool is what a researcher is given
//	}
//
// A server is a stranger. It gets no variables of this program's but those that its entry names, and starts
// in an empty folder. What it describes is bounded before a person or a model sees it, and a tool that
// changes while a research is at work is not called any more. It has a limit of time, bytes and pages; one
// that hangs, dies or floods is ended with all that it started, and started again by the next call. Whatever
// it asks for, such as a model, an answer of the person's, or a list of folders, it is told that there is
// none.
package mcp

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Server is the entry of a server, as the settings of other programs have it, so that one can be pasted.
type Server struct {
	// stdio or http; told by the rest when it is ""
	Type    string            `yaml:"type" json:"type,omitempty"`
	Command string            `yaml:"command" json:"command,omitempty"`
	Args    []string          `yaml:"args" json:"args,omitempty"`
	Env     map[string]string `yaml:"env" json:"env,omitempty"`
	URL     string            `yaml:"url" json:"url,omitempty"`
	Headers map[string]string `yaml:"headers" json:"headers,omitempty"`

	Disabled bool     `yaml:"disabled" json:"disabled,omitempty"`
	Tools    []string `yaml:"tools" json:"tools,omitempty"`     // those that are joined; none for all
	Agent    string   `yaml:"agent" json:"agent,omitempty"`     // who may call them: researcher, or file
	Timeout  int      `yaml:"timeout" json:"timeout,omitempty"` // seconds that a call may take; 0 for 60

	// what other programs keep in the same entry, and nobody heeds here
	Description string   `yaml:"description" json:"-"`
	AutoApprove []string `yaml:"autoApprove" json:"-"`
	AlwaysAllow []string `yaml:"alwaysAllow" json:"-"`
}

const (
	researcher, file = "researcher", "file" // values of Server.Agent
	mostTimeout      = 3600                 // seconds
	callTime         = 60 * time.Second
)

// ServerName is what a server may be called: its name begins those of its tools.
var ServerName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]{0,23}$`)

// Check says what is wrong with an entry.
func (s Server) Check() error {
	types := []string{"", "stdio"}
	if s.URL != "" {
		types = []string{"", "http", "streamable-http", "streamableHttp"}
	}
	at, err := url.Parse(cmp.Or(s.URL, "http://stdio"))
	before, _, fills := strings.Cut(s.URL, "${")
	switch {
	case (s.Command == "") == (s.URL == ""):
		return errors.New("it has a command and a url, or neither, and needs one of them")
	case s.Type == "sse":
		return errors.New(
			"it speaks the old HTTP+SSE, which is not supported: give the address of its streamable HTTP")
	case !slices.Contains(types, s.Type):
		return fmt.Errorf("its type %q does not fit: stdio goes with a command, http with a url", s.Type)
	case s.Timeout < 0 || s.Timeout > mostTimeout:
		return fmt.Errorf("its timeout is %d and counts seconds, up to %d", s.Timeout, mostTimeout)
	case !slices.Contains([]string{"", researcher, file}, s.Agent):
		return fmt.Errorf("there is no agent %q: say researcher or file", s.Agent)
	case fills && !beyondHost.MatchString(before):
		return errors.New(
			"its url takes its scheme or its host out of a variable, so that nobody sees where " +
				"it leads: write them out")
	case err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Host == "":
		return errors.New(
			"its url is no address of a server: give one that begins with https:// or http://")
	}
	return nil
}

// beyondHost is the beginning of an address with its host at an end: what follows cannot lead elsewhere.
var beyondHost = regexp.MustCompile(`^[A-Za-z]+://[^/?#\\]+[/?#]`)

// variable is ${NAME}, ${NAME:-default} or ${env:NAME}, as the settings of other programs have it, in the
// text of a string of JSON; or what looks like one.
var variable = regexp.MustCompile(
	`\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-((?:[^}"\\]|\\.)*))?\}|\$\{(?:[^}"\\]|\\.)*\}`)

// text is an entry as JSON, in which whatever it says can be looked for at once.
func (s Server) text() string {
	text, _ := json.Marshal(s) // of texts and numbers alone
	return string(text)
}

// inJSON is a text as it is within the string of one.
func inJSON(text string) string {
	quoted, _ := json.Marshal(text)
	return string(quoted[1 : len(quoted)-1])
}

// Variables are the names of the variables that an entry asks for.
func (s Server) Variables() []string {
	var names []string
	for _, m := range variable.FindAllStringSubmatch(s.text(), -1) {
		if m[1] != "" {
			names = append(names, m[1])
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// filled is an entry with its variables filled in, and what is secret in it: what came out of a variable, and
// what the name of its header or variable calls so.
func (s Server) filled(lookup func(string) (string, bool)) (full Server, secrets []string, err error) {
	text := variable.ReplaceAllStringFunc(s.text(), func(found string) string {
		m := variable.FindStringSubmatch(found)
		value, set := lookup(m[1])
		switch {
		case m[1] == "userHome":
			value, _ = lookup("HOME")
		case m[1] == "":
			err = errors.Join(err, fmt.Errorf("%s is nothing that can be filled in: name a variable of the "+
				"environment, such as ${HN_TOKEN}", found))
		case set && value != "":
			secrets = append(secrets, value)
		case strings.Contains(found, ":-"):
			return m[2]
		default:
			err = errors.Join(err, fmt.Errorf("the variable %s is not set", m[1]))
		}
		return inJSON(value)
	})
	if err == nil {
		err = json.Unmarshal([]byte(text), &full)
	}
	for _, values := range []map[string]string{full.Env, full.Headers} {
		for name, value := range values {
			if secretName.MatchString(name) {
				secrets = append(secrets, strings.TrimPrefix(value, "Bearer "))
			}
		}
	}
	return full, secrets, err
}

var secretName = regexp.MustCompile(`(?i)key|token|secret|passw|auth|cookie|credential`)

// outOf returns an error when an entry with its variables filled in runs or reads what the research itself
// may write: a page could have it write a program there.
func (s Server) outOf(workspace string) error {
	if workspace == "" {
		return nil
	}
	place, err := filepath.Abs(workspace)
	if err != nil {
		return fmt.Errorf("finding the folder of the research: %w", err)
	}
	real, _ := filepath.EvalSymlinks(place) // "" when it is not there yet
	for _, at := range []string{place, cmp.Or(real, place)} {
		if regexp.MustCompile(regexp.QuoteMeta(inJSON(at)) + `["/\\]`).MatchString(s.text()) {
			return fmt.Errorf("it names %s, where the research itself writes: move what it needs to another "+
				"folder", place)
		}
	}
	return nil
}
