package serve

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/prose"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/block"
)

const mostFound = 12

// passages calls a function with each passage of the sources of a research, and how it is cited.
func passages(dir string, use func(s workspace.Source, cited, text string)) error {
	w, err := workspace.Open(dir)
	if err != nil {
		return err
	}
	err = w.LoadSources()
	for _, s := range w.Sources() {
		if text, _, err := w.SourceText(s.ID); err == nil {
			for _, b := range block.Split(text) {
				use(s, fmt.Sprintf("%s.%d", s.ID, b.N), b.Text)
			}
		}
	}
	return errors.Join(err, w.Close())
}

// search ranks the passages of all sources by how many of the words they lack.
func search(_ context.Context, in input) (string, error) {
	wanted := prose.Keywords(in.Query)
	found := make([][]string, len(wanted)+1)
	err := passages(in.dir, func(s workspace.Source, cited, text string) {
		lacks, terms := 0, map[string]int{}
		for _, term := range prose.Terms(text) {
			terms[term]++
		}
		for _, word := range wanted {
			if !word.In(terms) {
				lacks++
			}
		}
		found[lacks] = append(found[lacks], fmt.Sprintf("[%s] %s\n(%s)", cited, prose.Shorten(text, 600),
			prose.OneLine(s.Title)))
	})
	all := slices.Concat(found[:len(wanted)]...)
	if len(all) == 0 {
		return "No source has these words.", err
	}
	return agent.Outside("passages", strings.Join(all[:min(len(all), mostFound)], "\n\n"),
		"research", in.Research), err
}

var citation = regexp.MustCompile(`^\[?(s\d+(?:\.\d{1,6})?)\]?$`)

// passage is what a citation names: a block of a source, or all of it.
func passage(_ context.Context, in input) (string, error) {
	m := citation.FindStringSubmatch(strings.TrimSpace(in.Citation))
	if m == nil {
		return "", fmt.Errorf("%q is no citation; one is s3.12", in.Citation)
	}
	var of workspace.Source
	var texts []string
	err := passages(in.dir, func(s workspace.Source, cited, text string) {
		if cited == m[1] || s.ID == m[1] {
			of, texts = s, append(texts, fmt.Sprintf("[%s] %s", cited, text))
		}
	})
	if err == nil && len(texts) == 0 {
		err = fmt.Errorf("the research %s has no passage %s", in.Research, in.Citation)
	}
	return agent.Outside("page", strings.Join(texts, "\n\n"), "title", of.Title, "url",
			of.URL, "file", of.File),
		err
}
