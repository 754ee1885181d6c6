//go:build linux && (amd64 || arm64)

package shell_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/daybook-agent/daybook/fileagent/shell"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// hostile are lines that want out: to read a file that stands at an absolute path, to write, to run
// something, or never to end.
func hostile(canary string) []string {
	folder, file := filepath.Split(canary)
	folder = strings.TrimSuffix(folder, "/")
	up := "../" + filepath.Base(folder) + "/" + file
	var lines []string
	for _, line := range []string{
		// paths
		"cat CANARY", "cat UP", "cat Notebook/../UP", "cat ./././UP", `cat \CANARY`, "cat 'CANARY'",
		"cat file://CANARY", "cat -n CANARY",
		"head CANARY", "tail -n +1 CANARY", "wc CANARY", "sort CANARY", "uniq CANARY", "cut -c1- CANARY",
		"grep '' CANARY", "sed -n p CANARY", "diff CANARY report.md",
		"diff report.md UP", "ls FOLDER", "ls ..", "ls /", "find FOLDER", "find / -name FILE",
		"find .. -type f", "grep -r canary FOLDER", "grep -r canary ..",
		"grep -r canary /", "cat < CANARY", "cat < UP", "cat 0< CANARY", "cat <> CANARY", "cat <& 3",
		"cat /etc/passwd", "cat /proc/self/environ", "cat /dev/stdin", "cat /proc/1/root/CANARY",
		"cat ~/.bashrc", "cat ~root/.profile", "cat -- CANARY", "cat ''", "cat $'\\x2fetc/passwd'",
		// links, pipes and devices that stand in the workspace
		"cat Notebook/link.md", "cat < Notebook/link.md", "cat Notebook/out/FILE", "cat Notebook/out/*",
		"ls Notebook/out/", "grep -r canary Notebook", "grep -R canary Notebook",
		"find Notebook -name FILE", "find Notebook/out/ -type f", "cat Notebook/*", "cat Notebook/*/*",
		"head -n 1 Notebook/fifo", "cat Notebook/zero", "cat < Notebook/fifo",
		// what is hidden
		"cat .env", "cat .daybook/journal.jsonl", "cat .*", "cat .*/*", "cat .[d]aybook/*",
		"cat Notebook/../.env", "grep -r canary .daybook", "grep canary .e*", "find .daybook",
		"ls -la .daybook", "ls -A .daybook/", "cat < .env",
		// globs out
		"cat /*/*", "cat ../*/*", "cat ../outside/*", "cat FOLDER/*", "ls /et?", "cat ../outsid[e]/FILE",
		"cat Notebook/../../outside/*",
		// options that read, write or run
		"sort -o Notebook/evil.md report.md", "sort -oNotebook/evil.md report.md",
		"sort --output=../evil.md report.md", "sort --compress-program=sh report.md",
		"sort --files0-from=CANARY", "sort -T FOLDER report.md",
		"wc --files0-from=CANARY", "grep -f CANARY report.md", "grep -fCANARY report.md",
		"grep --file=CANARY '' report.md", "grep -r --exclude-from=CANARY x",
		"diff --from-file=CANARY report.md", "diff -r . FOLDER",
		"uniq report.md Notebook/evil.md", "tail -f report.md", "tail --follow=name report.md",
		"tail --pid=1 -f report.md",
		"sed -n 'w Notebook/evil.md' report.md", "sed -n '1e cat CANARY' report.md",
		"sed -n 'r CANARY' report.md", "sed -n 'R CANARY' report.md", "sed -n 's/.*/cat CANARY/e' report.md",
		"sed -n 's/a/b/w Notebook/evil.md' report.md",
		"sed -i 's/a/b/' report.md", "sed -n -i p report.md", "sed --in-place -n p report.md",
		"sed -n -f CANARY report.md", "sed '' CANARY", "sed -n '1!{p}' report.md",
		"sed -ne 'W Notebook/evil.md' report.md", "sed --expression=p -s CANARY",
		`find . -exec cat CANARY \;`, "find . -execdir sh {} +", "find . -ok cat {} +", "find . -delete",
		"find . -fprint Notebook/evil.md", "find . -fprintf Notebook/evil.md x",
		"find . -fls Notebook/evil.md", "find -files0-from CANARY", "find . -newer CANARY",
		"find -L Notebook -name FILE", "find . -printf %p", "find . -ls",
		// writing
		"cat report.md > Notebook/evil.md", "cat report.md >> report.md", "cat report.md >| Notebook/evil.md",
		"cat report.md &> Notebook/evil.md", "cat report.md >& Notebook/evil.md",
		"cat gone 2> Notebook/evil.md",
		"> Notebook/evil.md", "cat report.md > ../evil.md", "cat report.md > CANARY",
		"cat report.md 3> Notebook/evil.md", "cat report.md {fd}> Notebook/evil.md",
		"cat report.md > /dev/../Notebook/evil.md", "cat report.md > '/dev/tcp/127.0.0.1/9'",
		"cat < /dev/tcp/127.0.0.1/9", "cat report.md > /dev/nul*", "tee Notebook/evil.md < report.md",
		"cat < TMP/sh-interp-canary", "cat report.md > TMP/sh-interp-evil", `cat < \TMP/sh-interp-canary`,
		"cat < 'TMP'/sh-interp-canary",
		// other programs
		"curl http://127.0.0.1:9/", "wget http://127.0.0.1:9/", "/bin/cat CANARY", "./cat CANARY",
		"../../../../bin/cat CANARY", "bash -c 'cat CANARY'", "sh", "env cat CANARY", "xargs cat",
		"find . | xargs cat CANARY", "awk 'BEGIN{system(\"cat CANARY\")}'", "perl -e 1", "python3 -c 1",
		"nc 127.0.0.1 9",
		"busybox cat CANARY", "rm report.md", "mv report.md x", "cp CANARY x", "ln -s CANARY x",
		"mkdir x", "touch x", "chmod 777 report.md", "dd if=CANARY", "git log", "'cat' CANARY", `c\at CANARY`,
		`"cat" CANARY`, "ca''t CANARY", "CAT CANARY",
		// the shell's own
		"exec cat CANARY", "eval 'cat CANARY'", "source CANARY", ". CANARY", "command cat CANARY",
		"builtin source CANARY", "cd ..; cat outside/FILE", "cd / && cat CANARY", "pushd /",
		"trap 'cat CANARY' EXIT", "alias cat='cat CANARY'", "set -x", "shopt -s dotglob; cat *",
		"export PATH=/bin", "read x < CANARY",
		"mapfile x < CANARY", "test -f CANARY", "[ -f CANARY ]", "[[ -f CANARY ]]", "type cat",
		"printf %1000000000d 1", "echo *", "echo $PATH", "exit 0", "wait", "kill 1", "ulimit", "umask 0",
		"enable -f x", "history", "let x=1", "declare x=1", "local x=1", "time cat report.md", "true",
		":", "hash -p /bin/sh cat",
		// expansions
		"PATH=/bin cat CANARY", "LD_PRELOAD=CANARY cat report.md", "GREP_OPTIONS=-r grep canary",
		"x=CANARY; cat $x", "x=1", "cat $HOME/x", "cat ${x:-CANARY}", `cat "$(cat CANARY)"`,
		"cat $(cat CANARY)", "cat $(<CANARY)", "cat `cat CANARY`", "cat \"`cat CANARY`\"",
		"cat <(cat CANARY)", "cat report.md >(cat)", "cat $((1+1))", "grep $RANDOM report.md",
		"cat {CANARY,report.md}", "cat {1..999999999}", "cat report.md{,}{,}{,}{,}{,}{,}{,}{,}",
		"cat @(CANARY)", "cat !(x)", "cat ?(UP)", `cat "${x}"`, "grep \"$'\" report.md", "$x CANARY",
		"$(cat CANARY)", "c?t CANARY", "cat $'CANARY'", `cat $"CANARY"`,
		// other constructs
		"cat CANARY &", "cat report.md & cat CANARY", "(cat CANARY)", "{ cat CANARY; }",
		"cat report.md | (cat CANARY)", "if cat CANARY; then cat CANARY; fi",
		"while true; do cat report.md; done", "until false; do :; done", "for f in CANARY; do cat $f; done",
		"for ((;;)); do :; done", "case x in x) cat CANARY;; esac",
		"f() { cat CANARY; }; f", "function cat { cat CANARY; }", ":(){ :|:& };:", "coproc cat CANARY",
		"select x in a; do cat CANARY; done", "((x=1))", "cat << EOF\n$(cat CANARY)\nEOF",
		"cat <<- EOF\n\tx\n\tEOF", "cat <<< CANARY", "cat <<< $(cat CANARY)", "cat report.md |& cat CANARY",
		"! cat CANARY", "cat report.md || cat CANARY", "cat report.md; cat CANARY",
		"cat report.md\ncat CANARY", "cat report.md # \ncat CANARY",
		"", "   ", "# only words", "|", "cat |", "cat 'report.md", "cat \x00", "cat \xff\xfe", "cat \\",
		"((((((((", strings.Repeat("(", 4000), strings.Repeat("! ", 2000) + "ls",
	} {
		line = strings.NewReplacer("CANARY", canary, "UP", up, "FOLDER", folder, "FILE", file, "TMP",
			strings.TrimSuffix(os.TempDir(), "/")).Replace(line)
		lines = append(lines, line)
	}
	return lines
}

