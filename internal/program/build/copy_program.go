package build

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// CopyProgram replaces the file to by a copy of the executable from. No process starts meanwhile: it would inherit the
// file open for writing, and such a file cannot be executed.
func CopyProgram(from, to string) (err error) {
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
