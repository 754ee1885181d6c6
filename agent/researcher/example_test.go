package researcher_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/daybook-agent/daybook/agent/account"
	"github.com/daybook-agent/daybook/agent/clip"
	"github.com/daybook-agent/daybook/agent/export"
	"github.com/daybook-agent/daybook/agent/researcher"
)

// A research of one's own notes with the built-in brain, which needs no key and no network.
func Example() {
	dir, remove := notes()
	defer remove()

	research := researcher.Open(filepath.Join(dir, "my-research"))
	result, err := research.Run(context.Background(), researcher.Config{
		Question: "Why does the tide follow the moon?",
		Docs:     []string{filepath.Join(dir, "tides.md")},
		Brain:    clip.Brain{},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Reason, filepath.Base(result.Report))
	// Output: finished report.md
}

// What the report claims is compared with the passages that it cites.
func ExampleResearch_Verify() {
	research, remove := finished()
	defer remove()

	found, err := research.Verify(context.Background(), "")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(found.Findings) > 0, len(found.Missing()), len(found.Nowhere()))
	// Output: true 0 0
}

// The report as a page to send to somebody.
func ExampleResearch_Export() {
	research, remove := finished()
	defer remove()

	page, _, err := research.Export(context.Background(), export.Product{Name: "report.html"})
	if err != nil {
		log.Fatal(err)
	}
	heading, _, _ := strings.Cut(string(page), "\n")
	fmt.Println(heading)
	// Output: <!DOCTYPE html>
}

// How a research stands, which may be asked while it is at work.
func ExampleResearch_Status() {
	research, remove := finished()
	defer remove()

	status, err := research.Status()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(status.Question, status.State, status.Sources)
	// Output: Why does the tide follow the moon? finished 1
}

// What a research did, in order: here the files that it changed.
func ExampleResearch_Log() {
	research, remove := finished()
	defer remove()

	err := research.Log(0, func(row account.Row) error {
		if did, ok := row.Event.(account.Changed); ok && did.New {
			fmt.Println(did.Path)
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// daybook.yaml
	// current_dashboard.md
	// overall_dashboard.md
	// Sources/s01-tides.md
	// Notebook/01-what-the-documents-say.md
	// report.md
}

// A file is put back as it stood when a step was done. What stood there since is kept.
func ExampleResearch_Restore() {
	research, remove := finished()
	defer remove()
	status, err := research.Status()
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(status.Report, []byte("spoiled\n"), 0o644); err != nil {
		log.Fatal(err)
	}

	restored, err := research.Restore(status.Step, "report.md")
	if err != nil {
		log.Fatal(err)
	}
	for _, file := range restored {
		fmt.Println(file.Path, file.New, file.Kept != "")
	}
	// Output: report.md false true
}

// A research is run again from its record, without a model, and comes to the same files.
func ExampleResearch_Replay() {
	research, remove := finished()
	defer remove()
	into, err := os.MkdirTemp("", "again")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(into)

	replayed, err := research.Replay(context.Background(), into)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(replayed.Same())
	// Output: true
}

// notes makes a folder with a note about tides.
func notes() (dir string, remove func()) {
	dir, err := os.MkdirTemp("", "daybook")
	if err != nil {
		log.Fatal(err)
	}
	note := "# Tides\n\n## What pulls the water\n" +
		"\nThe moon pulls the water of the sea, and the tide follows the moon twice a day.\n"
	if err := os.WriteFile(filepath.Join(dir, "tides.md"), []byte(note), 0o644); err != nil {
		log.Fatal(err)
	}
	return dir, func() { os.RemoveAll(dir) }
}

// finished is a research with a report.
func finished() (research researcher.Research, remove func()) {
	dir, remove := notes()
	research = researcher.Open(filepath.Join(dir, "my-research"))
	_, err := research.Run(context.Background(), researcher.Config{
		Question: "Why does the tide follow the moon?",
		Docs:     []string{filepath.Join(dir, "tides.md")},
		Brain:    clip.Brain{},
	})
	if err != nil {
		log.Fatal(err)
	}
	return research, remove
}
