package benchmarks

// Caveat is a reason not to take a faster B by its time alone.
type Caveat struct {
	Kind string `json:"kind"`
	// Open says that it takes the verdict: it is undecided.
	Open bool   `json:"open,omitempty"`
	Text string `json:"text"`
}

// The kinds of caveats.
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
)

func OpenOf(caveats []Caveat) *Caveat {
	for i := range caveats {
		if caveats[i].Open {
			return &caveats[i]
		}
	}
	return nil
}
