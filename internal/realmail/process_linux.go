package realmail

import (
	"errors"
	"os"
	"syscall"
)

func ownSession() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true}
}

// end asks the process and its children to end; kill does not ask.
func end(p *os.Process) error  { return signal(-p.Pid, syscall.SIGTERM) }
func kill(p *os.Process) error { return signal(-p.Pid, syscall.SIGKILL) }

// gone tells whether the process and all its children have ended.
func gone(p *os.Process) bool { return errors.Is(syscall.Kill(-p.Pid, 0), syscall.ESRCH) }

// suspend stops a process where it is; resume lets it go on. One that has ended
// meanwhile is no error.
func suspend(pid int) error { return signal(pid, syscall.SIGSTOP) }
func resume(pid int) error  { return signal(pid, syscall.SIGCONT) }

func signal(pid int, sig syscall.Signal) error {
	if err := syscall.Kill(pid, sig); err != nil && !errors.Is(err, syscall.ESRCH) {
		return err
	}
	return nil
}
