package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/daybook-agent/daybook/agent/export"
)

// browserChoice is the browser setting: "true", "false", or the address of a running browser.
type browserChoice string

func (b *browserChoice) IsBool() bool { return true }

func (b *browserChoice) Decode(ctx *kong.DecodeContext) error {
	if ctx.Scan.Peek().Type != kong.FlagValueToken {
		*b = "true"
		return nil
	}
	b.set(fmt.Sprint(ctx.Scan.Pop().Value))
	return nil
}

func (b *browserChoice) UnmarshalYAML(read func(any) error) error {
	var given any // a bool or a text
	err := read(&given)
	b.set(fmt.Sprint(given))
	return err
}

func (b *browserChoice) set(text string) {
	switch strings.ToLower(text) {
	case "1", "yes", "true":
		text = "true"
	case "0", "no", "false":
		text = "false"
	}
	*b = browserChoice(text)
}

// browser returns the program that opens pages, the address of a running browser, or "" for neither.
func (s settings) browser() (string, error) {
	switch choice := value(s.Browser, "false"); {
	case choice == "false":
		return "", nil
	case strings.HasPrefix(string(choice), "http://"):
		return string(choice), nil
	case choice != "true":
		return "", wrongSetting("browser", "leave it out, or name one that runs, such as http://127.0.0.1:9222",
			"the browser %q is neither true, false nor an address", clean(string(choice)))
	}
	if runtime.GOOS == "windows" {
		return "", wrongUse(
			"leave out --browser, or start one with --remote-debugging-port and give its address",
			"a browser is started by itself on Linux and macOS alone so far")
	}
	named := os.Getenv("CHROME_PATH")
	for _, small := range []string{"chromium-headless-shell", "chrome-headless-shell"} {
		if path, err := exec.LookPath(small); named == "" && err == nil {
			return path, nil
		}
	}
	path, err := export.FindBrowser(named)
	if err != nil {
		return "", wrongUse(
			"install one (such as: apt install chromium), name it in CHROME_PATH, or leave out --browser",
			"no Chromium, Chrome or Edge was found to open pages with")
	}
	return path, nil
}
