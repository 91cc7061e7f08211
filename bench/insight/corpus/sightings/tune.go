package main

import "runtime/debug"

// tune lets the heap grow before the collector runs: the observations stay, and what a request needs is soon gone.
func tune() {
	debug.SetGCPercent(200)
}
