package once

import (
	"time"

	"github.com/gohone/hone/internal/compare"
	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/internal/machine"
	"github.com/gohone/hone/internal/subject"
	"github.com/gohone/hone/prof"
)

// The schemas of the documents that the ledger keeps and --json prints. Fields that the
// documents of runs under load have too, such as label, binary and profiles, have the
// same names there, so that a reader of those can take what it needs.
const (
	Schema           = "hone.once/1"
	ComparisonSchema = "hone.once-comparison/1"
)

// Outcome is what Measure stored.
type Outcome struct {
	Runs []Record
	// Comparison is nil for a single run.
	Comparison *Comparison
}

// Record is the document of the executions of one variant.
type Record struct {
	Schema     string         `json:"schema"`
	ID         string         `json:"id"`
	Comparison string         `json:"comparison,omitempty"`
	Status     ledger.Status  `json:"status"`
	Reason     string         `json:"reason,omitempty"`
	Started    time.Time      `json:"started"`
	Elapsed    time.Duration  `json:"elapsed_ns"`
	Label      string         `json:"label"`
	Binary     subject.Binary `json:"binary"`
	// SHA256 is that of the file of a program that hone did not build.
	SHA256  string        `json:"sha256,omitempty"`
	Args    []string      `json:"args,omitempty"` // for all variants, behind the variant's own
	Dir     string        `json:"dir"`            // in which it ran
	MaxTime time.Duration `json:"max_time_ns,omitempty"`

	// Executions are those that were timed, in the order of time, the one that failed
	// last. Facts sums up those that did not fail; nil if all did.
	Executions []Execution `json:"executions"`
	Facts      *Facts      `json:"facts,omitempty"`
	// Output is how much the latest execution wrote.
	Output   Output   `json:"output"`
	Warnings []string `json:"warnings,omitempty"`

	// Profiles are the kinds captured, of one more execution, Profiled says what that one
	// took; nil without.
	Profiles    []string    `json:"profiles,omitempty"`
	Profiled    *Profiled   `json:"profiled,omitempty"`
	Hot         []prof.Cost `json:"hot,omitempty"` // dearest sites of the CPU profile
	Environment Environment `json:"environment"`
	// Conditions are what the machine did during the executions, one slice each.
	Conditions machine.Summary `json:"conditions"`
}

// Execution is one start of the program, to its end.
type Execution struct {
	subject.Spent
	// Start counts from the beginning of the run, Round and Turn from 0: where in which
	// round of a comparison it was.
	Start time.Duration `json:"start_ns"`
	Round int           `json:"round"`
	Turn  int           `json:"turn"`
	// Failure says how it failed; empty if it did not.
	Failure string `json:"failure,omitempty"`
	// Conditions are what the machine did meanwhile.
	Conditions machine.Disturbance `json:"conditions"`
}

// Profiled is the execution under the profiler.
type Profiled struct {
	subject.Spent
	// CPUShare is the share of its CPU time that the CPU profile saw, 0 to 1.
	CPUShare float64 `json:"cpu_share"`
	// Passes is how many CPU profiles, one after the other, were put together.
	Passes int `json:"passes"`
}

// Output is how many bytes a program wrote, and how many of them were not kept.
type Output struct {
	Stdout        uint64 `json:"stdout_bytes"`
	Stderr        uint64 `json:"stderr_bytes"`
	StdoutDropped uint64 `json:"stdout_dropped_bytes,omitempty"`
	StderrDropped uint64 `json:"stderr_dropped_bytes,omitempty"`
}

// Environment is what a later reader has to know about where a run was taken.
type Environment struct {
	Hone string `json:"hone"` // version of hone
	machine.Description
	// StealShare is the share of the machine's CPU time that the hypervisor took
	// while the measurement ran, 0 to 1.
	StealShare float64 `json:"steal_share"`
}

// Comparison is the document of a comparison. Its fields are named as those of a
// comparison under load.
type Comparison struct {
	Schema  string        `json:"schema"`
	ID      string        `json:"id"`
	Status  ledger.Status `json:"status"`
	Reason  string        `json:"reason,omitempty"`
	Started time.Time     `json:"started"`
	Elapsed time.Duration `json:"elapsed_ns"`
	Runs    []string      `json:"runs"`
	Seed    uint64        `json:"seed"` // of the order of the executions
	// Budget is what the rounds might have taken, Blocks how many of them there were,
	// BlockTime what one took on average, Stopped why they ended.
	Budget    time.Duration  `json:"budget_ns"`
	Blocks    int            `json:"blocks"`
	BlockTime time.Duration  `json:"block_time_ns"`
	Stopped   string         `json:"stopped,omitempty"`
	Looks     []compare.Look `json:"looks,omitempty"`
	// Word is that of the first contest, for lists.
	Word     compare.Word         `json:"verdict"`
	Contests []Contest            `json:"contests"`
	Gates    []compare.GateResult `json:"gates,omitempty"`
}

// Contest is one variant against another.
type Contest struct {
	// A and B are indices of Comparison.Runs.
	A int `json:"a"`
	B int `json:"b"`
	// Word is the verdict on CPU per execution, or invalid.
	Word compare.Word `json:"verdict"`
	// Verdicts are those on all measures, in the order of Measures.
	Verdicts []compare.Verdict `json:"verdicts,omitempty"`
	// Why explains the verdict by the CPU profiles.
	Why *prof.Explanation `json:"why,omitempty"`
	// Changes are what older releases have in place of Why.
	Changes []prof.Change `json:"changes,omitempty"`
}
