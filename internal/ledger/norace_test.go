//go:build !race

package ledger

// randomFaults is how often TestDamageLosesNoRun damages a database unless told otherwise.
const randomFaults = 1000
