package record

import (
	"time"
)

// The schemas of the documents of executions. Fields that the documents of runs under load
// have too, such as label, binary and profiles, have the same names there, so that a reader
// of those can take what it needs. A comparison is a Comparison.
const (
	ExecutionsSchema           = "hone.once/1"
	ExecutionsComparisonSchema = "hone.once-comparison/1"
)

// Executions is the document of the executions of one variant.
type Executions struct {
	Head
	// SHA256 is that of the file of a program that hone did not build.
	SHA256  string        `json:"sha256,omitempty"`
	MaxTime time.Duration `json:"max_time_ns,omitempty"`

	// Executions are those that were timed, in the order of time, the one that failed
	// last. Facts sums up those that did not fail; nil if all did.
	Executions []Execution     `json:"executions"`
	Facts      *ExecutionFacts `json:"facts,omitempty"`
	// Output is how much the latest execution wrote.
	Output ExecutionsOutput `json:"output"`
	// Profiled says what the one more execution took that the profiles are of; nil without.
	Profiled *ProfiledExecution `json:"profiled,omitempty"`
}

// ExecutionsOutput is how many bytes a program wrote, and how many of them were not kept.
type ExecutionsOutput struct {
	Stdout        uint64 `json:"stdout_bytes"`
	Stderr        uint64 `json:"stderr_bytes"`
	StdoutDropped uint64 `json:"stdout_dropped_bytes,omitempty"`
	StderrDropped uint64 `json:"stderr_dropped_bytes,omitempty"`
}
