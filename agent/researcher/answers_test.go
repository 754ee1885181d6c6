package researcher_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"html"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/agent"
	"github.com/daybook-agent/daybook/agent/clip"
	"github.com/daybook-agent/daybook/agent/researcher"
	"github.com/stretchr/testify/require"
)

// question is a line of testdata/answers.tsv.
type question struct {
	folder, text string
	answers      []string // each is the answer
	absent       string   // the word that no document of the folder holds
}

func readQuestions(t *testing.T) (all []question) {
	t.Helper()
	table, err := os.ReadFile(filepath.Join("testdata", "answers.tsv"))
	require.NoError(t, err)
	for line := range strings.Lines(string(table)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(strings.TrimSpace(line), "\t")
		require.Len(t, fields, 3, line)
		q := question{folder: fields[0], text: fields[1]}
		if absent, ok := strings.CutPrefix(fields[2], "!"); ok {
			q.absent = absent
		} else {
			q.answers = strings.Split(fields[2], "|")
		}
		all = append(all, q)
	}
	return all
}

// halved marks the half of the questions that is held out while the brain is worked on. The seed is fixed.
func halved(n int) []bool {
	held := make([]bool, n)
	for _, i := range rand.New(rand.NewPCG(19, 1)).Perm(n)[:n/2] {
		held[i] = true
	}
	return held
}

// made writes the folder that no package ships: a table, a letter in Word's format, and notes in two languages.
func made(t *testing.T, dir string) {
	t.Helper()
	var letter bytes.Buffer
	out := zip.NewWriter(&letter)
	part, err := out.Create("word/document.xml")
	require.NoError(t, err)
	body := ""
	for _, p := range []string{"Rental agreement", "The flat is let from the first of May. The rent is due on the third working day of each month.",
		"Either side may end the agreement in writing. The notice period is three months to the end of a month.", "Pets need the owner's consent."} {
		body += "<w:p><w:r><w:t>" + html.EscapeString(p) + "</w:t></w:r></w:p>"
	}
	_, err = part.Write([]byte(`<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>` + body + `</w:body></w:document>`))
	require.NoError(t, err)
	require.NoError(t, out.Close())
	for name, text := range map[string]string{
		"prices.csv":     "item,unit,price\nplum jam,340 g,4.80\ncherry jam,340 g,5.20\nhoney,500 g,7.90\n",
		"rent.docx":      letter.String(),
		"maintenance.md": "# Maintenance\n\n## Doors\n\nThe fire doors are checked each spring. Marta Olsen is responsible for them.\n\n## Lifts\n\nThe lifts are checked twice a year by the maker.\n",
		"保修.md":          "# 保修条款\n\n## 期限\n\n保修期自购买之日起计算，共二十四个月。电池的期限为六个月。\n\n## 范围\n\n人为损坏不在范围之内。\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
}

var answerMarks = regexp.MustCompile("\\]\\([^)]*\\)|[`*\\\\\\[\\]]")

// bareText is a text without Markdown's marks and white space, in lower case.
func bareText(text string) string {
	return strings.ToLower(strings.Join(strings.Fields(answerMarks.ReplaceAllString(text, "")), " "))
}

// found reports whether a report has an answer on top and anywhere, or says first that there is none.
func (q question) found(report string) (top, all bool) {
	report, _, _ = strings.Cut(report, "{#references}")
	if q.absent != "" {
		_, rest, _ := strings.Cut(report, "\n")
		first, _, _ := strings.Cut(strings.TrimSpace(rest), "\n")
		said := strings.Contains(first, q.absent) && (strings.Contains(first, "No document") || strings.Contains(first, "没有"))
		return said, said
	}
	_, body, _ := strings.Cut(report, "{#abstract}")
	first, _, _ := strings.Cut(body, "\n## ")
	for _, answer := range q.answers {
		top = top || strings.Contains(bareText(first), bareText(answer))
		all = all || strings.Contains(bareText(report), bareText(answer))
	}
	return top, all
}

// Real questions over real folders: how many does the built-in brain answer in its first passages, and anywhere? DAYBOOK_ANSWERS names
// a folder with the folders of testdata/answers.tsv, or links to them, where indexes are kept as well. DAYBOOK_ANSWERS_HALF=held or seen
// asks one half alone.
func TestAnswersWithoutAModel(t *testing.T) {
	root := os.Getenv("DAYBOOK_ANSWERS")
	if root == "" {
		t.Skip("set DAYBOOK_ANSWERS to a folder of folders of documents")
	}
	questions := readQuestions(t)
	held := halved(len(questions))
	counts := map[string]*[4]int{} // asked, on top, anywhere, said to be absent
	count := func(name string, top, all, absent bool) {
		if counts[name] == nil {
			counts[name] = &[4]int{}
		}
		for i, is := range []bool{!absent, top && !absent, all && !absent, top && absent} {
			if is {
				counts[name][i]++
			}
		}
	}
	for i, q := range questions {
		half := map[bool]string{true: "held", false: "seen"}[held[i]]
		if want := os.Getenv("DAYBOOK_ANSWERS_HALF"); want != "" && want != half {
			continue
		}
		docs := filepath.Join(root, q.folder)
		if q.folder == "made" {
			docs = filepath.Join(root, "made")
			require.NoError(t, os.MkdirAll(docs, 0o755))
			made(t, docs)
		}
		if _, err := os.Stat(docs); err != nil {
			t.Logf("left out: %s", q.folder)
			continue
		}
		dir, index := filepath.Join(t.TempDir(), fmt.Sprint("research", i)), filepath.Join(root, ".index", q.folder+".db")
		require.NoError(t, os.MkdirAll(filepath.Join(dir, ".daybook"), 0o755))
		if db, err := os.ReadFile(index); err == nil {
			require.NoError(t, os.WriteFile(filepath.Join(dir, ".daybook", "documents.db"), db, 0o644))
		}
		result, err := run(t.Context(), job{Dir: dir, Config: researcher.Config{Question: q.text, Docs: []string{docs}, Brain: clip.Brain{}}})
		require.NoError(t, err)
		require.Equal(t, agent.Finished, result.Reason, result.Text)
		if _, err := os.Stat(index); err != nil {
			db, err := os.ReadFile(filepath.Join(dir, ".daybook", "documents.db"))
			require.NoError(t, err)
			require.NoError(t, os.MkdirAll(filepath.Dir(index), 0o755))
			require.NoError(t, os.WriteFile(index, db, 0o644))
		}
		report := readFile(t, result.Report)
		top, all := q.found(report)
		if keep := os.Getenv("DAYBOOK_ANSWERS_KEEP"); keep != "" {
			require.NoError(t, os.WriteFile(filepath.Join(keep, fmt.Sprintf("%02d.md", i)), []byte(report), 0o644))
		}
		t.Logf("%02d %s top=%-5v all=%-5v %s: %s", i, half, top, all, q.folder, q.text)
		count("all", top, all, q.absent != "")
		count(q.folder, top, all, q.absent != "")
		count(half, top, all, q.absent != "")
	}
	for name, n := range counts {
		t.Logf("%-12s on top %d of %d, in the report %d, said to be absent %d", name, n[1], n[0], n[2], n[3])
	}
}
