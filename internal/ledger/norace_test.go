//go:build !race

package ledger

// randomFaults is how often TestDamageLosesNoRun damages a database unless -faults says
// otherwise: each kind of damage some thirty times.
const randomFaults = 250
