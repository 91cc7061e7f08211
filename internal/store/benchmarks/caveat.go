package benchmarks

// The names of caveats: reasons not to take a faster B by its time alone.
const (
	// CaveatCPU: B uses more CPU time from exec to exit.
	CaveatCPU = "cpu"
	// CaveatMoved: B does outside of the timed part what A does in it.
	CaveatMoved = "moved"
	// CaveatFirst: the gain is not in the first operation of a process. CaveatOnce: likewise, but it is in the first
	// one with another input. CaveatCache: it is not in that, either.
	CaveatFirst, CaveatOnce, CaveatCache = "first operation", "once", "cache"
	// CaveatUneven: operations of B do not work alike.
	CaveatUneven = "uneven"
	// CaveatDurable: B waits less often for a disk.
	CaveatDurable = "durability"
	// CaveatStart: a start of B takes more CPU time.
	CaveatStart = "start"
	// CaveatTests: tests of the package fail where a benchmark is chosen, on B only.
	CaveatTests = "tests"
	// CaveatSettings: B sets its runtime itself: GOGC, GOMEMLIMIT, GOMAXPROCS.
	CaveatSettings = "settings"
	// CaveatWrites: B writes less, or has disks store less.
	CaveatWrites = "writes"
	// CaveatTurns: the gain is not in single processes. CaveatSeen: it is not in processes that do not show hone.
	CaveatTurns, CaveatSeen = "turns", "seen"
)
