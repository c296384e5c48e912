package realmail

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// process is a server that runs in the foreground as our child.
type process struct {
	name string
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
	err  error         // how it ended; to be read once done is closed
}

// launch starts a server as the leader of a session of its own, its standard
// output and error going to a file.
func launch(output, path string, args ...string) (*process, error) {
	f, err := os.OpenFile(output, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p := &process{name: filepath.Base(path), cmd: exec.Command(path, args...), done: make(chan struct{})}
	p.cmd.Stdout, p.cmd.Stderr = f, f
	p.cmd.SysProcAttr = ownSession()
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.done)
	}()
	return p, nil
}

// guardScript waits for its standard input to close, which it does when the test
// program ends in whatever way, and then does what Cleanup would have done.
const guardScript = `
cat >/dev/null
for pid in $(cat "$1/run/master.pid" "$1/spool/pid/master.pid" 2>/dev/null); do
	kill -s TERM -- "-$pid"
	kill -s CONT -- "-$pid"
done
sleep 2
rm -rf "$1"
`

// guard starts a process that ends the servers of a folder and removes it if the
// test program is killed. The function it returns dismisses it.
func guard(dir string) (dismiss func(), err error) {
	cmd := exec.Command("/bin/sh", "-c", guardScript, "sh", dir)
	cmd.SysProcAttr = ownSession() // not ended by ^C on a terminal, as we are
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return func() {
		kill(cmd.Process)
		in.Close()
		cmd.Wait()
	}, nil
}

// stop asks the process and its children to end and waits for the last of them.
// The children are asked themselves: Dovecot's, left to their master, keep their
// clients for ten seconds more, and the ports until they end.
func (p *process) stop() error {
	if err := end(p.cmd.Process); err != nil {
		return fmt.Errorf("end %s: %w", p.name, err)
	}
	for deadline := time.Now().Add(patience); ; pause() {
		select {
		case <-p.done:
			if gone(p.cmd.Process) {
				return nil
			}
		default:
		}
		if time.Now().After(deadline) {
			return errors.Join(fmt.Errorf("%s did not end within %v and was killed", p.name, patience), kill(p.cmd.Process))
		}
	}
}

// awaitGreeting returns once the server at the address greets with a line that
// starts so.
func (p *process) awaitGreeting(network, addr, start string) error {
	var err error
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); pause() {
		select {
		case <-p.done:
			return fmt.Errorf("%s ended: %v", p.name, p.err)
		default:
		}
		var line string
		if line, err = greeting(network, addr); err == nil {
			if strings.HasPrefix(line, start) {
				return nil
			}
			err = fmt.Errorf("%s greets %q", addr, line)
		}
	}
	return fmt.Errorf("%s does not answer: %w", p.name, err)
}

func greeting(network, addr string) (string, error) {
	c, err := net.DialTimeout(network, addr, patience)
	if err != nil {
		return "", err
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		return "", err
	}
	return bufio.NewReader(c).ReadString('\n')
}

// pause is the wait between two looks at something that changes by itself.
func pause() { time.Sleep(20 * time.Millisecond) }
