package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/daybook-agent/daybook/agent/program"
	"github.com/daybook-agent/daybook/agent/prose"
)

// process is a browser that was started here, or is only connected to.
type process struct {
	*wire
	before string // a script to run before a page's own
	leave  func() // nil if it is only connected to
	said   program.Words
}

// callsHome lists hosts that Chromium calls on its own, whatever its switches.
var callsHome = []string{"accounts.google.com", "clients2.google.com", "clients4.google.com",
	"update.googleapis.com", "edgedl.me.gvt1.com", "optimizationguide-pa.googleapis.com",
	"content-autofill.googleapis.com", "safebrowsing.googleapis.com"}

// switches returns the switches that confine a browser to the proxy and to itself: the lines of switches.txt.
func switches(proxy string) (all []string) {
	for line := range strings.Lines(file("switches.txt")) {
		if strings.HasPrefix(line, "--") {
			all = append(all, strings.TrimSpace(line))
		}
	}
	return append(all, "--proxy-server=http://"+proxy)
}

// launch starts a sandboxed browser, as root under another user; it ends with this program.
func launch(ctx context.Context, path, proxy string, hear func(*wire, event)) (it *process, err error) {
	home, err := program.NewHome("daybook-browser-")
	if err != nil {
		return nil, err
	}
	p := &process{leave: home.Close}
	defer func() {
		if err != nil {
			p.close()
		}
	}()
	args := append(switches(proxy), "--user-data-dir="+filepath.Join(home.Dir(), "profile"), "about:blank")
	cmd := exec.CommandContext(context.WithoutCancel(ctx), path, args...) // ended by close
	cmd.Stderr, cmd.WaitDelay = &p.said, time.Second
	itHears, tells, err := os.Pipe() // it reads its file 3 and writes its file 4
	hears, itTells, other := os.Pipe()
	cmd.ExtraFiles = []*os.File{itHears, itTells}
	if err = errors.Join(err, other, home.House(cmd)); err != nil {
		return nil, fmt.Errorf("preparing the browser: %w", err)
	}
	p.leave, err = home.Live(cmd, 0)
	_, _ = itHears.Close(), itTells.Close()
	if err != nil {
		_, _ = hears.Close(), tells.Close()
		return nil, fmt.Errorf("starting the browser %s: %w", path, err)
	}
	p.wire = newWire(hears, tells, hear)
	if err := p.call(ctx, "", "Browser.getVersion", nil, nil); err != nil {
		p.close()
		said := prose.OneLine(p.said.Last(8 << 10))
		if strings.Contains(strings.ToLower(said), "sandbox") {
			return nil, fmt.Errorf("starting the browser %s: this system lets it have no sandbox, and "+
				"without one no page is opened: allow user namespaces (sysctl "+
				"user.max_user_namespaces)", path)
		}
		return nil, fmt.Errorf("starting the browser %s: %w; it says: %s", path, err,
			prose.Shorten(said, 300))
	}
	return p, nil
}

// close ends the browser and removes everything it kept.
func (p *process) close() {
	if p.leave != nil {
		p.leave()
	}
	if p.wire != nil {
		_, _ = p.out.Close(), p.in.Close()
		<-p.ended
	}
}
