package prof

import "strings"

// collectorWork is what a stack that is the runtime's own does for the collector.
type collectorWork int

const (
	notCollector collectorWork = iota
	marking                    // background workers; the whole of a cycle's marking but for assists
	idleMarking                // workers that only run where a CPU has nothing else to do
	sweeping
	scavenging
)

// The collector's functions by what they do. A stack belongs to the first that is on it;
// the outer ones (gcBgMarkWorker) are not on every stack, since a stack that was switched
// is not always walked to its end.
var collectorFunctions = []struct {
	prefix string
	work   collectorWork
}{
	{"runtime.gcDrainMarkWorkerIdle", idleMarking},
	{"runtime.gcBgMarkWorker", marking},
	{"runtime.gcDrain", marking},
	{"runtime.gcMark", marking},
	{"runtime.markroot", marking},
	{"runtime.scanobject", marking},
	{"runtime.scanObject", marking},
	{"runtime.greyobject", marking},
	{"runtime._GC", marking},
	{"runtime.gcStart", marking},
	{"runtime.bgsweep", sweeping},
	{"runtime.sweepone", sweeping},
	{"runtime.bgscavenge", scavenging},
	{"runtime.(*scavengerState)", scavenging},
	{"runtime.(*pageAlloc).scavenge", scavenging},
}

// collectorOf says what a stack without a user's frame does for the collector.
func collectorOf(stack []frame) collectorWork {
	for _, c := range collectorFunctions {
		for _, f := range stack {
			if strings.HasPrefix(f.function, c.prefix) {
				return c.work
			}
		}
	}
	return notCollector
}

// isAssist says whether a function makes an allocation pay for the collector.
func isAssist(function string) bool { return strings.HasPrefix(function, "runtime.gcAssistAlloc") }
