package advice

import (
	"fmt"
	"time"

	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/holders"
)

// View is what is known of one run. What was not observed is nil or zero.
type View struct {
	// Run is the name of the run, for the commands that findings name.
	Run string
	// Compare is the command that compares this run's program with a changed one.
	Compare string
	// Setting is the command that compares this run's program with itself, with one more entry in B's environment;
	// nil where there is none.
	Setting func(entry string) string
	// Completing are the flags, with a space before them, that a command needs beside Run to measure the run again.
	Completing string
	// MeasuredAgain says that Run can be measured again, Rewrites whether the source at a finding can be rewritten as
	// its rule says; nil: it cannot.
	MeasuredAgain bool
	Rewrites      func(Finding) bool
	// ModuleDir is where the user's module was when the program was built.
	ModuleDir string
	// Code says which functions are the user's.
	Code prof.Code
	// Captures are the profiles by kind, those of one kind merged.
	Captures map[string]prof.Capture
	// Waits says where the wall time of requests went.
	Waits   *walltime.Digest
	Numbers Numbers
	// Holder holds the most of the memory at the end; nil where that is not known.
	Holder *holders.Holder
	Build  Build
	// Source returns the text of a file that a profile names; nil where there is none. Siblings names the files of a
	// directory that Source knows; nil where that is not known.
	Source   func(file string) ([]byte, error)
	Siblings func(dir string) []string

	stacks    []stack
	files     map[string]*sourceFile
	packages  map[string]*sourcePackage // by directory
	keptAt    map[string]bool           // by the lines of the user's frames: see kept
	sameAt    map[callSite]bool         // see computesSame
	collector float64                   // share of the CPU time that the collector takes, assists included
	samples   int64                     // of the CPU profile
	claimed   map[int]*found
	found     []*found
	// referenced are the user's lines that name functions of libraries; nil before they were looked for.
	referenced []reference
	missing    []string
}

// Numbers are counters of the run and of the machine.
type Numbers struct {
	// CPUNanos is the CPU time per request; RateHz the requests answered in a second.
	CPUNanos float64
	RateHz   float64
	// Requests is how many were answered, Unanswered how many were not.
	Requests, Unanswered uint64
	// OpenLoop says that requests were sent at fixed times, and not each after an answer.
	OpenLoop bool
	// Connections and Depth are those of the load; Connections is 0 for a program that ends by itself.
	Connections, Depth int
	// Reads and Writes are read and write calls per request, Allocs and AllocBytes what a request allocates.
	Reads, Writes, Allocs, AllocBytes float64
	// ReadBytes and WriteBytes went through these calls; 0 in runs of an earlier hone, which did not count them.
	ReadBytes, WriteBytes float64
	// Cycles is how many cycles of the collector ended in Time.
	Cycles uint64
	Time   time.Duration
	// HeapLive and HeapGoal are the largest that were seen, Resident what was resident at the end, in bytes.
	HeapLive, HeapGoal, Resident uint64
	// LatencyP50 and LatencyP99 are those of the timed slices.
	LatencyP50, LatencyP99 time.Duration
	// MaxProcs is GOMAXPROCS, CPUs how many processors the program could use.
	MaxProcs, CPUs int
	// Disturbed says that other programs had the processors during the trace, or during most slices: waits are then
	// longer than the program makes them.
	Disturbed bool `json:",omitempty"`
	// Box is nil where the program had all of the machine.
	Box *Box `json:",omitempty"`
	// Growth is how sizes moved over the timed slices.
	Growth Growth
}

// Growth is what a size gained per request while the load was the same. NaN never occurs.
type Growth struct {
	// Goroutines, HeapBytes and Descriptors are gained per request; each is 0 unless it rose steadily.
	Goroutines, HeapBytes, Descriptors float64
	// FromGoroutines to ToGoroutines and FromHeap to ToHeap are the ends.
	FromGoroutines, ToGoroutines uint64
	FromHeap, ToHeap             uint64
	// Requests were answered meanwhile, of several starts in each.
	Requests uint64
	// Starts is how many starts of the program the sizes are the medians of; 0 for those of one.
	Starts int
	// Longer is the command that loads the program for longer; empty where it is not known.
	Longer string
}

// over says how many requests a growth was seen for.
func (g Growth) over() string {
	if g.Starts > 0 {
		return fmt.Sprintf("%s requests in each of %d starts", units.Count(g.Requests), g.Starts)
	}
	return units.Count(g.Requests) + " requests"
}

// Build is how the program was built.
type Build struct {
	// Flags are the build flags, Env the variant's environment.
	Flags, Env []string
	// Race and Unoptimised are -race and -gcflags with -N or -l.
	Race, Unoptimised bool
}
