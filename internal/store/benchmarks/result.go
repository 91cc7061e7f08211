package benchmarks

import (
	"time"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/program/plant"
	"github.com/gohone/hone/internal/program/reach"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/prof/diff"
)

// Schema is the version of Result's JSON.
const Schema = "hone.bench/1"

// Result is what a measurement showed.
type Result struct {
	Schema string `json:"schema"`
	// ID is the name of the comparison in the ledger; empty if it is not there.
	ID string `json:"id,omitempty"`
	// Command is the command line that measured it, without secrets, and Environment where; nil in results of older
	// versions.
	Command     spec.Line           `json:"asked_by,omitempty"`
	Environment *record.Environment `json:"environment,omitempty"`
	// Sides are A and B.
	Sides [2]Side `json:"sides"`
	// Goos, Goarch and CPU are what the test binaries said of the machine.
	Goos   string `json:"goos,omitempty"`
	Goarch string `json:"goarch,omitempty"`
	CPU    string `json:"cpu,omitempty"`
	// Alpha and Delta are the options in force, before the level is shared.
	Alpha float64 `json:"alpha"`
	Delta float64 `json:"delta"`
	Seed  uint64  `json:"seed"`
	// Started and Elapsed are about the rounds; Budget is 0 if there was none.
	Started time.Time     `json:"started"`
	Elapsed time.Duration `json:"elapsed_ns"`
	Budget  time.Duration `json:"budget_ns,omitempty"`
	// Rounds is how many there were, and Stopped why there were no more.
	Rounds  int    `json:"rounds"`
	Stopped string `json:"stopped"`
	// Benchmarks are those that both sides have, in the order of their packages.
	Benchmarks []Benchmark `json:"benchmarks"`
	// Geomean has a verdict for each measure that two or more benchmarks have, combined from
	// theirs.
	Geomean []judge.Verdict `json:"geomean,omitempty"`
	// Instructions says how instructions were counted; nil where time was measured.
	Instructions *InstructionCounter `json:"instructions,omitempty"`
	// OneSided are the benchmarks that only one side has.
	OneSided []OneSided `json:"one_sided,omitempty"`
	// ChangedTests are the test files that differ between the sides. Tests is the side whose
	// test files both were built with, if it was chosen.
	ChangedTests []ChangedTests `json:"changed_tests,omitempty"`
	Tests        string         `json:"tests,omitempty"`
	// Skipped are those that skip themselves, and Failures the packages and benchmarks that
	// do not build or run.
	Skipped  []Skipped `json:"skipped,omitempty"`
	Failures []Failure `json:"failures,omitempty"`
	// Untimed are the benchmarks whose time does not grow with the number of operations.
	Untimed []Untimed `json:"untimed,omitempty"`
	Notes   []Note    `json:"notes,omitempty"`
	// Unchanged are the benchmarks that were not measured, because nothing that they reach, or execute, differs.
	Unchanged []Unchanged `json:"unchanged,omitempty"`
	// Reach is which of the functions that differ between the sides the benchmarks execute; nil where it is not known.
	Reach *reach.Table `json:"reach,omitempty"`
	// OpenGates are the gates on benchmarks that were not compared. They are undecided.
	OpenGates []OpenGate `json:"open_gates,omitempty"`
	// Shard is the part of the benchmarks that this job has measured; nil if it has measured all.
	Shard *Shard `json:"shard,omitempty"`
	// Checked is what the patch that B has passed before it was measured; nil of any other comparison.
	Checked *record.Checked `json:"checked,omitempty"`
	// Planted is what made B slower, to prove that a gate can fail; nil of any other comparison.
	Planted *plant.Planted `json:"planted,omitempty"`
	// Files have the results of A and B in the format of go test.
	Files [2]string `json:"files"`
}

// Count is how many benchmarks have each word.
func (r *Result) Count() map[judge.Word]int {
	n := map[judge.Word]int{}
	for _, b := range r.Benchmarks {
		n[b.Word()]++
	}
	return n
}

// FailureCount is how many packages failed, and how many benchmarks of other packages.
func (r *Result) FailureCount() (packages, benchmarks int) {
	whole := map[string]bool{}
	single := map[[2]string]bool{}
	for _, f := range r.Failures {
		if f.Name == "" {
			whole[f.Package] = true
		} else {
			single[[2]string{f.Package, f.Name}] = true
		}
	}
	return len(whole), len(single)
}

// GateCount is how many gates had each outcome, over all benchmarks.
func (r *Result) GateCount() map[gate.Outcome]int {
	return countOutcomes(r.Gates)
}

// Gates yields the outcomes of the gates for each benchmark, also for those that were not measured; it is an iter.Seq2.
func (r *Result) Gates(yield func(name string, gates []gate.Result) bool) {
	for _, b := range r.Benchmarks {
		if !yield(b.Name, b.Gates) {
			return
		}
	}
	for _, u := range r.Unchanged {
		if !yield(u.Name, u.Gates) {
			return
		}
	}
	yieldOpen(r.OpenGates, yield)
}

