package rounds_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/daybook-agent/daybook/actions/web"
	"github.com/daybook-agent/daybook/agent/rounds"
	"github.com/daybook-agent/daybook/agent/workspace"
	"github.com/daybook-agent/daybook/agent/workspace/store"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// site has pages that know their versions, and counts what it sends of them.
type site struct {
	*httptest.Server
	mu    sync.Mutex
	pages map[string]string
	sent  []string
}

func newSite(t *testing.T, pages map[string]string) *site {
	t.Helper()
	s := &site{pages: pages}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		text, ok := s.pages[r.URL.Path]
		tag := fmt.Sprintf(`"%d"`, len(text))
		switch {
		case !ok:
			http.NotFound(w, r)
		case text == "down":
			w.WriteHeader(http.StatusInternalServerError)
		case r.Header.Get("If-None-Match") == tag:
			w.WriteHeader(http.StatusNotModified)
		default:
			s.sent = append(s.sent, r.URL.Path)
			w.Header().Set("ETag", tag)
			w.Header().Set("Content-Type", "text/markdown")
			fmt.Fprint(w, text)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// read is a research that has read some pages of a site and cites them.
func read(t *testing.T, s *site, report string, paths ...string) *bench {
	t.Helper()
	b := newBench(t)
	b.review.AnyURL = true
	t.Cleanup(b.review.Pages.Close)
	for _, path := range paths {
		b.one("visit_url", args{"url": s.URL + path})
	}
	require.Len(t, b.w.Sources(), len(paths))
	b.put("report.md", report)
	return b
}

func TestRefresh(t *testing.T) {
	const cited = "# Tides\n\nThe moon raises the tides [s1.2].\n\nThe bay has 16 metres [s1.1]. All of it is told [s2], and more [s3.1].\n"
	s := newSite(t, map[string]string{"/a": "The bay has 16 metres.\n\nThe moon raises the tides.\n", "/b": "All of it.\n", "/gone": "More of it.\n", "/down": "Words.\n", "/still": "Still here.\n"})
	b := read(t, s, cited, "/a", "/b", "/gone", "/down", "/still")

	found, err := b.review.Refresh(t.Context(), "report.md", 7, false)
	require.NoError(t, err)
	assert.Equal(t, rounds.Refreshed{Looked: 5}, found)
	assert.Len(t, s.sent, 5, "a page that is as it was is not sent again")

	s.mu.Lock()
	s.pages["/a"], s.pages["/down"], s.sent = "New.\n\nThe bay has 16 metres.\n\nThe moon and the sun raise the tides.\n", "down", nil
	delete(s.pages, "/gone")
	s.mu.Unlock()
	found, err = b.review.Refresh(t.Context(), "report.md", 7, false)
	require.NoError(t, err)
	assert.Equal(t, []string{"/a"}, s.sent)
	assert.Equal(t, []int{5, 1, 1, 1}, []int{found.Looked, len(found.Changed), len(found.Gone), len(found.Failed)})
	assert.Contains(t, found.Failed[0], "s4: ")
	assert.Equal(t, []rounds.Touched{
		{Line: 3, Claim: "The moon raises the tides", Ref: "s1.2", Now: "s6.3",
			Says: "The moon and the sun raise the tides."},
		{Line: 5, Claim: "and more", Ref: "s3.1"},
	}, found.Claims, "what only has another number is no change")
	changes := b.text(found.File)
	for _, want := range []string{"> The moon raises the tides.\n", "> The moon and the sun raise the tides.\n", "New [s6.1]:\n\n> New.\n", "Passages that only have another number: 1."} {
		assert.Contains(t, changes, want)
	}
	current := b.text(workspace.CurrentFile)
	assert.Contains(t, current, "- [ ] line 3: “The moon raises the tides” [s1.2] → [s6.3]\n- [ ] line 5: “and more” [s3.1] → gone\n")
	assert.NotContains(t, current, "the sun", "no word of a page is on a dashboard")
	assert.Equal(t, cited, b.text("report.md"))
	text, intact, err := b.w.SourceText("s1")
	require.NoError(t, err)
	assert.True(t, intact)
	assert.Contains(t, text, "The moon raises the tides.")
	var state rounds.Refresh
	require.True(t, b.w.Kept(rounds.RefreshKey, &state))
	assert.Equal(t, 8, state.Due)

	found, err = b.review.Refresh(t.Context(), "report.md", 7, false)
	require.NoError(t, err)
	assert.Equal(t, []int{0, 0, 1, 0}, []int{len(found.Changed), len(found.Gone), len(found.Failed), len(found.Claims)}, "it was told")

	// what goes back, and changes once more, is told once more
	for _, want := range []struct {
		text   string
		claims int
	}{{"The bay has 16 metres.\n\nThe moon raises the tides.\n", 0}, {"New.\n\nThe bay has 16 metres.\n\nThe moon and the sun raise the tides.\n", 1}} {
		s.mu.Lock()
		s.pages["/a"] = want.text
		s.mu.Unlock()
		found, err = b.review.Refresh(t.Context(), "report.md", 7, false)
		require.NoError(t, err)
		assert.Len(t, found.Claims, want.claims)
	}
}

// What was read before signs were escaped is no other page for its backslashes, and of another page only what
// says something else is.
func TestRefreshOfWhatWasNotEscaped(t *testing.T) {
	const old, now = "It runs __init__ and \\(x\\).\n", "It runs \\_\\_init\\_\\_ and \\\\(x\\\\).\n"
	const more, moon = "\nThe tides *are* raised by the moon.\n", "\nThe tides are raised by the moon and the sun.\n"
	s := newSite(t, map[string]string{"/a": old, "/b": old + more})
	b := read(t, s, "# It\n\nIt runs [s1.1] so [s2.1]. Tides are raised by the moon [s2.2].\n", "/a", "/b")
	s.mu.Lock()
	s.pages["/a"], s.pages["/b"] = now, now+moon
	s.mu.Unlock()
	found, err := b.review.Refresh(t.Context(), "report.md", 7, false)
	require.NoError(t, err)
	require.Len(t, found.Changed, 1)
	assert.Contains(t, found.Changed[0], "s2 ")
	require.Len(t, found.Claims, 1)
	assert.Equal(t, "s2.2", found.Claims[0].Ref)
	assert.Len(t, b.w.Sources(), 3, "no second copy of the other page")
}

// The file of a source that a person deleted is put back, and its page compared with it. Claims on one that nobody can put back are the next task.
func TestRefreshOfDeletedSources(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	const long = "Words that are many.\n\n"
	s := newSite(t, map[string]string{"/a": "The moon raises the tides.\n", "/b": "Uncited.\n", "/long": strings.Repeat(long, store.MaxKept/len(long)+1)})
	b := read(t, s, "# Tides\n\nThe moon raises the tides [s1.1].\n\nWords that are many [s3.1].\n", "/a", "/b", "/long")
	require.NoError(t, b.w.Close())
	for _, s := range b.w.Sources() {
		require.NoError(t, os.Remove(filepath.Join(b.dir, s.File)))
	}
	w, err := workspace.Open(b.dir)
	require.NoError(t, err)
	require.NoError(t, w.Lock())
	t.Cleanup(func() { assert.NoError(t, w.Close()) })
	b.w, b.review.Workspace = w, w
	assert.Equal(t, []string{"Sources/s01-a.md was deleted, so what cites s1 cannot be checked: report.md:3. Once finished, --refresh brings it back.",
		"Sources/s03-long.md was deleted, so what cites s3 cannot be checked: report.md:5. Once finished, --refresh brings it back."}, rounds.Deleted(t.Context(), w, w.Deleted()))

	s.pages["/a"] = "The sun raises the tides.\n"
	found, err := b.review.Refresh(t.Context(), "report.md", 7, false)
	require.NoError(t, err)
	assert.Equal(t, []string{"Sources/s01-a.md"}, found.Back)
	assert.Equal(t, []string{"s1 a"}, found.Changed)
	assert.Equal(t, []string{"s3 Sources/s03-long.md"}, found.Gone)
	assert.Equal(t, []rounds.Touched{{Line: 3, Claim: "The moon raises the tides", Ref: "s1.1", Now: "s4.1",
		Says: "The sun raises the tides."},
		{Line: 5, Claim: "Words that are many", Ref: "s3.1"}}, found.Claims)
	assert.Contains(t, b.text(found.File), "Deleted and put back:\n\n- Sources/s01-a.md\n")
	assert.Contains(t, b.text("Sources/s01-a.md"), "The moon raises the tides.")

	found, err = b.review.Refresh(t.Context(), "report.md", 7, false)
	require.NoError(t, err)
	assert.Equal(t, rounds.Refreshed{Looked: 1}, found, "it was told")
}

// A file that cannot be put back is told with the reason.
func TestRefreshTellsWhatCannotBePutBack(t *testing.T) {
	s := newSite(t, map[string]string{"/a": "The moon raises the tides.\n"})
	b := read(t, s, "# Tides\n\nThe moon raises the tides [s1.1].\n", "/a")
	file := filepath.Join(b.dir, b.w.Sources()[0].File)
	require.NoError(t, os.Remove(file))
	require.NoError(t, os.MkdirAll(filepath.Join(file, "in the way"), 0o755))
	require.NoError(t, b.w.Close())
	w, err := workspace.Open(b.dir)
	require.NoError(t, err)
	require.NoError(t, w.Lock())
	t.Cleanup(func() { assert.NoError(t, w.Close()) })
	b.review.Workspace = w
	found, err := b.review.Refresh(t.Context(), "report.md", 7, false)
	require.NoError(t, err)
	require.Len(t, found.Failed, 1)
	assert.Contains(t, found.Failed[0], "s1: writing the source s1 again: ")
	assert.Empty(t, found.Back)
	assert.Empty(t, found.Gone)
}

// Addresses of a folder that may come from somebody else are not asked for.
func TestRefreshOfAStrangeFolder(t *testing.T) {
	s := newSite(t, map[string]string{"/a": "Words.\n"})
	for name, strange := range map[string]bool{"strange": true, "control": false} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			w, err := workspace.Open(dir)
			require.NoError(t, err)
			require.NoError(t, w.Lock())
			t.Cleanup(func() { assert.NoError(t, w.Close()) })
			b := &bench{t: t, dir: dir, w: w}
			b.review.Workspace, b.review.Pages = w, &web.Fetcher{AllowPrivate: true}
			require.NoError(t, w.Begin(map[string]string{workspace.OverallFile: sections("question", "blueprint", "findings", "gaps", "decisions", "quality"),
				workspace.CurrentFile: sections("task", "next", "plan", "learned", "notes")}))
			_, err = w.AddSource(workspace.Source{URL: s.URL + "/a?secret", Title: "A"}, "Other words.\n")
			require.NoError(t, err)
			b.put("report.md", "# A\n\nOther words [s1.1].\n")
			s.sent = nil
			found, err := b.review.Refresh(t.Context(), "report.md", 1, strange)
			require.NoError(t, err)
			if strange {
				assert.Empty(t, s.sent)
				assert.Len(t, found.Failed, 1)
				return
			}
			assert.Equal(t, []string{"/a"}, s.sent)
			assert.FileExists(t, filepath.Join(dir, "Sources", "s02-a.md"))
		})
	}
}

