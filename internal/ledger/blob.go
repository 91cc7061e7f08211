package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// blobPath is where the bytes with this SHA-256 (64 lower-case hex digits) are. The
// digits come from a database that may be damaged: they must not lead elsewhere.
func blobPath(dir, sum string) (string, error) {
	if len(sum) != hex.EncodedLen(sha256.Size) || strings.Trim(sum, "0123456789abcdef") != "" {
		return "", fmt.Errorf("%q is no SHA-256", sum)
	}
	return filepath.Join(dir, "blobs", sum[:2], sum[2:]), nil
}

// writeBlob stores the bytes of data under their SHA-256 and returns it. When it
// returns, content and name are on the disk. If it fails, no file is left.
func writeBlob(dir string, data io.Reader) (sum string, size int64, err error) {
	tmp, err := os.CreateTemp(filepath.Join(dir, "tmp"), "blob-") // mode 0600
	if err != nil {
		return "", 0, err
	}
	defer func() {
		if err != nil {
			os.Remove(tmp.Name())
		}
	}()
	h := sha256.New()
	size, err = io.Copy(io.MultiWriter(tmp, h), data)
	if err == nil {
		err = tmp.Sync()
	}
	if err := errors.Join(err, tmp.Close()); err != nil {
		return "", size, err
	}
	sum = hex.EncodeToString(h.Sum(nil))
	return sum, size, moveBlob(dir, tmp.Name(), sum)
}

// moveBlob gives the finished file its name. A file of that name is replaced: its
// content is the same, or was damaged and now is whole again.
func moveBlob(dir, tmp, sum string) error {
	path, err := blobPath(dir, sum)
	if err != nil {
		return err
	}
	sub := filepath.Dir(path)
	switch err := os.Mkdir(sub, 0o700); {
	case err == nil:
		if err := syncDir(filepath.Dir(sub)); err != nil {
			return err
		}
	case !errors.Is(err, fs.ErrExist):
		return err
	}
	if err := os.Rename(tmp, path); err != nil {
		return err
	}
	return syncDir(sub)
}

// errDamaged: the bytes of a blob are not those that were stored.
var errDamaged = errors.New("damaged")

// readBlob returns the bytes with this SHA-256 and size, and errDamaged if the file
// holds others.
func readBlob(dir, sum string, size int64) ([]byte, error) {
	path, err := blobPath(dir, sum)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() != size {
		return nil, fmt.Errorf("%w: %d bytes, stored were %d", errDamaged, info.Size(), size)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if got := sha256.Sum256(data); hex.EncodeToString(got[:]) != sum {
		return nil, fmt.Errorf("%w: its SHA-256 is %x", errDamaged, got)
	}
	return data, nil
}