// trap is a workspace with ways out of it, and beside it a folder whose file must not be read.
func trap(t *testing.T) (dir, canary string, folder shell.Folder) {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	dir, folder = desk(t)
	outside := filepath.Join(filepath.Dir(dir), "outside")
	require.NoError(t, os.MkdirAll(outside, 0o755))
	canary = filepath.Join(outside, "secret.md")
	for _, path := range []string{canary, filepath.Join(os.TempDir(), "sh-interp-canary")} {
		require.NoError(t, os.WriteFile(path, []byte("outside-canary\n"), 0o644))
	}
	require.NoError(t, os.Symlink(canary, filepath.Join(dir, "Notebook", "link.md")))
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, "Notebook", "out")))
	require.NoError(t, os.Symlink("/dev/zero", filepath.Join(dir, "Notebook", "zero")))
	require.NoError(t, fifo(filepath.Join(dir, "Notebook", "fifo")))
	return dir, canary, folder
}

// picture is all that stands below a folder, with the times of the last change.
func picture(t *testing.T, dirs ...string) string {
	t.Helper()
	var all strings.Builder
	for _, dir := range dirs {
		require.NoError(t, filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err == nil && p != os.TempDir() { // in which the copies come and go
				fmt.Fprintln(&all, p, info.Mode(), info.Size(), info.ModTime())
			}
			return err
		}))
	}
	return all.String()
}

