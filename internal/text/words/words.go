// Package words explains the words of hone's output and documents, each once.
package words

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// Word is one entry.
type Word struct {
	Name string
	// Meaning completes "NAME: ..."; a phrase in lower case without a full stop.
	Meaning string
}

// All lists the words in the order in which they build upon each other.
var All = []Word{
	{"subject", "the Go program that is measured: how to build, start, probe and stop it"},
	{"variant", "one way to build and start a subject: source, toolchain, build flags, environment, arguments; A, B, C " +
		"in reports"},
	{"probe", "a file that hone adds to the build of a subject, for profiles and allocation counts"},
	{"generator", "the part of hone that sends the requests, on CPUs of its own where there are several"},
	{"plan", "the load: connections, depth, timeouts"},
	{"depth", "how many requests may wait for an answer on one connection at the same time"},
	{"schedule", "when requests are due: closed loop (whenever a connection has room) or open loop (at planned moments)"},
	{"closed loop", "each connection sends its next request when an answer has come; latency is service time, from " +
		"sending to answer"},
	{"open loop", "requests are due at a rate, whatever the answers do; latency is response time, from the moment a " +
		"request was due"},
	{"stretch", "one load without a break: a schedule, how it is cut into slices, and how it ends"},
	{"slice", "a short part of a stretch (10 ms in a comparison, 1 s in one with a limit of CPU time, 100 ms in a run)"},
	{"pair", "a slice of A and one of B, one right after the other; several of each where the collector is busy"},
	{"start", "a fresh process of a variant: a comparison starts every variant several times, since two processes of " +
		"one binary differ, too"},
	{"block", "one fresh start of all variants and their slices: the unit of every test"},
	{"recording", "what is stored of one load test: its conditions, slices with histograms, and final account"},
	{"run", "the record of one variant under one plan"},
	{"comparison", "two or more variants measured together, slices interleaved in random order"},
	{"contest", "one variant of a comparison against the first"},
	{"A against itself",
		"slices of one variant compared with each other (an A/A test): a difference here is an error of the measurement or " +
			"chance"},
	{"interval", "the range that holds the true value in a stated part of all comparisons, mostly 95 %"},
	{"look", "a point of a comparison at which hone decides whether it can stop"},
	{"gate", "a limit on the change of a measure from A to B; passed, failed or undecided"},
	{"layout", "a build that differs in the order of its functions only; reports of benchmarks say link order"},
	{"send lag", "how late the generator was with a request of an open loop: from the moment it was due and a " +
		"connection was free"},
	{"steal", "CPU time that the host of a virtual machine gave to other machines"},
	{"wait profile",
		"where the wall time of a request goes, from an execution trace: running, waiting to run, blocked, on its way"},
	{"cohort", "requests of similar latency that a wait profile shows together: typical (around p50) or slow (from p99 " +
		"on)"},
	{"assist", "work for the garbage collector that a goroutine must do while it allocates"},
	{"disturbed", "a slice during which the machine gave CPU time to other programs or other machines, or waited for " +
		"memory or disks"},
	{"doubt", "a reason to distrust a measurement; a fatal one makes it invalid"},
	{"box", "limits on the CPU time and memory of a program, like those of a container: a control group of its own"},
	{"throttled", "held back by the kernel since the CPU time of a period of 100 ms was used up"},
	{"need", "a program that a subject cannot do without, such as a database: hone starts it before the subject and " +
		"ends it after"},
	{"setting", "a way to build or start a program that needs no change of its source: an environment variable, an " +
		"argument, a flag or tag of the build"},
	{"feature", "a part of a program that a setting switches off; its cost is what goes away without it"},
	{"front", "the settings for which no other needs less of both CPU time and memory (Pareto front)"},
	{"baseline", "a stored run that is pinned under a name"},
	{"verdict", "faster, slower, same within +-delta, undecided; invalid when the measurement itself is bad"},
	{"ledger", "the store of all runs, `.hone/`"},
}

// Write writes all words as a list.
func Write(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, word := range All {
		fmt.Fprintf(tw, "  %s\t%s\n", word.Name, word.Meaning)
	}
	return tw.Flush()
}
