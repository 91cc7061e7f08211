package subject

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/gohone/hone/internal/program/listeners"
	"github.com/gohone/hone/internal/text/fail"
)

// lookAtSocket returns the listener on the target's socket if it is one of the subject's processes; nil while it is
// not there yet.
func (p *running) lookAtSocket(ctx context.Context) (*listeners.Listener, error) {
	pid, err := listeners.DialUnix(ctx, p.target.Socket)
	if err != nil || !p.owns(pid) {
		return nil, nil //nolint:nilerr // it is asked again
	}
	return &listeners.Listener{Socket: p.target.Socket, PID: pid}, nil
}

// owns says whether a process is one of the subject's. One that is not known may be.
func (p *running) owns(pid int) bool {
	if pid == 0 {
		return true
	}
	ours, err := p.processes()
	for _, one := range ours {
		if one == pid {
			return true
		}
	}
	return err != nil
}

// socketFiles are the files of the Unix sockets that the subject has made. A program that is ended by a signal
// leaves them, and its next start would find the address in use: they are removed after the end, but no other
// file of that name.
type socketFiles struct {
	mu   sync.Mutex
	made map[string]os.FileInfo // by path
}

// keep remembers the file of a socket.
func (s *socketFiles) keep(path string) {
	info, err := os.Lstat(path)
	if err != nil || info.Mode().Type() != fs.ModeSocket {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.made == nil {
		s.made = map[string]os.FileInfo{}
	}
	s.made[path] = info
}

func (s *socketFiles) remove() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for path, made := range s.made {
		if now, err := os.Lstat(path); err == nil && os.SameFile(now, made) {
			_ = os.Remove(path) // what cannot be removed the next start reports
		}
	}
}

// keepSockets remembers those that the subject listens on now.
func (p *running) keepSockets() {
	own, err := p.Sockets()
	if err != nil {
		return // their files stay
	}
	for _, l := range own {
		p.files.keep(l.Socket)
	}
}

// Sockets lists the Unix sockets on which the subject's processes accept connections, without those of the probe.
// Systems other than Linux do not tell.
func (p *running) Sockets() ([]listeners.Listener, error) {
	guard := p.guardPID()
	if guard == 0 {
		return nil, nil
	}
	all, err := listeners.OfUnix(guard, p.processes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // the guard has ended, or this kernel has no Unix sockets
	}
	if err != nil {
		return nil, fail.New(fail.Environment, "list Unix sockets of %s: %w", p.name, err)
	}
	var own []listeners.Listener
	for _, l := range all {
		if p.probe == "" || !strings.HasPrefix(l.Socket, filepath.Dir(p.probe)+string(filepath.Separator)) {
			own = append(own, l)
		}
	}
	return own, nil
}
