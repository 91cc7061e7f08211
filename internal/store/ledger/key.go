package ledger

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"

	"github.com/gohone/hone/internal/sys/storedir"
	"github.com/gohone/hone/internal/text/fail"
)

// keyName is the file of the key, keyBytes its size: that of SHA-256, more adds nothing
// (RFC 2104, section 3).
const (
	keyName  = "key"
	keyBytes = 32
)

// Key is the ledger's own random key for hashes of what must not be stored itself (see
// internal/text/redact). It is made when it is first asked for, stays in the directory
// with mode 0600, and is in no document: what is copied out of the ledger does not have it.
func (l *Ledger) Key() ([]byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	key, err := readKey(l.home)
	if errors.Is(err, fs.ErrNotExist) {
		key, err = makeKey(l.home)
	}
	return key, storage(l.dir, err, "read the key of the ledger")
}

func readKey(home *storedir.Dir) ([]byte, error) {
	key, err := readStart(home, keyName, keyBytes+1)
	if err == nil && len(key) != keyBytes {
		err = fail.New(fail.Storage, "%s has not %d bytes", home.Join(keyName), keyBytes).
			WithHint("remove it: a new one is made, and hashes of earlier runs will differ from those of later ones")
	}
	return key, err
}

// makeKey writes a key whole or not at all.
func makeKey(home *storedir.Dir) ([]byte, error) {
	key := make([]byte, keyBytes)
	if _, err := rand.Read(key); err != nil {
		return nil, fmt.Errorf("draw a key: %w", err)
	}
	return key, placeFile(home, keyName, key)
}
