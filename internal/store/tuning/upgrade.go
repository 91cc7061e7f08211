package tuning

import (
	"cmp"
	"math"

	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/cgroup"
	"github.com/gohone/hone/judge"
)

// Upgrade is what other releases of Go do to a program, in each of some boxes, with one comparison for each box, or to
// benchmarks, with one comparison for each release.
type Upgrade struct {
	Schema string `json:"schema"`
	// Toolchains are the releases that were compared, the first being what the others are held against.
	Toolchains []string `json:"toolchains"`
	// Missing are those that cannot build the program.
	Missing []MissingToolchain `json:"missing,omitempty"`
	Boxes   []UpgradeBox       `json:"boxes,omitempty"`
	// Benchmarks are those by each release but the first; none of a program.
	Benchmarks []UpgradeBenchmark `json:"benchmarks,omitempty"`
}

// UpgradeBenchmark is a benchmark by one toolchain.
type UpgradeBenchmark struct {
	Toolchain string `json:"toolchain"`
	Package   string `json:"package"`
	// Name is as go test prints it, without Benchmark in front; empty of a package that failed.
	Name string `json:"name,omitempty"`
	// Verdicts are against the first toolchain, that on time first. Failure says why there are none.
	Verdicts []judge.Verdict `json:"verdicts,omitempty"`
	Failure  string          `json:"failure,omitempty"`
	// Parts says which part of the release a difference comes from; nil where there is none.
	Parts *UpgradeParts `json:"parts,omitempty"`
}

// UpgradeRow is the program by one toolchain in a box.
type UpgradeRow struct {
	Toolchain string `json:"toolchain"`
	// GoVersion is the release that built it: another name than Toolchain where that is local, auto or path.
	GoVersion string `json:"go_version"`
	Run       string `json:"run"`
	// GOMAXPROCS is what the runtime chose; 0 where it is not known. Throttled is the part of the time, 0 to 1.
	GOMAXPROCS int     `json:"gomaxprocs,omitempty"`
	Throttled  float64 `json:"throttled_share"`
	// CPUNanos and PeakRSSBytes are those of the run, P99 is the latency, in nanoseconds; 0 is not known.
	CPUNanos     float64 `json:"cpu_ns_per_request"`
	P99          int64   `json:"p99_ns"`
	PeakRSSBytes uint64  `json:"peak_rss_bytes"`
	// Word is the verdict against the first toolchain, Verdicts are those on UpgradeMeasures; none of the first.
	Word     judge.Word      `json:"verdict,omitempty"`
	Verdicts []judge.Verdict `json:"verdicts,omitempty"`
	// Parts says which part of the release a difference comes from; nil where there is none.
	Parts *UpgradeParts `json:"parts,omitempty"`
}

// UpgradeParts is which of the parts of a release that can be switched off carry its difference from another.
type UpgradeParts struct {
	From string `json:"from"`
	To   string `json:"to"`
	// Comparison is its name in the ledger: of To as it is, From, and To without each part. Failure says why there is
	// none.
	Comparison string `json:"comparison,omitempty"`
	Failure    string `json:"failure,omitempty"`
	// Measures are those that were divided, Skipped the parts that were not tried.
	Measures []Divided `json:"measures,omitempty"`
	Skipped  []Skipped `json:"skipped,omitempty"`
}

// Divided is a change of a measure. Those of its parts that are shown add up to it with Rest. Shares are of the value
// of the older release; the intervals of all hold at once.
type Divided struct {
	Key     string  `json:"key"`
	Measure string  `json:"measure"`
	Change  Cost    `json:"change"`
	Parts   []Part  `json:"parts,omitempty"`
	Rest    float64 `json:"rest_share"`
}

// Part is what a part of a release costs: what goes away without it.
type Part struct {
	Name string `json:"name"`
	Does string `json:"does,omitempty"`
	// Off are the KEY=VALUE that switch it off, for build and program.
	Off []string `json:"off"`
	// Run is the one without it in the ledger; empty of a benchmark.
	Run  string `json:"run,omitempty"`
	Cost Cost   `json:"cost"`
}

// Compare orders parts: those whose interval excludes zero first, then the largest.
func (p Part) Compare(q Part) int {
	if p.Cost.Shown != q.Cost.Shown {
		if p.Cost.Shown {
			return -1
		}
		return 1
	}
	return cmp.Compare(math.Abs(q.Cost.Share), math.Abs(p.Cost.Share))
}

// UpgradeBox is the comparison in one box.
type UpgradeBox struct {
	cgroup.Limits
	// Comparison is its name in the ledger; empty if nothing was stored. Failure says why it has no verdict.
	Comparison string       `json:"comparison,omitempty"`
	Failure    string       `json:"failure,omitempty"`
	Rows       []UpgradeRow `json:"rows,omitempty"`
	// Outcome is all that was measured, for reports.
	Outcome *record.Outcome `json:"-"`
}

// MissingToolchain is a release that was asked for and not measured, and why.
type MissingToolchain struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
}
