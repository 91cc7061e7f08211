//go:build race

package ledger

// randomFaults: the race detector makes SQLite, which is C translated to Go, twenty times
// slower. make test runs all of them once more without it.
const randomFaults = 8
