package gobench

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"

	"github.com/gohone/hone/internal/fail"
)

// copied is the program in a file of its own beside it, made anew. The kernel keeps a file in the same pages of memory for as
// long as it can, so all processes of a file share what these pages cost. Each block has files of its own, and
// that cost becomes scatter between blocks, where it would be a difference between A and B. One comparison of equal files was
// off by 3.5 %; that their pages were the reason was not proved.
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
