//go:build linux && (amd64 || arm64)

package shell_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/fileagent/shell"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// desk is a workspace on the disk with a few files, as the commands see it.
func desk(t testing.TB) (dir string, folder shell.Folder) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range map[string]string{
		"report.md":              "# Report\n\nA tide is a wave [s1].\n",
		"Notebook/01-tides.md":   "# Tides\n\nThe moon pulls.\nThe sun pulls less.\nthe sea answers\n",
		"Notebook/02-潮汐.md":      "# 潮汐\n\n月亮 拉 海水\n",
		"Notebook/deep/notes.md": "one\ntwo\nthree\n",
		"Notebook/data.csv":      "name,height\nBrest,6.1\nFundy,16.3\nKiel,0.1\nFundy,15\n",
		"Notebook/empty.md":      "",
		"Sources/s01-moon.md":    "The moon is far.\n",
		".daybook/journal.jsonl": "hidden-canary\n",
		".env":                   "hidden-canary\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	w, err := workspace.Open(dir)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, w.Close()) })
	return dir, shell.Folder{List: w.List, Open: func(name string) (fs.File, error) { return w.Open(name) }}
}

// Each line prints what the commands of the machine print for it, GNU's here.
func TestWhatCommandsPrint(t *testing.T) {
	_, folder := desk(t)
	for _, c := range []struct {
		line, want string
		status     int
	}{
		{line: "cat report.md", want: "# Report\n\nA tide is a wave [s1].\n"},
		{line: "cat -n Notebook/deep/notes.md report.md | tail -n 2",
			want: "     5\t\n     6\tA tide is a wave [s1].\n"},
		{line: "cat Notebook/deep/notes.md - < report.md | wc -l", want: "6\n"},
		{line: "head -2 Notebook/deep/notes.md", want: "one\ntwo\n"},
		{line: "head -n1 -q Notebook/deep/*.md report.md", want: "one\n# Report\n"},
		{line: "head -n 1 report.md Notebook/deep/notes.md",
			want: "==> report.md <==\n# Report\n\n==> Notebook/deep/notes.md <==\none\n"},
		{line: "head -c 4 Notebook/deep/notes.md", want: "one\n"},
		{line: "head -n 0 report.md", want: ""},
		{line: "tail -1 Notebook/deep/notes.md", want: "three\n"},
		{line: "tail -n +2 Notebook/deep/notes.md", want: "two\nthree\n"},
		{line: "tail -c 6 Notebook/deep/notes.md", want: "three\n"},
		{line: "tail -c +5 Notebook/deep/notes.md", want: "two\nthree\n"},
		{line: "tail -n 0 Notebook/deep/notes.md", want: ""},
		{line: "wc Notebook/deep/notes.md", want: " 3  3 14 Notebook/deep/notes.md\n"},
		{line: "wc -m Notebook/02-潮汐.md", want: "14 Notebook/02-潮汐.md\n"},
		{line: "wc -w Notebook/0*.md", want: "12 Notebook/01-tides.md\n 5 Notebook/02-潮汐.md\n17 total\n"},
		{line: "wc -l < report.md", want: "3\n"},
		{line: "sort Notebook/deep/notes.md", want: "one\nthree\ntwo\n"},
		{line: "sort -r Notebook/deep/notes.md | head -n 1", want: "two\n"},
		{line: "tail -n +2 Notebook/data.csv | sort -t, -k2 -nr",
			want: "Fundy,16.3\nFundy,15\nBrest,6.1\nKiel,0.1\n"},
		{line: "tail -n +2 Notebook/data.csv | sort -t , -k 1,1 -u",
			want: "Brest,6.1\nFundy,16.3\nKiel,0.1\n"},
		{line: "tail -n +2 Notebook/data.csv | sort -t, -k1,1r -k2,2n",
			want: "Kiel,0.1\nFundy,15\nFundy,16.3\nBrest,6.1\n"},
		{line: "sort -f Notebook/01-tides.md | tail -n 3",
			want: "The moon pulls.\nthe sea answers\nThe sun pulls less.\n"},
		{line: "cut -d, -f1 Notebook/data.csv | sort | uniq -c | sort -rn | head -n 1",
			want: "      2 Fundy\n"},
		{line: "cut -d, -f1 Notebook/data.csv | sort | uniq -d", want: "Fundy\n"},
		{line: "cut -d, -f1 Notebook/data.csv | sort | uniq -u | wc -l", want: "3\n"},
		{line: "cut -d, -f2- Notebook/data.csv | head -n 2", want: "height\n6.1\n"},
		{line: "cut -c1-2 Notebook/02-潮汐.md | tail -n 1", want: "\uFFFD\n"}, // it counts bytes
		{line: "cut -s -d: -f1 report.md", want: ""},
		{line: "grep moon Notebook/01-tides.md", want: "The moon pulls.\n"},
		{line: "grep -c pulls Notebook/*.md",
			want: "Notebook/01-tides.md:2\nNotebook/02-潮汐.md:0\nNotebook/empty.md:0\n"},
		{line: "grep -in THE Notebook/01-tides.md",
			want: "3:The moon pulls.\n4:The sun pulls less.\n5:the sea answers\n"},
		{line: "grep -v pulls Notebook/01-tides.md", want: "# Tides\n\nthe sea answers\n"},
		{line: `grep 'moon\|sea' Notebook/01-tides.md`, want: "The moon pulls.\nthe sea answers\n"},
		{line: "grep -E 'moon|sea' Notebook/01-tides.md | wc -l", want: "2\n"},
		{line: "grep 'moon|sea' Notebook/01-tides.md", want: "", status: 1},
		{line: `grep -o '\[s[0-9]*\]' report.md`, want: "[s1]\n"},
		{line: `grep -oE '[[:digit:]]+\.[0-9]' Notebook/data.csv | head -n 1`, want: "6.1\n"},
		{line: "grep -oP '\\d{2}\\.\\d' Notebook/data.csv", want: "16.3\n"},
		{line: "grep -F '[s1]' report.md", want: "A tide is a wave [s1].\n"},
		{line: "grep -w sun Notebook/01-tides.md", want: "The sun pulls less.\n"},
		{line: "grep -w su Notebook/01-tides.md", want: "", status: 1},
		{line: "grep -x one Notebook/deep/notes.md", want: "one\n"},
		{line: "grep -rl moon | sort", want: "Notebook/01-tides.md\nSources/s01-moon.md\n"},
		{line: "grep -rn --include='*.md' --exclude-dir=Sources moon .",
			want: "./Notebook/01-tides.md:3:The moon pulls.\n"},
		{line: "grep -rL pulls Notebook | sort -r | head -n 2",
			want: "Notebook/empty.md\nNotebook/deep/notes.md\n"},
		{line: "grep -rh 潮 Notebook", want: "# 潮汐\n"},
		{line: "grep -n -A1 two Notebook/deep/notes.md", want: "2:two\n3-three\n"},
		{line: "grep -n -B1 two Notebook/deep/notes.md", want: "1-one\n2:two\n"},
		{line: "grep -C 1 -e two Notebook/deep/notes.md", want: "one\ntwo\nthree\n"},
		{line: "grep -A0 -n -B0 'T\\|sea' Notebook/01-tides.md",
			want: "1:# Tides\n--\n3:The moon pulls.\n4:The sun pulls less.\n5:the sea answers\n"},
		{line: "grep -n -A1 -e Tides -e answers Notebook/01-tides.md",
			want: "1:# Tides\n2-\n--\n5:the sea answers\n"},
		{line: "grep -m1 pulls Notebook/01-tides.md", want: "The moon pulls.\n"},
		{line: "grep -q moon Notebook/01-tides.md && grep -c sun Notebook/01-tides.md", want: "1\n"},
		{line: "grep -q mars Notebook/01-tides.md || head -n1 report.md", want: "# Report\n"},
		{line: "! grep -q mars report.md", want: ""},
		{line: "sed -n 2,3p Notebook/deep/notes.md", want: "two\nthree\n"},
		{line: "sed -n '2p;$p' Notebook/deep/notes.md", want: "two\nthree\n"},
		{line: "sed -n '/two/,$p' Notebook/deep/notes.md", want: "two\nthree\n"},
		{line: "sed -n '/one/,/two/p' Notebook/deep/notes.md", want: "one\ntwo\n"},
		{line: "sed -n '/one/,+1p' Notebook/deep/notes.md", want: "one\ntwo\n"},
		{line: "sed -n '/t/!p' Notebook/deep/notes.md", want: "one\n"},
		{line: "sed -n '$=' Notebook/deep/notes.md", want: "3\n"},
		{line: "sed -n -e 1p -e 2q Notebook/deep/notes.md", want: "one\n"},
		{line: "sed -nE '/^(one|three)$/p' Notebook/deep/notes.md", want: "one\nthree\n"},
		{line: "sed -n '/MOON/Ip' Notebook/01-tides.md", want: "The moon pulls.\n"},
		{line: "ls", want: "Notebook\nSources\nreport.md\n"},
		{line: "ls -A", want: "Notebook\nSources\nreport.md\n"},
		{line: "ls Notebook/deep report.md", want: "report.md\n\nNotebook/deep:\nnotes.md\n"},
		{line: "ls -Sr Notebook | grep -v deep | tail -n 2", want: "data.csv\n01-tides.md\n"},
		{line: "find . -name '*.md' | sort",
			want: "./Notebook/01-tides.md\n./Notebook/02-潮汐.md\n./Notebook/deep/notes.md\n" +
				"./Notebook/empty.md\n./Sources/s01-moon.md\n./report.md\n"},
		{line: "find Notebook -type d", want: "Notebook\nNotebook/deep\n"},
		{line: "find . -maxdepth 1 -type f", want: "./report.md\n"},
		{line: "find Notebook -empty -o -name 'data*' | sort",
			want: "Notebook/data.csv\nNotebook/empty.md\n"},
		{line: `find . \( -name 'n*' -o -iname 'REP*' \) ! -type d -print | sort`,
			want: "./Notebook/deep/notes.md\n./report.md\n"},
		{line: "find . -path '*deep*' -type f -size -1k", want: "", status: 0},
		{line: "find . -path '*deep*' -type f -size 1k -mtime -1", want: "./Notebook/deep/notes.md\n"},
		{line: "find Notebook -mindepth 2", want: "Notebook/deep/notes.md\n"},
		{line: "find report.md", want: "report.md\n"},
		{line: "diff report.md report.md", want: ""},
		{line: "diff -q report.md Notebook/deep/notes.md",
			want: "Files report.md and Notebook/deep/notes.md differ\n", status: 1},
		{line: "head -n2 Notebook/deep/notes.md | diff -u Notebook/deep/notes.md - | tail -n 4",
			want: "@@ -1,3 +1,2 @@\n one\n two\n-three\n"},
		{line: "cat Notebook/*/*.md 'report.md'",
			want: "one\ntwo\nthree\n# Report\n\nA tide is a wave [s1].\n"},
		{line: "cat Notebook/[0-9]1*.md | head -n1; cat Notebook/deep/note?.md 2>&1 >/dev/null | head -n 0",
			want: "# Tides\n"},
		{line: "cat Notebook/deep/notes.md > /dev/null", want: ""},
		{line: "cat gone.md 2>/dev/null", want: "", status: 1},
		{line: "grep -s x gone.md report.md", want: "", status: 2},
		{line: "cat gone.md 2>&1 | head -n1", want: "cat: gone.md: No such file or directory\n"},
		{line: "cat < /dev/null", want: ""},
		{line: "cat 'Notebook/*.md'", want: "cat: 'Notebook/*.md': No such file or directory\n", status: 1},
	} {
		t.Run(c.line, func(t *testing.T) {
			r, err := shell.Run(t.Context(), folder, c.line)
			require.NoError(t, err)
			assert.Equal(t, c.want, r.Text)
			assert.Equal(t, c.status, r.Status)
		})
	}
}

// All that a command gets from a model may be nonsense. It must end, stay within its bounds, and read nothing
// that is hidden.
func FuzzRun(f *testing.F) {
	for _, line := range append(hostile("/outside/canary"), "cat report.md", "sed -n '2,/x/Ip;$!=' report.md",
		`find . \( -name 'n*' -o -empty \)`, "sort -t, -k2,3nr *", "grep -onE '[[:alpha:]]+' report.md",
		"cut -c1,3- report.md") {
		f.Add(line)
	}
	_, folder := desk(f)
	f.Fuzz(func(t *testing.T, line string) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second) // some never end
		defer cancel()
		r, err := shell.Run(ctx, folder, line)
		assert.NotContains(t, fmt.Sprint(r, err), "hidden-canary\n")
		assert.LessOrEqual(t, len(r.Text), shell.MaxOutput+200)
	})
}
