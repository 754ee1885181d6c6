package export

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/daybook-agent/daybook/agent/program"
	"github.com/daybook-agent/daybook/agent/prose"
)

// browsers lists the names of Chromium and its kin, and their places on a Mac, where no path has them.
var browsers = []string{
	"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge", "msedge",
	"brave-browser",
	"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
	"/Applications/Chromium.app/Contents/MacOS/Chromium",
	"/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
}

var noBrowser = told{"making a PDF needs Chromium or Chrome, and none was found", exec.ErrNotFound}

// FindBrowser finds a browser that can print: the one named, or for "" the first of the usual ones. If there
// is none, the error is [exec.ErrNotFound].
func FindBrowser(named string) (path string, err error) {
	if named != "" {
		if path, err = exec.LookPath(named); err != nil {
			err = fmt.Errorf("%w: %w", noBrowser, err)
		}
		return path, err
	}
	for _, name := range browsers {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", noBrowser
}

// pdf prints a report, and warns about letters that it cannot print.
func pdf(ctx context.Context, r report, p Product) (made []byte, warnings []string, err error) {
	browser, err := FindBrowser(p.Browser)
	if err != nil {
		return nil, nil, err
	}
	warnings = unprintable(ctx, r)
	page, err := render(ctx, r, print, p.Paper)
	if err == nil {
		made, err = printed(ctx, page, r.Written, browser)
	}
	return made, warnings, err
}

// printed prints a page with a browser that has no network, no scripts and a temporary profile.
func printed(ctx context.Context, page []byte, written time.Time, browser string) (pdf []byte, err error) {
	dir, err := os.MkdirTemp("", "daybook-pdf-")
	if err != nil {
		return nil, fmt.Errorf("preparing to print: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	source, target := filepath.Join(dir, "report.html"), filepath.Join(dir, "report.pdf")
	if err := os.WriteFile(source, page, 0o600); err != nil {
		return nil, fmt.Errorf("preparing to print: %w", err)
	}
	const most = 3 * time.Minute // one took 17 s for a report of 200,000 words
	said, err := run(ctx, most, nil, browser, printing(dir, source, target)...)
	if err != nil {
		return nil, fmt.Errorf("printing with %s: %w", browser, err)
	}
	pdf, err = os.ReadFile(target)
	if err != nil || !strings.HasPrefix(string(pdf), "%PDF-") {
		return nil, fmt.Errorf("printing with %s: it made no PDF; it says: %s; a browser installed "+
			"as a snap sees no temporary folder: set TMPDIR to a visible one in your home",
			browser, lastWords(string(said)))
	}
	// With the report's date, the same report gives the same PDF. The length stays, so nothing moves.
	return printedAt.ReplaceAll(pdf, written.UTC().AppendFormat([]byte("${1}"), "20060102150405")), nil
}

var printedAt = regexp.MustCompile(`(/(?:CreationDate|ModDate) \(D:)[0-9]{14}`)

// unprintable warns about the letters of a report that would be boxes in its PDF, and says what to install.
// It returns nil if fontconfig has fonts for all scripts, or is missing: other systems come with fonts.
func unprintable(ctx context.Context, r report) (warnings []string) {
	lister, err := exec.LookPath("fc-list")
	if err != nil {
		return nil
	}
	counts := map[rune]int{}
	for _, letter := range r.Question + r.Text {
		if letter > unicode.MaxLatin1 && unicode.IsLetter(letter) {
			counts[letter]++
		}
	}
	common := map[string]rune{} // the commonest letter of each script
	for _, letter := range slices.Sorted(maps.Keys(counts)) {
		for script, table := range unicode.Scripts {
			if unicode.Is(table, letter) && counts[letter] > counts[common[script]] {
				common[script] = letter
			}
		}
	}
	var missing []string
	for _, script := range slices.Sorted(maps.Keys(common)) {
		const most = 10 * time.Second
		fonts, err := run(ctx, most, nil, lister, fmt.Sprintf(":charset=%x", common[script]), "family")
		if err == nil && len(fonts) == 0 {
			as := script + " (%s)"
			if script == "Han" {
				as = "Chinese (such as %s)"
			}
			missing = append(missing, fmt.Sprintf(as, string(common[script])))
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return []string{fmt.Sprintf(
		"no font on this machine has the letters of %s, which are boxes in the PDF: install one "+
			"(such as: apt install fonts-noto-cjk for Chinese, Japanese and Korean; fonts-noto "+
			"for others), and export again", strings.Join(missing, ", "))}
}

func printing(dir, source, target string) []string {
	options := []string{
		"--headless", "--user-data-dir=" + filepath.Join(dir, "profile"), "--print-to-pdf=" + target,
		"--no-pdf-header-footer",
		"--generate-pdf-document-outline",
		// Nothing gets out: neither names nor connections lead anywhere.
		"--host-resolver-rules=MAP * ~NOTFOUND", "--proxy-server=http://127.0.0.1:1",
		"--proxy-bypass-list=<-loopback>",
		"--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--disable-default-apps", "--no-first-run",
		"--no-default-browser-check", "--disable-domain-reliability", "--no-pings",
		"--disable-features=OptimizationHints,MediaRouter",
		"--disable-extensions", "--disable-gpu", "--disable-dev-shm-usage",
		"--disable-breakpad", "--disable-crash-reporter", "--password-store=basic", "--use-mock-keychain",
	}
	if os.Geteuid() == 0 {
		options = append(options, "--no-sandbox")
	}
	return append(options, "file://"+filepath.ToSlash(source))
}

// run runs a foreign program with a deadline and returns its stdout. The program and its children are gone
// when run returns, and they see no key in the environment.
func run(ctx context.Context, most time.Duration, stdin []byte, name string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, most, fmt.Errorf("it took longer than %s", most))
	defer cancel()
	var out, complaints bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = program.Innocent(os.Environ())
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(stdin), &out, &complaints
	cmd.WaitDelay = 5 * time.Second
	end, err := program.Start(cmd)
	if err == nil {
		err = cmd.Wait()
		err = errors.Join(err, end())
	}
	if cause := context.Cause(ctx); cause != nil {
		return nil, cause
	}
	if err != nil {
		return nil, fmt.Errorf("%w; it says: %s", err, lastWords(complaints.String()))
	}
	if out.Len() == 0 {
		return complaints.Bytes(), nil
	}
	return out.Bytes(), nil
}

// lastWords returns the end of a program's complaints, in one line.
func lastWords(complaints string) string {
	const most = 300
	said := []rune(prose.OneLine(complaints))
	if len(said) == 0 {
		return "nothing"
	}
	return string(said[max(0, len(said)-most):])
}
