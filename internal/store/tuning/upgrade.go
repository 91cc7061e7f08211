package tuning

import (
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/cgroup"
	"github.com/gohone/hone/judge"
)

// Upgrade is what other releases of Go do to a program, in each of some boxes: one comparison for each box.
type Upgrade struct {
	Schema string `json:"schema"`
	// Toolchains are the releases that were compared, the first being what the others are held against.
	Toolchains []string `json:"toolchains"`
	// Missing are those that cannot build the program.
	Missing []MissingToolchain `json:"missing,omitempty"`
	Boxes   []UpgradeBox       `json:"boxes"`
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
