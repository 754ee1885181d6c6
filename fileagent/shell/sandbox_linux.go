//go:build amd64 || arm64

package shell

import (
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Landlocked reports whether this machine has Landlock and the allowed commands.
func Landlocked() bool {
	box, err := newSandbox()
	return err == nil && len(box.programs) > 0
}

// testOnlyUnconfined runs commands without the sandbox, as a control in tests.
var testOnlyUnconfined bool

// sandbox lists what a confined command may execute and load.
type sandbox struct {
	version   int               // Landlock's version
	programs  map[string]string // by name
	libraries []string          // including the loader, which is executed too
}

// newSandbox finds the listed commands and the libraries that they load.
var newSandbox = sync.OnceValues(func() (*sandbox, error) {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0,
		0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 { // not built in, or turned off at boot
		return nil, errors.New("this kernel has no Landlock, without which no command line is run")
	}
	box := &sandbox{version: int(version), programs: map[string]string{}}
	for _, name := range commandNames() {
		for _, dir := range []string{"/usr/bin", "/bin"} {
			program, err := filepath.EvalSymlinks(filepath.Join(dir, name))
			if err != nil {
				continue
			}
			libraries, err := loaded(program)
			if err != nil {
				return nil, fmt.Errorf("finding the libraries of %s: %w", name, err)
			}
			box.programs[name], box.libraries = program, append(box.libraries, libraries...)
			break
		}
	}
	return box, nil
})

var libraryPath = regexp.MustCompile(`(?m)^\s*(?:\S+ => )?(/\S+) \(0x`)

// loaded returns a program's loader and the libraries that it finds for the program.
func loaded(program string) (paths []string, err error) {
	f, err := elf.Open(program)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	section := f.Section(".interp")
	if section == nil {
		return nil, nil // statically linked
	}
	data, err := section.Data()
	if err != nil {
		return nil, err
	}
	loader := unix.ByteSliceToString(data)
	cmd := exec.Command(loader, "--list", program)
	cmd.Env = []string{}
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	for _, m := range libraryPath.FindAllStringSubmatch(string(out), -1) {
		paths = append(paths, m[1])
	}
	return append(paths, loader), nil
}

// run runs a command from its own thread, which is restricted for good and ends with the command; a process
// inherits the restrictions of the thread that starts it. The rest of the program is unaffected: Go never
// starts its threads from a locked one.
func (b *sandbox) run(cmd *exec.Cmd, dir string) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	ended := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // and never unlocked
		ended <- b.runConfined(cmd, dir)
	}()
	return <-ended
}

func (b *sandbox) runConfined(cmd *exec.Cmd, dir string) error {
	if !testOnlyUnconfined {
		if err := b.restrict(dir); err != nil {
			return fmt.Errorf("confining the command: %w", err)
		}
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	limited := limit(cmd.Process.Pid)
	if limited != nil {
		limited = errors.Join(limited, cmd.Process.Kill())
	}
	return errors.Join(limited, cmd.Wait())
}

// limit bounds what a process may use, besides the line's time limit.
func limit(pid int) error {
	for resource, most := range map[int]uint64{
		unix.RLIMIT_AS: 1 << 30, unix.RLIMIT_CPU: uint64(maxTime / time.Second), unix.RLIMIT_FSIZE: 0,
		unix.RLIMIT_NOFILE: 64, unix.RLIMIT_CORE: 0,
	} {
		err := unix.Prlimit(pid, resource, &unix.Rlimit{Cur: most, Max: most}, nil)
		if err != nil && !errors.Is(err, unix.ESRCH) { // it has already ended
			return os.NewSyscallError("prlimit", err)
		}
	}
	return nil
}

const (
	reads    = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	executes = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_EXECUTE
	// knownToFirst are the rights that Landlock has had since its first version: those below the next one.
	knownToFirst = unix.LANDLOCK_ACCESS_FS_REFER - 1
)

// restrict allows the calling thread only to read dir and execute the programs.
func (b *sandbox) restrict(dir string) (err error) {
	attr := unix.LandlockRulesetAttr{Handled_access_fs: knownToFirst}
	for since, right := range map[int]uint64{
		2: unix.LANDLOCK_ACCESS_FS_REFER, 3: unix.LANDLOCK_ACCESS_FS_TRUNCATE,
		5: unix.LANDLOCK_ACCESS_FS_IOCTL_DEV,
	} {
		if b.version >= since {
			attr.Handled_access_fs |= right
		}
	}
	if b.version >= 4 {
		attr.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	}
	rules, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)),
		unsafe.Sizeof(attr), 0)
	if errno != 0 {
		return os.NewSyscallError("landlock_create_ruleset", errno)
	}
	defer func() { err = errors.Join(err, unix.Close(int(rules))) }()
	granted := map[string]uint64{dir: reads, "/etc/ld.so.cache": unix.LANDLOCK_ACCESS_FS_READ_FILE,
		"/usr/lib/locale/C.utf8": reads}
	for _, library := range b.libraries {
		granted[library] = executes
	}
	for _, program := range b.programs {
		granted[program] = executes
	}
	for name, rights := range granted {
		if err := grant(int(rules), name, rights); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("granting %s: %w", name, err)
		}
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return os.NewSyscallError("prctl", err)
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, rules, 0, 0); errno != 0 {
		return os.NewSyscallError("landlock_restrict_self", errno)
	}
	return filterCalls()
}

func grant(rules int, name string, rights uint64) (err error) {
	fd, err := unix.Open(name, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unix.Close(fd)) }()
	below := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(fd)}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(rules), unix.LANDLOCK_RULE_PATH_BENEATH,
		uintptr(unsafe.Pointer(&below)), 0, 0, 0)
	if errno != 0 {
		return os.NewSyscallError("landlock_add_rule", errno)
	}
	return nil
}
