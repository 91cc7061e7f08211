package trust

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gohone/hone/internal/sys/filelock"
	"github.com/gohone/hone/internal/text/fail"
)

// Key is the user's own secret. A mark that it made says that this user's hone wrote a content: no one else has the
// key, which never leaves the user's directory for configuration. A nil Key makes no mark, and recognises none.
type Key []byte

// keyBytes is the size of a key: that of SHA-256, more adds nothing (RFC 2104, section 3).
const keyBytes = 32

// keyPath is the file of the user's key.
func keyPath() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fail.New(fail.Environment, "find the key of marks: %w", err).
			WithHint("set HOME, or XDG_CONFIG_HOME to an absolute path")
	}
	return filepath.Join(dir, "hone", "mark.key"), nil
}

// UserKey returns the key of the user: hone/mark.key in the directory for configuration. It is nil if there is none
// yet.
func UserKey() (Key, error) {
	path, err := keyPath()
	if err != nil {
		return nil, err
	}
	return readKey(path)
}

// MakeUserKey is UserKey, and makes the key when there is none.
func MakeUserKey() (Key, error) {
	path, err := keyPath()
	if err != nil {
		return nil, err
	}
	return makeKey(path)
}

// readKey reads a key; nil if there is none.
func readKey(path string) (Key, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, keyError("read", path, err)
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, keyError("read", path, err)
	case !info.Mode().IsRegular(), info.Mode().Perm()&0o077 != 0:
		return nil, keyError("read", path, fmt.Errorf("it has to be a file for its user alone, and is %v", info.Mode()))
	}
	key, err := io.ReadAll(io.LimitReader(file, keyBytes+1))
	if err == nil && len(key) != keyBytes {
		err = fmt.Errorf("it has not %d bytes", keyBytes)
	}
	if err != nil {
		return nil, keyError("read", path, err)
	}
	return key, nil
}

// makeKey returns the key of a file. Two hones that make it at the same moment get the same one.
func makeKey(path string) (Key, error) {
	if key, err := readKey(path); key != nil || err != nil {
		return key, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, keyError("make", path, err)
	}
	unlock, err := filelock.Wait(context.Background(), path+".lock") // held for one read and one write
	switch {
	case errors.Is(err, errors.ErrUnsupported): // of two keys the later one stays
	case err != nil:
		return nil, keyError("make", path, err)
	default:
		defer unlock()
	}
	if key, err := readKey(path); key != nil || err != nil {
		return key, err
	}
	key := make(Key, keyBytes)
	if _, err := rand.Read(key); err != nil {
		return nil, keyError("make", path, err)
	}
	if err := replace(path, key); err != nil {
		return nil, keyError("make", path, err)
	}
	return key, nil
}

func keyError(verb, path string, err error) error {
	return fail.New(fail.Storage, "%s the key of marks, %s: %w", verb, path, err).
		WithHint("remove it: hone makes a new one, and then runs from before need hone trust")
}

// Mark returns the mark of a content, empty without a key: HMAC-SHA-256 (RFC 2104) in hex.
func (k Key) Mark(content []byte) string {
	if len(k) != keyBytes {
		return ""
	}
	return hex.EncodeToString(k.sum(content))
}

// Made says whether this key made the mark of just this content.
func (k Key) Made(mark string, content []byte) bool {
	given, err := hex.DecodeString(mark)
	return err == nil && len(k) == keyBytes && hmac.Equal(given, k.sum(content))
}

func (k Key) sum(content []byte) []byte {
	h := hmac.New(sha256.New, k)
	h.Write(content)
	return h.Sum(nil)
}
