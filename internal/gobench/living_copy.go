package gobench

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"

	"github.com/gohone/hone/internal/fail"
)

// copied is the program in a file of its own beside it, made anew. The kernel keeps a file in
// the same pages of memory for as long as it can, and these pages are good or bad luck of a
// program's cache and its translations of addresses: twelve processes of one file and twelve of an equal
// one differed by 3.5 % all the time. So each block has files of its own, and this luck is in what its values scatter.
func (p program) copied() (program, error) {
	to := filepath.Join(filepath.Dir(p.path), "live-"+filepath.Base(p.path))
	if err := copyProgram(p.path, to); err != nil {
		return p, fail.New(fail.Environment, "copy the test binary: %w", err)
	}
	p.path = to
	return p, nil
}

// copyProgram replaces the file to by a new one. No process starts meanwhile: it would inherit the file open for
// writing, and such a file cannot be executed.
func copyProgram(from, to string) (err error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.Remove(to); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o700)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
