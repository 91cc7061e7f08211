// Package history reads the ledger as a history: one measure by commit and time, the
// points at which it changed, and the distance to the pinned baseline (Read); and it
// compares two runs that were not taken together (Compare).
//
// A series holds only what may be compared: runs of one package under one plan, from
// one variant label, on one machine. Within it runs are in the order of their start.
// Runs that are not complete are shown at their place in time, and do not count: no change,
// no interval and no bar is drawn from them.
package history
