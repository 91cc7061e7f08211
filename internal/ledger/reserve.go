package ledger

import (
	"errors"
	"os"
	"path/filepath"
)

// reserveBytes is enough for the commit that ends a run: the pages of one row and
// its document in the log, and once more when the log is folded into the database.
const reserveBytes = 1 << 20

// fillReserve keeps space aside, so that the news that the disk is full can itself
// be stored. As best it can: a disk that is full already has no reserve to give.
func fillReserve(dir string) {
	path := filepath.Join(dir, "reserve")
	if info, err := os.Stat(path); err == nil && info.Size() == reserveBytes {
		return
	}
	// Real bytes: a file with a hole in it keeps nothing aside.
	if err := os.WriteFile(path, make([]byte, reserveBytes), 0o600); err != nil {
		os.Remove(path)
	}
}

// spendReserve gives the space back and says whether there was any.
func spendReserve(dir string) bool {
	err := os.Remove(filepath.Join(dir, "reserve"))
	return err == nil || !errors.Is(err, os.ErrNotExist)
}
