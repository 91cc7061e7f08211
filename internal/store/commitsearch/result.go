package commitsearch

import (
	"time"

	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/judge"
)

// Schema is the version of Result's JSON.
const Schema = "hone.bisect/1"

// Result is what a search found.
type Result struct {
	Schema string `json:"schema"`
	// ID is its name in the ledger; empty if it is not there.
	ID string `json:"id,omitempty"`
	// Good and Bad are the ends; GoodRef and BadRef what the user calls them. Note says where the good end is not the
	// commit that was named.
	Good    git.Commit `json:"good"`
	Bad     git.Commit `json:"bad"`
	GoodRef string     `json:"good_ref"`
	BadRef  string     `json:"bad_ref"`
	// Module is the one whose versions the history has.
	Module string `json:"module,omitempty"`
	// Package is that of the program, as the user named it; empty of benchmarks.
	Package string   `json:"package,omitempty"`
	Notes   []string `json:"notes,omitempty"`
	// Commits is how many there are after Good, up to Bad; Quiet is how many of them change nothing that is built or
	// read.
	Commits int `json:"commits"`
	Quiet   int `json:"quiet"`
	// Target is what was followed; nil where there was nothing to follow.
	Target *Target `json:"target,omitempty"`
	// Whole compares Bad with Good.
	Whole *Whole `json:"whole,omitempty"`
	// Steps are the commits that were found, the largest first. Without All there is one at most.
	Steps []Step `json:"steps,omitempty"`
	// Rest is the part of the whole difference that no step explains, as a ratio; 1 is nothing. 0 where it is not
	// known.
	Rest float64 `json:"rest,omitempty"`
	// Curve has the places that were compared, and how likely a step is at each of all.
	Curve []Point `json:"curve,omitempty"`
	// Probes are the comparisons of the search, in their order.
	Probes []Trial `json:"probes,omitempty"`
	// Stopped says why the search ended.
	Stopped Stopped       `json:"stopped"`
	Started time.Time     `json:"started"`
	Elapsed time.Duration `json:"elapsed_ns"`
	// Log is the file that says what was found out, for git bisect replay and for hone bisect --replay.
	Log string `json:"log,omitempty"`
}

// Stopped is why a search ended.
type Stopped string

// Why searches end.
const (
	Found       Stopped = "found"
	Nothing     Stopped = "nothing to find"
	NotSure     Stopped = "not sure that there is anything to find"
	Unconfirmed Stopped = "not confirmed"
	TooMany     Stopped = "too many probes"
	Interrupted Stopped = "interrupted"
)

// Whole is the comparison of both ends.
type Whole struct {
	// Verdict is that on the target; of what has no target the largest part.
	Verdict *judge.Verdict `json:"verdict,omitempty"`
	// Others are the targets that differ as well, the largest difference first.
	Others []TargetVerdict `json:"others,omitempty"`
	// Below is what the difference is smaller than, as a fraction, of all that was measured; 0 where there is one.
	Below float64 `json:"below,omitempty"`
	// Same says that the code of both ends is the same.
	Same bool `json:"same,omitempty"`
	// Comparison is its name in the ledger.
	Comparison string `json:"comparison,omitempty"`
	// Go are the toolchains of both.
	Go   [2]string     `json:"go"`
	Took time.Duration `json:"took_ns"`
}

// Step is a commit that changed the measure.
type Step struct {
	// Commits are the commit, or all that it may be, the oldest first: commits that cannot be measured stay in the
	// answer.
	Commits []git.Commit `json:"commits"`
	// Before is the commit before the first of them.
	Before git.Commit `json:"before"`
	// Probability is that of a change here.
	Probability float64 `json:"probability"`
	// Verdict compares the last of the commits with the one before the first, in two stages; nil where that was not
	// possible.
	Verdict *judge.Verdict `json:"verdict,omitempty"`
	// Refused says why there is no verdict.
	Refused string `json:"refused,omitempty"`
	// Comparison is its name in the ledger.
	Comparison string `json:"comparison,omitempty"`
	// Merged is the merge that brought the commit.
	Merged *git.Commit `json:"merged,omitempty"`
	// Modules are the lines of go.mod that changed, if no Go file did: "example.com/lib v1.2.0 -> v1.3.0".
	Modules []Module `json:"modules,omitempty"`
	// Hunks are what changed in Go files, those of functions that the profiles name first.
	Hunks []Hunk `json:"hunks,omitempty"`
	More  int    `json:"more_hunks,omitempty"`
	// Command compares both commits again.
	Command string `json:"command,omitempty"`
	// Benchmark or Contest is the comparison in full, with what explains it.
	Benchmark *benchmarks.Benchmark `json:"benchmark,omitempty"`
	Contest   *record.Contest       `json:"contest,omitempty"`
}

// Confirmed says that the comparison with the commit before shows a difference.
func (s Step) Confirmed() bool { return s.Verdict != nil && s.Verdict.Word.Different() }

// Module is a requirement of go.mod that changed. Before or After is empty for one that is new or gone.
type Module struct {
	Path   string `json:"path"`
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

// Hunk is a part of a difference between two versions of a file.
type Hunk struct {
	File string `json:"file"`
	// Function is the one that it lies in; empty outside of functions.
	Function string `json:"function,omitempty"`
	// Named says that the profiles name the function.
	Named bool `json:"named,omitempty"`
	// Lines are those of a unified diff, the first with the place.
	Lines []string `json:"lines"`
}

// Point is one place of the history: a commit that was compared, or one that was not.
type Point struct {
	Commit git.Commit `json:"commit"`
	// Commits is how many commits it stands for.
	Commits int `json:"commits"`
	// Probability is that of a step at the place.
	Probability float64 `json:"probability"`
	// Ratio is the measure there relative to the good end, Low to High its interval of 95 %; 0 where it was not
	// compared.
	Ratio float64 `json:"ratio,omitempty"`
	Low   float64 `json:"low,omitempty"`
	High  float64 `json:"high,omitempty"`
	// Skipped says why it could not be measured.
	Skipped string `json:"skipped,omitempty"`
}

// Trial is a comparison of a commit with the good end.
type Trial struct {
	Commit git.Commit `json:"commit"`
	// Ratio and Low to High are as in Point. Same says that the code is that of an end, and which.
	Ratio   float64       `json:"ratio,omitempty"`
	Low     float64       `json:"low,omitempty"`
	High    float64       `json:"high,omitempty"`
	Same    string        `json:"same,omitempty"`
	Skipped string        `json:"skipped,omitempty"`
	Go      string        `json:"go,omitempty"`
	Took    time.Duration `json:"took_ns"`
}

// Target is what a search follows.
type Target struct {
	// Package and Benchmark name a benchmark; both are empty for a program.
	Package   string        `json:"package,omitempty"`
	Benchmark string        `json:"benchmark,omitempty"`
	Measure   judge.Measure `json:"measure"`
}

// String is how a sentence names it: "time per operation of Parse/large".
func (t Target) String() string {
	if t.Benchmark == "" {
		return t.Measure.Name
	}
	return t.Measure.Name + " of " + t.Benchmark
}

// TargetVerdict is what a comparison says of one target.
type TargetVerdict struct {
	Target  Target        `json:"target"`
	Verdict judge.Verdict `json:"verdict"`
}
