package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"

	"github.com/gohone/hone/internal/sys/storedir"
)

// BlobName is the name, below the directory of a ledger, of the file of the bytes with this SHA-256
// (64 lower-case hex digits). They may come from a record of unknown origin: they must not lead elsewhere.
func BlobName(sum string) (string, error) {
	if len(sum) != hex.EncodedLen(sha256.Size) || strings.Trim(sum, "0123456789abcdef") != "" {
		return "", fmt.Errorf("%q is not a SHA-256", sum)
	}
	return path.Join("blobs", sum[:2], sum[2:]), nil
}

// isSum says whether text is a SHA-256 in hex digits.
func isSum(text string) bool {
	_, err := BlobName(text)
	return err == nil
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// blobPath is that as a path, for messages and tools.
func blobPath(dir, sum string) (string, error) {
	name, err := BlobName(sum)
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, filepath.FromSlash(name)), nil
}

// writeBlob stores the bytes of data under their SHA-256 and returns it. When it
// returns, content and name are on the disk. If it fails, no file is left.
func writeBlob(home *storedir.Dir, data io.Reader) (sum string, size int64, err error) {
	tmp, name, err := home.CreateTemp("tmp", "blob-")
	if err != nil {
		return "", 0, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, home.RemoveAll(name))
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
	return sum, size, moveBlob(home, name, sum)
}

// moveBlob gives the finished file its name. A file of that name is replaced: its
// content is the same, or was damaged and now is whole again.
func moveBlob(home *storedir.Dir, tmp, sum string) error {
	name, err := BlobName(sum)
	if err != nil {
		return err
	}
	sub := path.Dir(name)
	made, err := home.Mkdir(sub)
	if err == nil && made {
		err = home.Sync(path.Dir(sub))
	}
	if err != nil {
		return err
	}
	if err := home.Rename(tmp, name); err != nil {
		return err
	}
	return home.Sync(sub)
}

// readBlob returns the bytes with this SHA-256 and size, and errDamaged if the file
// holds others.
func readBlob(home *storedir.Dir, sum string, size int64) ([]byte, error) {
	name, err := BlobName(sum)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	f, err := home.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() != size {
		return nil, fmt.Errorf("%w: %d bytes, stored were %d", errDamaged, info.Size(), size)
	}
	data := make([]byte, size)
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, err
	}
	if got := sumOf(data); got != sum {
		return nil, fmt.Errorf("%w: its SHA-256 is %s", errDamaged, got)
	}
	return data, nil
}
