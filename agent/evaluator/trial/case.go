// Package trial judges the judge. It has honest reports, each with five copies with one planted fault, and
// measures how well and how consistently an evaluator tells them apart.
//
// [Trial.Run] is the function you want:
//
//	cases, err := trial.Cases()
//	...
//	outcome, err := trial.Trial{Judge: evaluator.Evaluator{Brain: brain}, Cases: cases, Repeats: 3}.Run(ctx)
//	fmt.Println(outcome.Verdict())
//
// # How to add a case or a fault
//
// A case is a folder in reports/: question.md (a line "Today: 2026-03-02", an empty line, the question),
// sources.txt (one line per source: id · host · date · title), report.md, and chapters/ with the notes that
// the report was made from. faults/ has an edit for each fault, such as faults/padding.edit, in the format
// described in edit.go. Write the report so that you would give it an 8, and the edit so that a careful
// reader finds the fault and a careless one does not: the chapters keep the truth if the fault is only in the
// report. All persons, places, sources and figures are made up, and hosts end in .example. The tests check
// that every edit applies, that each citation has its source, and that all quotes but the invented one are in
// a chapter.
//
// It does not judge whether a score is right: no report has a true score. What is known is that the copy with
// the fault is worse than the honest report.
package trial

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/agent/evaluator"
)

//go:embed reports
var reports embed.FS

// Case is an honest report and its faulty copies.
type Case struct {
	Name    string
	Honest  evaluator.Material
	Planted []Planted
}

// Planted is a copy with a fault, or an honest report.
type Planted struct {
	Case  string // its name
	Fault Fault
	// What describes the change to the report, for a person.
	What string
	// Words are in lower case; a judge that saw this very fault is likely to use one of them.
	Words    []string
	Material evaluator.Material
}

// Cases returns the cases of this package, by name.
func Cases() ([]Case, error) {
	folder, err := fs.Sub(reports, "reports")
	if err != nil {
		return nil, fmt.Errorf("opening the reports: %w", err)
	}
	return Load(folder)
}

// Load loads cases from folders in the layout described in the package comment.
func Load(from fs.FS) ([]Case, error) {
	folders, err := fs.ReadDir(from, ".")
	if err != nil {
		return nil, fmt.Errorf("listing the cases: %w", err)
	}
	var cases []Case
	for _, f := range folders {
		c, err := loadCase(from, f.Name())
		if err != nil {
			return nil, fmt.Errorf("loading the case %s: %w", f.Name(), err)
		}
		cases = append(cases, c)
	}
	return cases, nil
}

func loadCase(from fs.FS, name string) (Case, error) {
	honest := files{}
	for _, pattern := range []string{"question.md", "sources.txt", "report.md", "chapters/*.md"} {
		found, err := fs.Glob(from, path.Join(name, pattern))
		if err != nil {
			return Case{}, err
		}
		for _, file := range found {
			text, err := fs.ReadFile(from, file)
			if err != nil {
				return Case{}, err
			}
			honest[strings.TrimPrefix(file, name+"/")] = string(text)
		}
	}
	m, err := honest.material()
	if err != nil {
		return Case{}, err
	}
	c := Case{Name: name, Honest: m}
	for _, fault := range Faults() {
		file := path.Join(name, "faults", strings.ReplaceAll(string(fault), " ", "-")+".edit")
		text, err := fs.ReadFile(from, file)
		if err != nil {
			return Case{}, err
		}
		p, err := plant(honest, string(text))
		if err != nil {
			return Case{}, fmt.Errorf("planting the fault of %s: %w", file, err)
		}
		p.Case, p.Fault = name, fault
		c.Planted = append(c.Planted, p)
	}
	return c, nil
}

// files are the texts of a case by file name.
type files map[string]string

// material returns the material for a judge.
func (f files) material() (evaluator.Material, error) {
	head, question, _ := strings.Cut(f["question.md"], "\n\n")
	today, found := strings.CutPrefix(strings.TrimSpace(head), "Today: ")
	m := evaluator.Material{Question: strings.TrimSpace(question), Report: f["report.md"], Round: 1,
		Today: today}
	if _, err := time.Parse(time.DateOnly, today); !found || err != nil || m.Question == "" {
		return m,
			fmt.Errorf(`question.md must be a line "Today: 2026-03-02", an empty line `+
				`and the question, not %q`, f["question.md"])
	}
	if strings.TrimSpace(m.Report) == "" {
		return m, fmt.Errorf("report.md is missing or empty")
	}
	for line := range strings.SplitSeq(strings.TrimSpace(f["sources.txt"]), "\n") {
		fields := strings.SplitN(line, " · ", 4)
		if len(fields) != 4 {
			return m, fmt.Errorf("a line of sources.txt is id · host · date · title, not %q", line)
		}
		m.Sources = append(m.Sources, evaluator.Source{ID: fields[0], Host: fields[1], Published: fields[2],
			Title: fields[3]})
	}
	for name, text := range f {
		if chapter, ok := strings.CutPrefix(name, "chapters/"); ok {
			m.Chapters = append(m.Chapters, evaluator.Text{Name: "Notebook/" + chapter, Text: text})
		}
	}
	slices.SortFunc(m.Chapters, func(a, b evaluator.Text) int { return strings.Compare(a.Name, b.Name) })
	return m, nil
}