// SkippedOnOne are the benchmarks that skip themselves on one side only.
func (r *Result) SkippedOnOne() (one []Skipped) {
	for _, s := range r.Skipped {
		if s.Side == "A" || s.Side == "B" {
			one = append(one, s)
		}
	}
	return one
}

// Gone are the benchmarks that only A has.
func (r *Result) Gone() (gone []OneSided) {
	for _, o := range r.OneSided {
		if o.Side == "A" {
			gone = append(gone, o)
		}
	}
	return gone
}

// ChangedHint is the next step where benchmarks differ between the sides.
func (r *Result) ChangedHint() string {
	if r.Tests == "" {
		return "--tests B runs B's benchmarks on A's code too"
	}
	return "its input differs, which --tests takes from each side: give both sides the same files"
}

// Benchmark is one benchmark, or sub-benchmark, with its verdicts.
type Benchmark struct {
	Package string `json:"package"`
	// Name is as go test prints it, without Benchmark in front.
	Name string `json:"name"`
	// How its samples were taken, and Why not by turns; "" if by turns.
	How Sampling `json:"how"`
	Why string   `json:"why,omitempty"`
	// Differs says how single processes disagree with the turns; nil unless they clearly do.
	Differs *Differs `json:"differs,omitempty"`
	// Operations is how many each turn, or process, did. Rounds is how many blocks there are:
	// fresh starts of both sides.
	Operations int `json:"operations"`
	Rounds     int `json:"rounds"`
	// Disturbed is how many of the rounds something else on the machine disturbed.
	Disturbed int `json:"disturbed_rounds,omitempty"`
	// Layouts is how many link orders of each side the blocks ran; 0 where they all had that of
	// the user's flags.
	Layouts int `json:"link_orders,omitempty"`
	// Verdicts are by measure, the deciding one first.
	Verdicts []judge.Verdict `json:"verdicts"`
	// Changes are what each block of both stages says of the deciding measure; nil where none shows it.
	Changes *judge.Changes `json:"changes,omitempty"`
	// Profiles are the runs of the ledger that have the profiles of A and B; empty if none
	// were taken.
	Profiles [2]string `json:"profiles,omitzero"`
	// Explained says by the profiles what changed; nil if there are none, or the benchmark is not called different.
	Explained *diff.Explanation `json:"explained,omitempty"`
	// ExplainedAllocs has the lines that allocate more or less, by the profiles, if the allocations are called
	// different.
	ExplainedAllocs *diff.Explanation `json:"explained_allocs,omitempty"`
	// Instructions are the counts of all runs, by function, too; nil where time was measured.
	Instructions *InstructionCount `json:"instructions,omitempty"`
	// Changed says what the benchmark itself is made of that differs between the sides: its
	// function, what it uses of the test files, data. Its verdicts are ItselfChanged then.
	Changed []string `json:"changed,omitempty"`
	// Caveats are reasons not to take a faster B by its time alone.
	Caveats []record.Caveat `json:"caveats,omitempty"`
	// Gates are the outcomes of the gates for this benchmark.
	Gates []gate.Result `json:"gates,omitempty"`
}

// Word is the verdict on the deciding measure of the benchmark.
func (b Benchmark) Word() judge.Word {
	if len(b.Verdicts) == 0 {
		return judge.Undecided
	}
	return b.Verdicts[0].Word
}

// OpenCaveat is the first caveat that takes the verdict; nil if there is none.
func (b Benchmark) OpenCaveat() *record.Caveat { return record.OpenCaveat(b.Caveats) }

// Sampling is the way in which the samples of a benchmark are taken.
type Sampling string

// The ways.
const (
	// ByTurns: both test binaries stay alive and take turns of some milliseconds. A block is
	// a fresh start of both.
	ByTurns Sampling = "turns"
	// ByProcesses: each sample is a process of its own, where a benchmark cannot be told to
	// take turns, or its operations or preparations take too long for a turn.
	ByProcesses Sampling = "processes"
)

// Why the rounds ended, besides what ends any comparison (compare.StoppedDecided).
const (
	StoppedCount       = "count reached"
	StoppedInterrupted = "interrupted"
	StoppedFailed      = "nothing more could be measured"
)

// ItselfChanged is the verdict on a benchmark whose own code differs between the sides: a
// difference may be that of the benchmark, and not of what it measures.
const ItselfChanged judge.Word = "the benchmark itself changed"

// Differs is a change of time per operation that turns of living processes and single
// processes show clearly differently: state that a benchmark carries from turn to turn, such
// as a cache or a heap, may be the reason.
type Differs struct {
	// Single is the verdict from single processes, at a level of its own.
	Single judge.Verdict `json:"single"`
}

// Side is one side of the change.
type Side struct {
	// Name is A or B, Label what the user calls it: a ref, a directory, or the working tree.
	Name  string `json:"name"`
	Label string `json:"label"`
	// Commit is the git commit; Dirty says that the files differ from it. Empty outside of
	// repositories.
	Commit string `json:"commit,omitempty"`
	Dirty  bool   `json:"dirty,omitempty"`
	// GoVersion is the toolchain that go chose (go1.26.8).
	GoVersion string `json:"go_version"`
	// Toolchain is what was asked for by name.
	Toolchain string `json:"toolchain,omitempty"`
}
