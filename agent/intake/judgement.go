package intake

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Bounds on what is kept of a judgement: it goes into a dashboard that is in every prompt.
const (
	maxValue       = 300 // characters of a value
	maxTerms       = 8
	maxFocus       = 6
	maxQueries     = 3 // of a focus or a chapter
	maxAssumptions = 8
	minOptions     = 2
	maxOptions     = 5
	maxChapters    = 5 // planned by a model, unless the report has more parts
)

// judgement is the model's view of a question. [nextStep] computes what follows.
type judgement struct {
	Full        string    `json:"full,omitempty" jsonschema:"only of a question that refers to earlier research: the question written out in full"`
	Topic       string    `json:"topic" jsonschema:"what is to be researched, by its name; empty when it is not clear"`
	TopicClear  bool      `json:"topic_clear"`
	Scope       string    `json:"scope" jsonschema:"what belongs to it and what does not"`
	ScopeClear  bool      `json:"scope_clear"`
	Goal        string    `json:"goal" jsonschema:"what the person wants to know"`
	GoalClear   bool      `json:"goal_clear"`
	Terms       []term    `json:"terms,omitempty" jsonschema:"the names and technical terms of the question"`
	Focus       []Focus   `json:"focus" jsonschema:"the 3-6 aspects to research"`
	Confidence  float64   `json:"confidence" jsonschema:"a number from 0 to 1"`
	Assumptions []string  `json:"assumptions,omitempty" jsonschema:"what you inferred, each a sentence that the person could disagree with"`
	Question    string    `json:"question,omitempty" jsonschema:"the one question to the person, when something is not clear"`
	Options     []string  `json:"options,omitempty" jsonschema:"2-5 short answers to it that are really different"`
	Missing     string    `json:"missing,omitempty" jsonschema:"what the question asks for, in a few words"`
	Impossible  string    `json:"impossible,omitempty" jsonschema:"why reading can not answer this, and what could be researched instead"`
	JustStart   bool      `json:"just_start,omitempty" jsonschema:"whether the person said to start without questions"`
	Chapters    []Chapter `json:"chapters,omitempty" jsonschema:"only when a plan is asked for"`
}

// term is a name or technical term of the question.
type term struct {
	Term    string `json:"term"`
	Known   bool   `json:"known" jsonschema:"whether you can say what it is"`
	Meaning string `json:"meaning,omitempty" jsonschema:"what it is, in a sentence, when known"`
}

// Focus is an aspect to research, and how to search for it.
type Focus struct {
	Name    string   `json:"name"`
	Queries []string `json:"queries" jsonschema:"1-3 searches of a few keywords each"`
}

// Chapter is a part of the blueprint: its question, and how to search for it.
type Chapter struct {
	Title    string   `json:"title"`
	Question string   `json:"question" jsonschema:"what the chapter answers"`
	Queries  []string `json:"queries" jsonschema:"1-3 searches of a few keywords each"`
}

// parseJudgement parses the result of the action judge, the last of several, and bounds it: one line per
// value, no empty items, a confidence from 0 to 1.
func parseJudgement(text string) (judgement, error) {
	var last judgement
	found := false
	for d := json.NewDecoder(strings.NewReader(text)); ; {
		d.DisallowUnknownFields()
		var j judgement
		if err := d.Decode(&j); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return judgement{}, fmt.Errorf("reading a judgement: %w", err)
		}
		last, found = j, true
	}
	if !found {
		return judgement{}, errors.New("reading a judgement: there is none")
	}
	last = last.tidy()
	return last, last.check()
}

// check returns, for the model, why a judgement is unreadable. A confidence of 7 may mean 0.7 or 7 %.
func (j judgement) check() error {
	var faults []error
	if !(j.Confidence >= 0 && j.Confidence <= 1) {
		faults = append(faults, fmt.Errorf("confidence is %v and must be a number from 0 to 1, such as 0.8",
			j.Confidence))
	}
	for _, part := range []struct {
		name, text string
		clear      bool
	}{{"topic", j.Topic, j.TopicClear}, {"scope", j.Scope, j.ScopeClear}, {"goal", j.Goal, j.GoalClear}} {
		if part.clear && part.text == "" {
			faults = append(faults, fmt.Errorf(
				"%[1]s_clear is true and %[1]s is empty: say what the %[1]s is, or that it is not clear",
				part.name))
		}
	}
	return errors.Join(faults...)
}

// askable returns, for the model, what is missing in a judgement that needs a question. Only for a missing
// topic can there be no options.
func (j judgement) askable() error {
	if n := len(j.Options); j.Question != "" &&
		(n >= minOptions && n <= maxOptions || n == 0 && !j.TopicClear) {
		return nil
	}
	return fmt.Errorf("by this judgement the person has to be asked, since %s: give question, with 2-5 "+
		"different options, and missing; or infer what they mean, state it in assumptions, and judge by that",
		strings.Join(lacking(j), ", "))
}

// tidy bounds a judgement.
func (j judgement) tidy() judgement {
	for _, value := range []*string{&j.Full, &j.Topic, &j.Scope, &j.Goal, &j.Question, &j.Missing,
		&j.Impossible} {
		*value = line(*value)
	}
	var terms []term
	for _, t := range j.Terms {
		if t = (term{line(t.Term), t.Known, line(t.Meaning)}); t.Term != "" && len(terms) < maxTerms {
			terms = append(terms, t)
		}
	}
	j.Terms = terms
	j.Focus = tidyFocus(j.Focus)
	j.Assumptions = lines(j.Assumptions, maxAssumptions)
	j.Options = lines(j.Options, maxOptions+1) // one too many is kept, so that the model is told
	j.Chapters = tidyChapters(j.Chapters)
	return j
}

func tidyFocus(list []Focus) []Focus {
	var kept []Focus
	for _, f := range list {
		if f = (Focus{line(f.Name), queries(f.Queries)}); f.Name != "" && len(kept) < maxFocus {
			kept = append(kept, f)
		}
	}
	return kept
}

func tidyChapters(list []Chapter) []Chapter {
	var kept []Chapter
	for _, c := range list {
		if c = (Chapter{line(c.Title), line(c.Question), queries(c.Queries)}); c.Title != "" &&
			len(kept) < maxPlanned {
			kept = append(kept, c)
		}
	}
	return kept
}

// queries returns searches without semicolons, which separate them in writing.
func queries(list []string) []string {
	var plain []string
	for _, q := range list {
		plain = append(plain, strings.NewReplacer(";", ",", "；", "，", "`", "'").Replace(q))
	}
	return lines(plain, maxQueries)
}
