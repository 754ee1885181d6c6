package shell

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// reads is what the thread may do below the folder.
const reads = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR

// Landlocked says whether the kernel has Landlock, the wall behind the checks of this package.
func Landlocked() bool { return landlockVersion() > 0 }

func landlockVersion() int {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0 // not built in, or turned off at boot
	}
	return int(version)
}

// confine starts a thread that can read below dir and do nothing else to files or the network, and gives the means to call functions
// on it and to end it. Restrictions of a thread are for good, so the goroutine keeps it to itself and the thread dies with it; threads
// of the rest of the program are never started from it.
func confine(dir string) (do func(func()), end func(), err error) {
	version := landlockVersion()
	if dir == "" || version == 0 {
		return func(f func()) { f() }, func() {}, nil
	}
	work, ready, gone := make(chan func()), make(chan error), make(chan struct{})
	go func() {
		defer close(gone)
		runtime.LockOSThread() // and never unlocked
		err := restrict(dir, version)
		ready <- err
		if err != nil {
			return
		}
		for f := range work {
			f()
		}
	}()
	if err := <-ready; err != nil {
		<-gone
		return nil, nil, err
	}
	do = func(f func()) {
		done := make(chan struct{})
		work <- func() { defer close(done); f() }
		<-done
	}
	return do, func() { close(work); <-gone }, nil
}

// restrict takes from the calling thread all but reading below dir.
func restrict(dir string, version int) (err error) {
	attr := unix.LandlockRulesetAttr{Handled_access_fs: knownToFirst}
	for since, right := range map[int]uint64{2: unix.LANDLOCK_ACCESS_FS_REFER, 3: unix.LANDLOCK_ACCESS_FS_TRUNCATE, 5: unix.LANDLOCK_ACCESS_FS_IOCTL_DEV} {
		if version >= since {
			attr.Handled_access_fs |= right
		}
	}
	if version >= 4 {
		attr.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	}
	rules, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0)
	if errno != 0 {
		return os.NewSyscallError("landlock_create_ruleset", errno)
	}
	defer func() { err = errors.Join(err, unix.Close(int(rules))) }()
	top, err := unix.Open(dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("opening the workspace: %w", err)
	}
	defer func() { err = errors.Join(err, unix.Close(top)) }()
	below := unix.LandlockPathBeneathAttr{Allowed_access: reads, Parent_fd: int32(top)}
	if _, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, rules, unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&below)), 0, 0, 0); errno != 0 {
		return os.NewSyscallError("landlock_add_rule", errno)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return os.NewSyscallError("prctl", err)
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, rules, 0, 0); errno != 0 {
		return os.NewSyscallError("landlock_restrict_self", errno)
	}
	return nil
}

// knownToFirst are the rights that Landlock has known since its first version.
const knownToFirst = reads | unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE |
	unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE | unix.LANDLOCK_ACCESS_FS_MAKE_CHAR |
	unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
	unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK | unix.LANDLOCK_ACCESS_FS_MAKE_SYM
