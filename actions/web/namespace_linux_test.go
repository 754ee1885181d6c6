package web_test

import (
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/daybook-agent/daybook/actions/web"
	"github.com/stretchr/testify/require"
)

// processIn says how a process is started in a world; nil in that of the namespace means that it cannot be.
func processIn(t *testing.T, place string) *syscall.SysProcAttr {
	t.Helper()
	if place != "namespace" {
		return nil
	}
	attributes := &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	try := exec.CommandContext(t.Context(), "ip", "link", "set", "lo", "up")
	try.SysProcAttr = attributes
	if output, err := try.CombinedOutput(); err != nil {
		t.Logf("%v %s", err, output)
		return nil
	}
	return attributes
}

// namespace is a world in a network that nothing outside shares. Every address there is leads to this very
// process: the attacker's site has a public one, and at all the others stand traps.
func namespace(t *testing.T) *world {
	for _, command := range [][]string{
		{"ip", "link", "set", "lo", "up"},
		{"ip", "route", "add", "local", "0.0.0.0/0", "dev", "lo"},
		{"ip", "-6", "route", "add", "local", "::/0", "dev", "lo"},
	} {
		output, err := exec.CommandContext(t.Context(), command[0], command[1:]...).CombinedOutput()
		require.NoError(t, err, "%v: %s", command, output)
	}
	public := netip.MustParseAddr("93.184.215.14")
	resolv := filepath.Join(t.TempDir(), "resolv.conf")
	require.NoError(t, os.WriteFile(resolv,
		[]byte("nameserver 127.0.0.1\noptions timeout:10 attempts:2\n"), 0o644))
	// for this process alone
	require.NoError(t, syscall.Mount(resolv, "/etc/resolv.conf", "", syscall.MS_BIND, ""))
	serveNames(t, public, "53")

	w := &world{traps: new(atomic.Int64)}
	isPublic := func(conn net.Conn) bool {
		local, ok := conn.LocalAddr().(*net.TCPAddr)
		return ok && local.AddrPort().Addr().Unmap() == public
	}
	for _, port := range []string{":80", ":443", ":22", ":25", ":6379", ":8080", ":11211", ":11434"} {
		require.NotNil(t, w.listen(t, port, isPublic))
	}
	w.settle = w.settler(t, "127.0.0.1:80", "127.0.0.1:443", "127.0.0.1:22", "127.0.0.1:25", "127.0.0.1:6379",
		"127.0.0.1:8080", "127.0.0.1:11211", "127.0.0.1:11434")
	w.guarded = func() *web.Fetcher { return &web.Fetcher{} }
	w.control = func() *web.Fetcher { return (&web.Fetcher{AllowPrivate: true}).WithCheck(letters) }
	return w
}