func leaks(text string) bool {
	return strings.Contains(text, "outside-canary") || strings.Contains(text, "hidden-canary") ||
		strings.Contains(text, "root:x:0") || strings.Contains(text, "PATH=")
}

// Not one of the hostile lines reads what is outside or hidden, or changes anything.
func TestHostileLines(t *testing.T) {
	dir, canary, folder := trap(t)
	before := picture(t, filepath.Dir(dir), os.TempDir())
	lines := hostile(canary)
	require.Greater(t, len(lines), 60)
	for _, line := range lines {
		t.Run(line[:min(len(line), 60)], func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second) // some never end
			defer cancel()
			r, err := shell.Run(ctx, folder, line)
			assert.False(t, leaks(fmt.Sprint(r.Text, err)), "%s%v", r.Text, err)
			assert.NotContains(t, r.Text, "more than 16 KiB")
		})
	}
	assert.Equal(t, before, picture(t, filepath.Dir(dir), os.TempDir()))
}

// direct runs a command in the sandbox whatever the parser would say of the line, as a hole in it would.
func direct(t *testing.T, dir string, args ...string) (text string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	return shell.Direct(ctx, dir, args)
}

// beyond are command lines whose options read outside, write, run something or change attributes. Past the
// parser, the sandbox alone has to hold them.
func beyond(canary string) [][]string {
	return [][]string{
		{"cat", canary}, {"cat", "/etc/passwd"}, {"cat", "/proc/self/environ"}, {"cat", "/proc/1/environ"},
		{"cat", "Notebook/link.md"},
		{"grep", "-f", canary, "-v", "x", "report.md"}, {"grep", "-r", "canary", filepath.Dir(canary)},
		{"grep", "--exclude-from=" + canary, "-r", "x", "."},
		{"grep", "", canary}, {"sort", canary}, {"sort", "--files0-from=" + canary},
		{"sort", "-o", "evil.md", "report.md"}, {"sort", "-o", canary, "report.md"},
		{"sort", "--compress-program=/bin/sh", "-S1k", "report.md"},
		{"sort", "-T", filepath.Dir(canary), "-S1k", "report.md"},
		{"sed", "w evil.md", "report.md"}, {"sed", "w " + canary, "report.md"},
		{"sed", "1e cat " + canary, "report.md"},
		{"sed", "s/.*/cat " + strings.ReplaceAll(canary, "/", "\\/") + "/e", "report.md"},
		{"sed", "r " + canary, "report.md"}, {"sed", "-i", "s/a/b/", "report.md"}, {"sed", "-f", canary},
		{"sed", "", canary},
		{"find", filepath.Dir(canary), "-type", "f", "-exec", "cat", "{}", ";"},
		{"find", ".", "-exec", "cat", canary, ";"}, {"find", ".", "-name", "report.md", "-delete"},
		{"find", ".", "-exec", "/bin/sh", "-c", "cat " + canary, ";"}, {"find", ".", "-fprint", "evil.md"},
		{"find", ".", "-fprintf", canary, "x"}, {"find", "-files0-from", canary},
		{"find", "/", "-maxdepth", "1"}, {"ls", "-l", filepath.Dir(canary)}, {"ls", "/"}, {"ls", "/root"},
		{"head", canary}, {"tail", canary}, {"uniq", canary}, {"uniq", "report.md", "evil.md"},
		{"cut", "-c1-", canary}, {"wc", "--files0-from=" + canary}, {"diff", canary, "/dev/null"},
		{"diff", "-r", ".", filepath.Dir(canary)}, {"diff", "--from-file=" + canary, "report.md"},
		{"cat", "/dev/tcp/127.0.0.1/9"}, {"cat", ".env"}, {"cat", ".daybook/journal.jsonl"},
		{"grep", "-r", "canary", "."}, {"grep", "-r", "canary", ".daybook"},
		{"find", ".", "-name", ".*", "-type", "f", "-exec", "cat", "{}", "+"},
	}
}

