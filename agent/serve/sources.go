package serve

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/block"
)

// sources calls a function with each source of a research and the blocks of its text.
func (h Home) sources(name string, use func(workspace.Source, []block.Block)) error {
	_, dir, err := h.status(name)
	if err != nil {
		return err
	}
	w, err := workspace.Open(dir)
	if err != nil {
		return err
	}
	if err := w.LoadSources(); err != nil {
		return errors.Join(err, w.Close())
	}
	for _, s := range w.Sources() {
		if text, _, err := w.SourceText(s.ID); err == nil {
			use(s, block.Split(text))
		}
	}
	return w.Close()
}

const mostFound = 12

// search ranks the passages of all sources by how many of the words they hold.
func (h Home) search(name, query string) (string, error) {
	wanted := map[string]bool{}
	for _, word := range prose.Words(query) {
		wanted[prose.Stem(word)] = true
	}
	type found struct {
		hits int
		text string
	}
	var all []found
	err := h.sources(name, func(s workspace.Source, blocks []block.Block) {
		for _, b := range blocks {
			has := map[string]bool{}
			for _, word := range prose.Words(b.Text) {
				if stem := prose.Stem(word); wanted[stem] {
					has[stem] = true
				}
			}
			if len(has) > 0 {
				all = append(all, found{len(has), fmt.Sprintf("[%s.%d] %s\n(%s)", s.ID,
					b.N, prose.Shorten(b.Text, 600), prose.OneLine(s.Title))})
			}
		}
	})
	if err != nil {
		return "", err
	}
	slices.SortStableFunc(all, func(a, b found) int { return b.hits - a.hits })
	if len(all) == 0 {
		return "No source has these words.", nil
	}
	var texts []string
	for _, f := range all[:min(len(all), mostFound)] {
		texts = append(texts, f.text)
	}
	return agent.Outside("passages", strings.Join(texts, "\n\n"), "research", name), nil
}

var citation = regexp.MustCompile(`^\[?(s\d+)(?:\.(\d{1,6}))?\]?$`)

// passage is what a citation names.
func (h Home) passage(name, cited string) (string, error) {
	m := citation.FindStringSubmatch(strings.TrimSpace(cited))
	if m == nil {
		return "", fmt.Errorf("%q is no citation; one is s3.12", cited)
	}
	n, _ := strconv.Atoi(m[2]) // 0 for the whole source
	shown := ""
	err := h.sources(name, func(s workspace.Source, blocks []block.Block) {
		if s.ID != m[1] {
			return
		}
		var texts []string
		for _, b := range blocks {
			if n == 0 || b.N == n {
				texts = append(texts, fmt.Sprintf("[%s.%d] %s", s.ID, b.N, b.Text))
			}
		}
		if len(texts) > 0 {
			shown = agent.Outside("page", strings.Join(texts, "\n\n"), "title", s.Title, "url", s.URL,
				"file", s.File)
		}
	})
	if err == nil && shown == "" {
		err = fmt.Errorf("the research %s has no passage %s", name, cited)
	}
	return shown, err
}
