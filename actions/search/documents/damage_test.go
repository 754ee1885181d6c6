package documents_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/daybook-agent/daybook/actions/search/documents"
)

// many writes n documents, each with a word of its own.
func many(t testing.TB, dir string, n int) {
	t.Helper()
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("part%d/doc%04d.md", i%7, i)] =
			fmt.Sprintf("# Document %d\n\nThe word of this one is mark%04d.\n\n%s\n%s", i, i, bread, disks)
	}
	write(t, dir, files)
}

func TestRefreshGoesOnAfterBeingStopped(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	const total = 600
	dir, db := t.TempDir(), filepath.Join(t.TempDir(), "x.db")
	many(t, dir, total)
	docs := open(t, db, dir)

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	report, err := docs.Refresh(ctx, func(done, _ int) {
		if done == 300 {
			cancel()
		}
	})
	require.ErrorIs(t, err, context.Canceled)
	assert.GreaterOrEqual(t, report.Added, 300)
	assert.Less(t, report.Added, total)

	rest := refresh(t, docs)
	assert.Equal(t, [4]int{total - report.Added, 0, 0, report.Added}, counts(rest),
		"nothing that was stored is read again")
	for _, i := range []int{0, 299, 300, total - 1} {
		assert.Equal(t, []string{fmt.Sprintf("doc:part%d/doc%04d.md", i%7, i)},
			urls(t, docs, fmt.Sprintf("mark%04d", i)))
	}
}

// A killed process leaves the database file and its log as they are at that moment.
func TestRefreshGoesOnAfterAKill(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	const total = 600
	dir, db, dead := t.TempDir(), filepath.Join(t.TempDir(), "x.db"), filepath.Join(t.TempDir(), "x.db")
	many(t, dir, total)
	docs := open(t, db, dir)
	_, err := docs.Refresh(t.Context(), func(done, _ int) {
		if done != 400 {
			return
		}
		for _, ending := range []string{"", "-wal"} {
			bytes, err := os.ReadFile(db + ending)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(dead+ending, bytes, 0o600))
		}
	})
	require.NoError(t, err)

	again := open(t, dead, dir)
	report := refresh(t, again)
	assert.Empty(t, report.Notice)
	assert.Positive(t, report.Added)
	assert.Positive(t, report.Unchanged)
	assert.Equal(t, total, report.Added+report.Unchanged)
	assert.Equal(t, []string{"doc:part1/doc0001.md"}, urls(t, again, "mark0001"))
	assert.Equal(t, []string{"doc:part4/doc0599.md"}, urls(t, again, "mark0599"))
}

func TestDamagedIndexIsMadeAnew(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine works for long")
	}
	dir := t.TempDir()
	many(t, dir, 50)
	fresh := func(t *testing.T) string {
		db := filepath.Join(t.TempDir(), "x.db")
		docs, err := documents.Open(t.Context(), db, []string{dir})
		require.NoError(t, err)
		refresh(t, docs)
		require.NoError(t, docs.Close())
		return db
	}
	for name, spoil := range map[string]func(bytes []byte) []byte{
		"no database": func([]byte) []byte {
			return []byte("this is no database, only a file of text of some length\n")
		},
		"cut in half":   func(b []byte) []byte { return b[:len(b)/2] },
		"a wiped half":  func(b []byte) []byte { clear(b[len(b)/2:]); return b },
		"a wiped page":  func(b []byte) []byte { clear(b[4096:8192]); return b },
		"another kind":  func(b []byte) []byte { b[60], b[61], b[62], b[63] = 0, 0, 0, 99; return b },
		"a wiped start": func(b []byte) []byte { clear(b[:100]); return b },
	} {
		t.Run(name, func(t *testing.T) {
			db := fresh(t)
			bytes, err := os.ReadFile(db)
			require.NoError(t, err)
			spoiled := spoil(bytes)
			require.NoError(t, os.WriteFile(db, spoiled, 0o600))

			docs := open(t, db, dir)
			report, err := docs.Refresh(t.Context(), nil)
			require.NoError(t, err)
			if report.Notice == "" {
				// The damage lies where a refresh without changes does not look. A search does, and the next
				// refresh heals it.
				_, err := docs.Search(t.Context(), "document word starter 备份", 10)
				require.Error(t, err)
				report = refresh(t, docs)
			}
			assert.Contains(t, report.Notice, db+".damaged")
			kept, err := os.ReadFile(db + ".damaged")
			require.NoError(t, err)
			assert.NotEmpty(t, kept)
			assert.Equal(t, []string{"doc:part0/doc0007.md"}, urls(t, docs, "mark0007"))
			report = refresh(t, docs)
			assert.Equal(t, [4]int{0, 0, 0, 50}, counts(report))
			assert.Empty(t, report.Notice, "said once")
		})
	}
}

func TestUnusableDatabaseIsAnError(t *testing.T) {
	dir := t.TempDir()
	_, err := documents.Open(t.Context(), dir, []string{dir})
	require.ErrorContains(t, err, dir)
	assert.DirExists(t, dir, "what is no database of ours is not moved")
}

func TestSearchWhileRefreshing(t *testing.T) {
	dir := t.TempDir()
	many(t, dir, 300)
	docs := open(t, filepath.Join(t.TempDir(), "x.db"), dir)
	write(t, dir, map[string]string{"first.md": stars})
	var done sync.WaitGroup
	stop := make(chan struct{})
	for range 4 {
		done.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				hits, err := docs.Search(t.Context(), "sourdough 文件权限 telescope", 5)
				assert.NoError(t, err)
				for _, hit := range hits {
					_, err := docs.Page(t.Context(), hit.URL)
					assert.NoError(t, err)
				}
			}
		})
	}
	for range 2 {
		done.Go(func() {
			_, err := docs.Refresh(t.Context(), nil)
			assert.NoError(t, err)
		})
	}
	refresh(t, docs)
	close(stop)
	done.Wait()
	assert.Equal(t, [4]int{0, 0, 0, 301}, counts(refresh(t, docs)))
}
