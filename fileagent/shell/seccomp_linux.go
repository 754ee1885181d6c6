//go:build amd64 || arm64

package shell

import (
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// forbidden are the system calls that Landlock does not control, besides those of only one architecture:
// network, other processes, file attributes, and ways around Landlock.
var forbidden = append([]uint32{
	unix.SYS_SOCKET, unix.SYS_SOCKETPAIR, unix.SYS_IO_URING_SETUP,
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_KILL, unix.SYS_SETSID,
	unix.SYS_PIDFD_GETFD,
	unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWN, unix.SYS_FCHOWNAT,
	unix.SYS_UTIMENSAT,
	unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR,
	unix.SYS_FREMOVEXATTR,
	unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_MOUNT, unix.SYS_CHROOT, unix.SYS_PIVOT_ROOT,
	unix.SYS_OPEN_BY_HANDLE_AT,
	unix.SYS_MEMFD_CREATE, unix.SYS_EXECVEAT, unix.SYS_USERFAULTFD, unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN,
	unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_INOTIFY_INIT1, unix.SYS_MQ_OPEN,
	unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_MSGGET, unix.SYS_SEMGET,
}, forbiddenHere...)

// Offsets in a filter's view of a call.
const (
	callNumber = 0
	callArch   = 4
	firstArg   = 16
)

// filterCalls denies the calls above to the calling thread and what it starts. A process may start a thread,
// or the kind of process by which Go or posix_spawn starts a command, which can execute only the listed
// programs. It cannot fork.
func filterCalls() error {
	const (
		deny   = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
		absent = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
		load   = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
		equals = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		hasBit = unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K
		above  = unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K
		give   = unix.BPF_RET | unix.BPF_K
	)
	filter := []unix.SockFilter{
		{Code: load, K: callArch},
		{Code: equals, K: architecture, Jt: 1},
		{Code: give, K: unix.SECCOMP_RET_KILL_PROCESS},
		{Code: load, K: callNumber},
		{Code: above, K: 1 << 30, Jf: 1}, // x32, another numbering
		{Code: give, K: deny},
	}
	for _, call := range forbidden {
		filter = append(filter, unix.SockFilter{Code: equals, K: call, Jf: 1},
			unix.SockFilter{Code: give, K: deny})
	}
	filter = append(filter,
		// its flags are not visible; the C library then uses clone
		unix.SockFilter{Code: equals, K: unix.SYS_CLONE3, Jf: 1},
		unix.SockFilter{Code: give, K: absent},
		unix.SockFilter{Code: equals, K: unix.SYS_CLONE, Jf: 3},
		unix.SockFilter{Code: load, K: firstArg},
		unix.SockFilter{Code: hasBit, K: unix.CLONE_THREAD | unix.CLONE_VFORK, Jt: 1},
		unix.SockFilter{Code: give, K: deny},
		unix.SockFilter{Code: give, K: unix.SECCOMP_RET_ALLOW},
	)
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	err := unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)), 0, 0)
	runtime.KeepAlive(filter)
	if err != nil {
		return os.NewSyscallError("seccomp", err)
	}
	return nil
}
