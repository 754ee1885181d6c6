package workspace_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/daybook-agent/daybook/agent/workspace"
)

// What a person writes while an agent works is merged with what the agent writes.
func Example() {
	dir, err := os.MkdirTemp("", "workspace")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	w, err := workspace.Open(dir)
	if err != nil {
		log.Fatal(err)
	}
	defer w.Close()
	if err := w.Lock(); err != nil {
		log.Fatal(err)
	}
	if err := w.Create("Notebook/01-tides.md", "# Tides\n\nTwice a day.\n"); err != nil {
		log.Fatal(err)
	}

	file := filepath.Join(dir, "Notebook", "01-tides.md")
	if err := os.WriteFile(file, []byte("# Tides of the sea\n\nTwice a day.\n"), 0o644); err != nil {
		log.Fatal(err) // the person's editor
	}
	if err := w.Append("Notebook/01-tides.md", "The moon pulls the water.\n"); err != nil {
		log.Fatal(err)
	}
	text, err := w.Read("Notebook/01-tides.md")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(text)
	// Output:
	// # Tides of the sea
	//
	// Twice a day.
	// The moon pulls the water.
}

// A citation names a source, or a block of one.
func ExampleMarks() {
	for _, mark := range workspace.Marks("The moon does it [s5.12, s7], twice a day [s5].") {
		fmt.Println(mark.Refs)
	}
	// Output:
	// [s5.12 s7]
	// [s5]
}

// The plan of a research is a checklist in Markdown.
func ExampleChecklist() {
	for _, item := range workspace.Checklist("- [x] The moon\n- [ ] The sun\n") {
		fmt.Println(item.Text, item.Done)
	}
	// Output:
	// The moon true
	// The sun false
}