// What a person wrote among the findings of the built-in brain keeps its words; only the brain's own quotes follow the page.
func TestRefreshLeavesFindingsOfAPerson(t *testing.T) {
	s := newSite(t, map[string]string{"/a": "The moon raises the tides.\n\nAll else of it goes.\n\nThe bay has 16 metres.\n"})
	b := read(t, s, "# Tides\n\nThe moon raises the tides [s1.1], all else goes [s1.2], 16 metres [s1.3].\n", "/a")
	b.review.Judging.Without = rounds.NoJudge
	const findings = "- “The moon raises the tides.” [s1.1]\n- “All else of it goes.” [s1.2]\n- “The bay has 16 metres.” [s1.3]\n" +
		"My own thought on the moon [s1.1].\n- Ann doubts this [s1.2, p. 4], ask her [s1.3].\n- “The moon” is “early” [s1.1]\n- “All” [s1.2] (mine)\n"
	require.NoError(t, b.w.AmendSections(workspace.Overall, map[string]func(string) string{"findings": func(string) string { return findings }}))
	for _, round := range []struct{ text, want string }{
		{"New.\n\nThe moon and the “sun” raise the tides.\n\nThe bay has 16 metres.\n", "- “The moon and the ‘sun’ raise the tides.” [s2.2]\n- “The bay has 16 metres.” [s2.3]\n" +
			"My own thought on the moon [s2.2].\n- Ann doubts this [s1.2, p. 4], ask her [s2.3].\n- “The moon” is “early” [s2.2]\n- “All” [s1.2] (mine)\n"},
		{"The moon and the sun raise all tides.\n\nThe bay has 16 metres.\n", "- “The moon and the sun raise all tides.” [s3.1]\n- “The bay has 16 metres.” [s3.2]\n" +
			"My own thought on the moon [s3.1].\n- Ann doubts this [s1.2, p. 4], ask her [s3.2].\n- “The moon” is “early” [s3.1]\n- “All” [s1.2] (mine)\n"},
	} {
		s.mu.Lock()
		s.pages["/a"] = round.text
		s.mu.Unlock()
		found, err := b.review.Refresh(t.Context(), "report.md", 7, false)
		require.NoError(t, err)
		require.NotEmpty(t, found.Claims)
		assert.Contains(t, b.text(workspace.OverallFile), round.want)
		sources := b.w.Sources()
		b.put("report.md", "# Tides\n\nThe tides rise ["+sources[len(sources)-1].ID+".2].\n")
	}
}

