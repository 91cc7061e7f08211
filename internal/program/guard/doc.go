// Package guard is the parent of the measured program: a process of hone's own executable that starts it, reports how
// it ends, and leaves nothing of it behind, also if hone is killed.
//
// Run is the guard itself, and its backup; Client is hone's end of it.
package guard
