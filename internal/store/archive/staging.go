package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/gohone/hone/internal/text/fail"
)

// staging is a directory of this process alone, where blobs wait until the whole archive is
// checked. Their names are their SHA-256.
type staging string

func (s staging) open(sum string) (io.ReadCloser, error) {
	return os.Open(filepath.Join(string(s), sum))
}

// store keeps the content of the entry e, whose name is checked. The error is fail.BadInput
// if the archive is at fault, and fail.Storage if the directory is.
func (s staging) store(files *reader, e Entry) (err error) {
	f, err := os.OpenFile(filepath.Join(string(s), e.SHA256), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return stagingError(err)
	}
	defer func() {
		if closed := f.Close(); err == nil && closed != nil {
			err = stagingError(closed)
		}
	}()
	h := sha256.New()
	out := &faultyWriter{w: f}
	if _, err := io.Copy(io.MultiWriter(h, out), files); err != nil {
		if out.err != nil {
			return stagingError(out.err)
		}
		return files.fault(e.Name, err)
	}
	if sum := hex.EncodeToString(h.Sum(nil)); sum != e.SHA256 {
		return wrongSum(e, sum)
	}
	return nil
}

// faultyWriter remembers that the fault is one of writing, not of reading.
type faultyWriter struct {
	w   io.Writer
	err error
}

func (f *faultyWriter) Write(p []byte) (int, error) {
	n, err := f.w.Write(p)
	f.err = errors.Join(f.err, err)
	return n, err
}

func stagingError(err error) error {
	return fail.New(fail.Storage, "unpack archive: %w", err).
		WithHint("nothing was imported; free some space there, or point TMPDIR at another directory")
}
