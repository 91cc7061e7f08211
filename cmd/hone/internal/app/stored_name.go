package app

import (
	"os"

	"github.com/gohone/hone/internal/store/ledger"
)

// IsStored says whether a word has the form of a stored run's name, and no directory has it.
func IsStored(word string) bool {
	info, err := os.Stat(word)
	return ledger.IsName(word) && (err != nil || !info.IsDir())
}
