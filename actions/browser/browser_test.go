package browser_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/actions/browser"
	"github.com/daybook-agent/daybook/actions/web"
	"github.com/daybook-agent/daybook/agent"
)

// program is the browser of this machine. Without one nothing here can be tried.
func program(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser takes long")
	}
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("there is no chromium on this machine")
	}
	return path
}

// shelf is a Desk that keeps what it is shown, and allows all.
type shelf struct {
	kept []string
	last string
}

func (s *shelf) Address(_ context.Context, named string) (string, error) { return named, nil }
func (s *shelf) Kept(*agent.Turn, string) (string, error)                { return "", nil }
func (s *shelf) MayType(text string) error {
	if strings.Contains(text, "forbidden") {
		return errors.New("this may not leave")
	}
	return nil
}
func (s *shelf) Find(string, int) []string { return nil }
func (s *shelf) Show(_ *agent.Turn, v *browser.View, _ int) (string, error) {
	s.kept = append(s.kept, v.Page.Markdown)
	return "Kept " + v.Address + " " + v.Page.Partial, nil
}

// scripted is a model that takes steps as they were written for it. It names controls by what stands on them.
type scripted struct {
	steps []string
	next  int
	heard []string
	known int // messages
	wait  int // how often it reads again at the end
	// whether it has seen what it wants
	enough func() bool
}

var listed = regexp.MustCompile(`\((\d+)\) \w+ "([^"]*)"`)

func (s *scripted) Think(_ context.Context, c *agent.Conversation) (agent.Reply, error) {
	numbers := map[string]string{}
	for _, m := range c.Messages {
		for _, found := range listed.FindAllStringSubmatch(m.Text, -1) {
			numbers[found[2]] = found[1]
		}
	}
	for _, m := range c.Messages[s.known:] {
		s.heard = append(s.heard, m.Text)
	}
	s.known = len(c.Messages)
	if s.next == len(s.steps) && s.wait > 0 && !s.enough() { // on a slow machine things take longer
		s.wait--
		return call("read", map[string]any{})
	}
	if s.next == len(s.steps) {
		return call("answer", map[string]any{"text": "done"})
	}
	verb, rest, _ := strings.Cut(s.steps[s.next], " ")
	s.next++
	name, value, _ := strings.Cut(rest, "=")
	number := json.Number("999")
	if n, ok := numbers[name]; ok {
		number = json.Number(n)
	}
	switch verb {
	case "open":
		return call("open", map[string]any{"url": rest})
	case "click":
		return call("click", map[string]any{"control": number})
	case "type", "enter":
		return call("type", map[string]any{"control": number, "text": value, "enter": verb == "enter"})
	case "choose":
		return call("choose", map[string]any{"control": number, "option": value})
	}
	return call(verb, map[string]any{})
}

func call(name string, args any) (agent.Reply, error) {
	encoded, err := json.Marshal(args)
	return agent.Reply{Calls: []agent.Call{{Name: name, Args: string(encoded)}}}, err
}

// carryOut has a scripted agent use a browser, and gives what was kept and what the agent was told.
func carryOut(t *testing.T, b *browser.Browser, holds []string, steps ...string) (kept, told string) {
	t.Helper()
	s := &shelf{}
	m := &scripted{steps: steps, wait: 10, enough: func() bool {
		kept := strings.Join(s.kept, "\n")
		return !slices.ContainsFunc(holds, func(text string) bool { return !strings.Contains(kept, text) })
	}}
	result, err := browser.Agent("browser", m, b, s, "Read the page.").Run(t.Context())
	assert.NoError(t, err)
	assert.Equal(t, agent.Finished, result.Reason)
	return strings.Join(s.kept, "\n"), strings.Join(m.heard, "\n")
}

// Pages that show nothing to a plain request are read, or it is said why not. What stands in no text that a
// person sees is not kept.
// A third of them is tried here, all with DAYBOOK_FULL=1; with DAYBOOK_BROWSER_AT in the browser at an
// address.
func TestPagesAreReadAsAPersonSeesThem(t *testing.T) {
	path := cmp.Or(os.Getenv("DAYBOOK_BROWSER_AT"), program(t))
	require.GreaterOrEqual(t, len(locals), 30)
	var here, there *httptest.Server
	handler := serve(func() string { return strings.Replace(there.URL, "127.0.0.1", "localhost", 1) })
	here, there = httptest.NewServer(handler), httptest.NewServer(handler)
	defer here.Close()
	defer there.Close()
	todo := make(chan int)
	var workers sync.WaitGroup
	for range 3 { // a page is mostly waited for
		workers.Go(func() {
			b := &browser.Browser{Path: path, Pages: &web.Fetcher{AllowPrivate: true}}
			defer b.Close()
			for i := range todo {
				t.Run(locals[i].name, func(t *testing.T) {
					locals[i].try(t, b, here.URL, fmt.Sprintf("%s/page/%d", here.URL, i))
				})
			}
		})
	}
	for i := range locals {
		if os.Getenv("DAYBOOK_FULL") != "" || i%3 == 0 {
			todo <- i
		}
	}
	close(todo)
	workers.Wait()
}

func (l local) try(t *testing.T, b *browser.Browser, site, address string) {
	if l.patience > 0 {
		b = &browser.Browser{Path: b.Path, Pages: &web.Fetcher{AllowPrivate: true, Timeout: l.patience}}
		defer b.Close()
	}
	steps := []string{"open " + address}
	for _, step := range l.steps {
		steps = append(steps, strings.Replace(step, "open /", "open "+site+"/", 1))
	}
	kept, told := carryOut(t, b, l.holds, steps...)
	for _, text := range l.holds {
		assert.Contains(t, kept, text, told)
	}
	for _, text := range l.lacks {
		assert.NotContains(t, kept, text)
	}
	for _, text := range l.says {
		assert.Contains(t, told, text)
	}
}
