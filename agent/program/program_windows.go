package program

import (
	"errors"
	"fmt"
	"os/exec"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Start starts a program in a job that only this program holds; end or our own end kills it.
func Start(cmd *exec.Cmd) (end func() error, err error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil, fmt.Errorf("preparing to watch %s: %w", cmd.Path, err)
	}
	end = sync.OnceValue(func() error { return windows.CloseHandle(job) })
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	if _, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits))); err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, errors.Join(err, end())
	}
	it, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false,
		uint32(cmd.Process.Pid))
	if err == nil {
		err = errors.Join(windows.AssignProcessToJobObject(job, it), windows.CloseHandle(it))
	}
	if err != nil {
		err = fmt.Errorf("watching %s: %w", cmd.Path, err)
		return nil, errors.Join(err, cmd.Process.Kill(), cmd.Wait(), end())
	}
	return end, nil
}

func confine(*exec.Cmd, string) error { return nil }

// Detach makes a program survive this one, and receive none of its signals.
func Detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{
		CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.DETACHED_PROCESS}
}
