package symbol

import "strings"

// collectorWork is what a stack that is the runtime's own does for the collector.
type collectorWork int

const (
	NotCollector collectorWork = iota
	Marking                    // background workers; the whole of a cycle's marking but for assists
	IdleMarking                // workers that only run where a CPU has nothing else to do
	Sweeping
	Scavenging
)

// The collector's functions by what they do. A stack belongs to the first that is on it;
// the outer ones (gcBgMarkWorker) are not on every stack, since a stack that was switched
// is not always walked to its end.
var collectorFunctions = []struct {
	prefix string
	work   collectorWork
}{
	{"runtime.gcDrainMarkWorkerIdle", IdleMarking},
	{"runtime.gcBgMarkWorker", Marking},
	{"runtime.gcDrain", Marking},
	{"runtime.gcMark", Marking},
	{"runtime.markroot", Marking},
	{"runtime.scanobject", Marking},
	{"runtime.scanObject", Marking},
	{"runtime.greyobject", Marking},
	{"runtime._GC", Marking},
	{"runtime.gcStart", Marking},
	{"runtime.bgsweep", Sweeping},
	{"runtime.sweepone", Sweeping},
	{"runtime.bgscavenge", Scavenging},
	{"runtime.(*scavengerState)", Scavenging},
	{"runtime.(*pageAlloc).scavenge", Scavenging},
}

// CollectorOf says what a stack without a user's frame does for the collector.
func CollectorOf(stack []Frame) collectorWork {
	for _, c := range collectorFunctions {
		for _, f := range stack {
			if strings.HasPrefix(f.Function, c.prefix) {
				return c.work
			}
		}
	}
	return NotCollector
}

// IsAssist says whether a function makes an allocation pay for the collector.
func IsAssist(function string) bool { return strings.HasPrefix(function, "runtime.gcAssistAlloc") }