// The sandbox holds whatever the options are; without it, nearly all of the same commands leak or write, so
// that it is the sandbox that holds them.
func TestTheSandboxHoldsWhateverTheOptions(t *testing.T) {
	if !shell.Landlocked() {
		t.Skip("this machine has no Landlock")
	}
	run := func(t *testing.T) (leaked, wrote int) {
		dir, canary, folder := trap(t)
		for _, args := range beyond(canary) {
			copied, done, err := shell.Copy(t.Context(), folder)
			require.NoError(t, err)
			before := picture(t, filepath.Dir(dir), copied)
			text, err := direct(t, copied, args...)
			if leaks(text) || strings.Contains(text, "secret.md\n") && args[0] == "ls" ||
				strings.Contains(text, "/etc\n") {
				leaked++
				t.Logf("leaked: %q: %.80q %v", args, text, err)
			}
			if before != picture(t, filepath.Dir(dir), copied) {
				wrote++
				t.Logf("wrote: %q: %v", args, err)
			}
			require.NoError(t, os.WriteFile(canary, []byte("outside-canary\n"), 0o644))
			require.NoError(t, done())
		}
		return leaked, wrote
	}
	t.Run("confined", func(t *testing.T) {
		leaked, wrote := run(t)
		assert.Zero(t, leaked)
		assert.Zero(t, wrote)
	})
	t.Run("the control", func(t *testing.T) {
		shell.Unconfined(t)
		leaked, wrote := run(t)
		assert.Greater(t, leaked, 20)
		assert.Greater(t, wrote, 5)
	})
}

// What Landlock does not see is forbidden by the filter of system calls: sockets, modes, times, forks and
// signals.
func TestTheSandboxForbidsWhatLandlockDoesNotSee(t *testing.T) {
	if !shell.Landlocked() {
		t.Skip("this machine has no Landlock")
	}
	calls := map[string]func(dir string) error{
		"a socket": func(string) error {
			fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
			return closing(fd, err)
		},
		"a local socket": func(string) error {
			fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
			return closing(fd, err)
		},
		"a mode": func(dir string) error { return unix.Chmod(filepath.Join(dir, "report.md"), 0o644) },
		"a time": func(dir string) error {
			return unix.Utimes(filepath.Join(dir, "report.md"), make([]unix.Timeval, 2))
		},
		"a signal": func(string) error { return unix.Kill(os.Getpid(), 0) },
		"writing":  func(dir string) error { return os.WriteFile(filepath.Join(dir, "evil.md"), nil, 0o600) },
		"memory": func(string) error {
			fd, err := unix.MemfdCreate("x", 0)
			return closing(fd, err)
		},
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			dir, _, _ := trap(t)
			require.NoError(t, call(dir), "the control: it works outside")
			err := shell.Confined(dir, func() error { return call(dir) })
			assert.True(t, errors.Is(err, unix.EPERM) || errors.Is(err, unix.EACCES), "%v", err)
			assert.NoError(t, call(dir), "the rest of the program goes on as it was")
		})
	}
}

func closing(fd int, err error) error {
	if err != nil {
		return err
	}
	return unix.Close(fd)
}

