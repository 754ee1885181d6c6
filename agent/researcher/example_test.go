package researcher_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/daybook-agent/daybook/agent/clip"
	"github.com/daybook-agent/daybook/agent/researcher"
)

// A research of one's own notes with the built-in brain, which needs no key and no network.
func Example() {
	dir, err := os.MkdirTemp("", "daybook")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	note := "# Tides\n\n## What pulls the water\n" +
		"\nThe moon pulls the water of the sea, and the tide follows the moon twice a day.\n"
	if err := os.WriteFile(filepath.Join(dir, "tides.md"), []byte(note), 0o644); err != nil {
		log.Fatal(err)
	}

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
