package record

// Caveat is something else that changed from A to B and that a verdict on CPU time alone would
// hide: work that is done later, elsewhere, or not at all.
type Caveat struct {
	// Name is one of the Caveat... constants, or of those of package benchmarks.
	Name string `json:"name"`
	// Text completes "but" in words, Detail gives the numbers; empty where Text has them, as those of benchmarks do.
	Text   string `json:"text"`
	Detail string `json:"detail,omitempty"`
	// Open says that it takes the verdict: what was measured is not the cost of the same work, so that a faster B is
	// undecided, and no gate is passed by that. Of services it is not set where the user allows differences.
	Open bool `json:"open,omitempty"`
}

// OpenCaveat is the first caveat that takes the verdict; nil if there is none.
func OpenCaveat(all []Caveat) *Caveat {
	for i := range all {
		if all[i].Open {
			return &all[i]
		}
	}
	return nil
}

// The names of caveats.
const (
	CaveatLater  = "works-after-answer"
	CaveatOthers = "works-elsewhere"
	CaveatGC     = "collects-less"
	CaveatMemory = "more-memory"

	CaveatSettings = "sets-runtime"

	CaveatClosed = "closes-connections"
	CaveatFailed = "fails"
	CaveatBytes  = "fewer-bytes"
	CaveatStatus = "other-status"

	CaveatOutside = "works-outside-slices"
	CaveatKeeps   = "memory-grows"
	CaveatFills   = "fills-disk"

	CaveatWrites   = "writes-less"
	CaveatLogs     = "logs-less"
	CaveatStores   = "stores-less"
	CaveatDurable  = "stores-later"
	CaveatLeaves   = "leaves-less"
	CaveatChildren = "children-do-less"
	CaveatReads    = "reads-less"
	CaveatPacked   = "packs-less"

	CaveatSeen       = "gain-for-hone"
	CaveatAnswers    = "answers-for-hone"
	CaveatRepeated   = "gain-by-repetition"
	CaveatOneRequest = "one-request"
)
