package main

import "runtime/debug"

// tuning is how the process uses its machine.
type tuning struct {
	gcPercent int
	threads   int
}

func apply(t tuning) {
	debug.SetGCPercent(t.gcPercent)
	debug.SetMaxThreads(t.threads)
}
