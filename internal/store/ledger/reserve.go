package ledger

import (
	"errors"
	"io/fs"

	"github.com/gohone/hone/internal/sys/storedir"
)

const reserveName = "reserve"

// reserveBytes is enough for the record that ends a run, and for those of the other variants.
const reserveBytes = 1 << 20

// fillReserve keeps space aside, so that the news that the disk is full can itself
// be stored. As best it can: a disk that is full already has no reserve to give.
func fillReserve(home *storedir.Dir) {
	info, err := home.Stat(reserveName)
	if err == nil && info.Size() == reserveBytes {
		return
	}
	if home.RemoveAll(reserveName) != nil {
		return
	}
	f, err := home.Create(reserveName)
	if err != nil {
		return
	}
	// Real bytes: a file with a hole in it keeps nothing aside.
	_, err = f.Write(make([]byte, reserveBytes))
	if err := errors.Join(err, f.Close()); err != nil {
		_ = home.RemoveAll(reserveName) // part of a reserve helps no one
	}
}

// spendReserve gives the space back and says whether there was any.
func spendReserve(home *storedir.Dir) bool {
	if _, err := home.Stat(reserveName); errors.Is(err, fs.ErrNotExist) {
		return false
	}
	return home.RemoveAll(reserveName) == nil
}
