//go:build !linux

package realmail

import (
	"errors"
	"os"
	"syscall"
)

// Elsewhere than on Linux, Missing keeps anything from being started.

func ownSession() *syscall.SysProcAttr { return nil }

func end(p *os.Process) error  { return p.Kill() }
func kill(p *os.Process) error { return p.Kill() }
func gone(*os.Process) bool    { return true }

func suspend(int) error { return errors.ErrUnsupported }
func resume(int) error  { return errors.ErrUnsupported }
