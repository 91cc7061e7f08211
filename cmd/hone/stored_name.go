package main

import (
	"os"

	"github.com/gohone/hone/internal/store/ledger"
)

// isStored says whether a word has the form of a stored run's name, and no directory has it.
func isStored(word string) bool {
	info, err := os.Stat(word)
	return ledger.IsName(word) && (err != nil || !info.IsDir())
}