// Two addresses that once had the same text are both looked at ever after.
func TestRefreshOfTwoAddressesOfOneText(t *testing.T) {
	s := newSite(t, map[string]string{"/a": "The sea is large.\n", "/b": "The sea is shallow.\n"})
	b := read(t, s, "# Seas\n\nIt is large [s1.1], and shallow [s2.1].\n", "/a", "/b")
	for _, round := range []struct {
		a, b    string
		changed int
		claims  []string
	}{
		{"The sea is blue.\n", "The sea is blue.\n", 2, []string{"s1.1", "s2.1"}},
		{"The sea is blue.\n", "The sea is blue.\n", 0, nil},
		{"The sea is blue.\n", "The sea is green.\n", 1, []string{"s2.1"}},
		{"The sea is blue.\n", "The sea is green.\n", 0, nil},
		{"The sea is purple.\n", "The sea is shallow.\n", 2, []string{"s1.1"}},
		{"The sea is purple.\n", "The sea is wild now.\n", 1, []string{"s2.1"}},
	} {
		s.mu.Lock()
		s.pages["/a"], s.pages["/b"] = round.a, round.b
		s.mu.Unlock()
		found, err := b.review.Refresh(t.Context(), "report.md", 7, false)
		require.NoError(t, err)
		var claims []string
		for _, c := range found.Claims {
			claims = append(claims, c.Ref)
		}
		assert.Equal(t, round.claims, claims, round)
		assert.Equal(t, []int{2, round.changed}, []int{found.Looked, len(found.Changed)}, round)
		assert.Empty(t, found.Failed)
	}
}
