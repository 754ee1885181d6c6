package main_test

import (
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// released is what .ci/goreleaser.yaml says that this test can compare with something.
type released struct {
	Builds []struct {
		Main         string
		Goos, Goarch []string
	}
	Archives []struct {
		Name    string `yaml:"name_template"`
		Formats []struct {
			Goos    string
			Formats []string
		} `yaml:"format_overrides"`
		Files []packed
	}
	Nfpms []struct {
		Name     string `yaml:"file_name_template"`
		Formats  []string
		Contents []packed
	}
	Casks []struct {
		Manpages    []string
		Completions map[string]string
	} `yaml:"homebrew_casks"`
}

type packed struct{ Src, Dst string }

func readText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(top, name))
	require.NoError(t, err)
	return string(text)
}

func readRelease(t *testing.T) (r released) {
	t.Helper()
	require.NoError(t, yaml.Unmarshal([]byte(readText(t, ".ci/goreleaser.yaml")), &r))
	require.NotEmpty(t, r.Builds)
	require.NotEmpty(t, r.Archives)
	require.NotEmpty(t, r.Nfpms)
	require.NotEmpty(t, r.Casks)
	return r
}

// What a release packs is in the repository, or made beforehand by .ci/release.
func TestAReleasePacksWhatExists(t *testing.T) {
	r, script := readRelease(t), readText(t, ".ci/release")
	inArchive := map[string]bool{}
	files := slices.Clone(r.Nfpms[0].Contents)
	for _, f := range r.Archives[0].Files {
		files = append(files, f)
		inArchive[f.Dst] = true
	}
	for _, f := range files {
		if strings.HasPrefix(f.Src, "extra/") {
			assert.Contains(t, script, ">"+f.Src+"\n", "nothing makes it")
		} else {
			found, err := filepath.Glob(filepath.Join(top, f.Src))
			require.NoError(t, err)
			assert.NotEmpty(t, found, "there is no %s", f.Src)
		}
	}
	assert.FileExists(t, filepath.Join(top, r.Builds[0].Main, "main.go"))
	for _, name := range append(slices.Collect(maps.Values(r.Casks[0].Completions)), r.Casks[0].Manpages...) {
		assert.True(t, inArchive[name], "Homebrew's recipe takes %s from the archive", name)
	}
}

// A file that the installed README links to is beside it.
func TestAPackageHasWhatItsReadmeLinksTo(t *testing.T) {
	const beside = "/usr/share/doc/daybook/"
	packed := map[string]bool{}
	for _, f := range readRelease(t).Nfpms[0].Contents {
		found, err := filepath.Glob(filepath.Join(top, f.Src))
		require.NoError(t, err)
		for _, name := range found {
			if at := f.Dst; strings.Contains(f.Src, "*") { // a pattern goes into a folder
				packed[path.Join(at, filepath.Base(name))] = true
			} else {
				packed[at] = true
			}
		}
	}
	assert.True(t, packed[beside+"README.md"])
	links := regexp.MustCompile(`\]\(((?:docs/|[A-Z])[^)#]+)`).FindAllStringSubmatch(readText(t, "README.md"), -1)
	require.NotEmpty(t, links)
	for _, link := range links {
		assert.True(t, packed[beside+link[1]], "a package has no %s", link[1])
	}
}

// What the README and the Dockerfile fetch has the name that a release gives it.
func TestAReleaseHasTheNamesThatOthersFetch(t *testing.T) {
	r := readRelease(t)
	names := map[string]bool{"daybook.json": true, "daybook_container.tar.gz": true}
	add := func(template, system, processor, format string) {
		name := strings.NewReplacer("{{ .Os }}", system, "{{ .Arch }}", processor).Replace(template)
		names[name+"."+format] = true
	}
	for _, system := range r.Builds[0].Goos {
		for _, processor := range r.Builds[0].Goarch {
			format := "tar.gz"
			for _, other := range r.Archives[0].Formats {
				if other.Goos == system {
					format = other.Formats[0]
				}
			}
			add(r.Archives[0].Name, system, processor, format)
			for _, format := range r.Nfpms[0].Formats {
				add(r.Nfpms[0].Name, system, processor, format)
			}
		}
	}
	script := readText(t, ".ci/release")
	for _, made := range []string{">dist/daybook_container.tar.gz", " scoop/daybook.json", "sha256sum daybook.rb daybook.json >>SHA256SUMS"} {
		assert.Contains(t, script, made)
	}
	fetched := regexp.MustCompile(`releases/latest/download/\S+|\./daybook_\S+`).FindAllString(readText(t, "README.md"), -1)
	require.NotEmpty(t, fetched)
	for _, processor := range r.Builds[0].Goarch {
		add := regexp.MustCompile(`(?m)^ADD (\S+)`).FindStringSubmatch(readText(t, ".ci/Dockerfile"))
		require.NotNil(t, add)
		fetched = append(fetched, strings.ReplaceAll(add[1], "$TARGETARCH", processor))
	}
	for _, name := range fetched {
		assert.True(t, names[path.Base(name)], "a release has no %s", name)
	}
}