// Time, memory and output are limited, and nothing is left of a line that was stopped.
func TestLimitsOfALine(t *testing.T) {
	if !shell.Landlocked() {
		t.Skip("this machine has no Landlock")
	}
	_, folder := desk(t)
	t.Run("memory", func(t *testing.T) {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "x"), []byte(strings.Repeat("a", 1<<20)), 0o600))
		text, err := direct(t, dir, "tail", "-c", "+0", "--", "/dev/zero")
		assert.Error(t, err, text)
		_, err = direct(t, dir, "sort", "-S", "4G", "x")
		assert.Error(t, err, "more than the limit")
	})
	t.Run("the context", func(t *testing.T) {
		late := errors.New("it is late")
		ctx, cancel := context.WithTimeoutCause(t.Context(), 300*time.Millisecond, late)
		defer cancel()
		_, err := shell.Run(ctx, folder, "tail -f report.md")
		assert.ErrorIs(t, err, late)
	})
	t.Run("output", func(t *testing.T) {
		long := shell.Folder{List: folder.List, Open: func(name string) (fs.File, error) {
			if name != "report.md" {
				return nil, fs.ErrNotExist
			}
			return os.Open(longFile(t))
		}}
		r, err := shell.Run(t.Context(), long, "cat report.md")
		require.NoError(t, err)
		assert.True(t, strings.HasSuffix(r.Text,
			"more than 16 KiB. Narrow it with grep, head, cut, sed -n or wc"),
			r.Text[max(0, len(r.Text)-200):])
		assert.LessOrEqual(t, len(r.Text), shell.MaxOutput+200)
		r, err = shell.Run(t.Context(), long, "cat report.md | grep -n '' | cut -d: -f2 | head -n 2")
		require.NoError(t, err)
		assert.Equal(t, "a line\na line\n", r.Text, "a reader that has enough ends its writer")
	})
	t.Run("commands", func(t *testing.T) {
		_, err := shell.Run(t.Context(), folder, "cat report.md"+strings.Repeat("|cat", 16))
		assert.ErrorContains(t, err, "more than 16 commands")
		_, err = shell.Run(t.Context(), folder, "cat "+strings.Repeat("a", shell.MaxLine))
		assert.ErrorContains(t, err, "may have 4096")
	})
	t.Run("no copy is left", func(t *testing.T) {
		t.Setenv("TMPDIR", t.TempDir())
		_, err := shell.Run(t.Context(), folder, "cat report.md")
		require.NoError(t, err)
		left, err := os.ReadDir(os.TempDir())
		require.NoError(t, err)
		assert.Empty(t, left)
	})
}

func longFile(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "long")
	require.NoError(t, os.WriteFile(name, []byte(strings.Repeat("a line\n", 100_000)), 0o600))
	return name
}

// What a refusal says is enough to go on with.
func TestRefusals(t *testing.T) {
	_, folder := desk(t)
	for line, want := range map[string]string{
		"curl http://x.example": `there is no command "curl" here. Allowed are cat cut diff find grep head ` +
			`ls sed sort tail uniq wc`,
		"/bin/cat report.md":      `there is no command "/bin/cat" here`,
		"cat report.md &":         "background jobs are not available",
		"(cat report.md)":         "subshells and groups are not available",
		"for f in *; do ls; done": "loops are not available",
		"if ls; then ls; fi":      "conditions are not available",
		"f() { ls; }":             "functions are not available",
		"x=1 ls":                  "variables are not available",
		"export x=1":              "variables are not available",
		"((1))":                   "arithmetic is not available",
		"time ls":                 "this construct is not available",
		"ls $x":                   "variables and substitutions are not available",
		`ls "$(ls)"`:              "variables and substitutions are not available",
		"ls <(ls)":                "process substitution is not available",
		"ls ~":                    "~ is not available",
		"ls {a,b}":                "an unquoted { is not available",
		"ls $'a'":                 "$'…' is not available",
		"ls @(a)":                 "extended globs are not available",
		"ls > out.md": "writing is not available: output can go to /dev/null alone; files are " +
			"written with write_file",
		"ls << x\nx":         "here-documents are not available",
		"ls *?*?*?*?*?*?*?*": "a glob may have 12 of * ? and [",
		"ls < *.md":          "must be named plainly",
		"ls < /etc/passwd":   "/etc/passwd is not relative to the workspace",
		"ls 2>&-":            "of >& there are only 2>&1 and 1>&2",
		"ls 5>/dev/null":     "only the descriptors 0, 1 and 2",
		"ls >| /dev/null":    "the redirection >| is not available",
		"> /dev/null":        "a redirection needs a command",
		"'ls'":               "the command must be named plainly",
		"":                   "there is no command",
		"cat 'x":             "reading the command: 1:5: reached EOF without closing quote",
	} {
		t.Run(line, func(t *testing.T) {
			_, err := shell.Run(t.Context(), folder, line)
			assert.ErrorContains(t, err, want)
		})
	}
}
