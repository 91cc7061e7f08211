package walltime

import "strings"

// reason is why a goroutine is blocked.
type reason uint8

const (
	otherReason reason = iota
	onNetwork
	onSleep
	onLock      // sync.Mutex, sync.RWMutex
	onWait      // sync.WaitGroup, sync.Cond
	onChannel   // receive
	onSend      // to a channel
	onSelect    // of several channels
	onCollector // an assist that waits for the collector
)

// reasonOf translates the runtime's word for why a goroutine blocks (runtime/traceruntime.go,
// traceBlockReason). The stack tells locks from wait groups, which share one word.
func reasonOf(word string, k *stack) reason {
	switch {
	case word == "network":
		return onNetwork
	case word == "sleep":
		return onSleep
	case word == "sync" && k.lock:
		return onLock
	case word == "sync", strings.HasPrefix(word, "sync."):
		return onWait
	case word == "chan send":
		return onSend
	case strings.HasPrefix(word, "chan "):
		return onChannel
	case word == "select":
		return onSelect
	case strings.HasPrefix(word, "GC "):
		return onCollector
	}
	return otherReason
}
