package benchmarks

// The names of caveats: reasons not to take a faster B by its time alone.
const (
	// CaveatCPU: B uses more CPU time from exec to exit.
	CaveatCPU = "cpu"
	// CaveatMoved: B does outside of the timed part what A does in it.
	CaveatMoved = "moved"
	// CaveatFirst: the gain is not in the first operation of a process.
	CaveatFirst = "first operation"
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
