package lab

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/conduct/once"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/prof"
)

// The schemas of the documents of executions. Fields that the documents of runs under load
// have too, such as label, binary and profiles, have the same names there, so that a reader
// of those can take what it needs. A comparison is a ComparisonRecord.
const (
	OnceSchema           = "hone.once/1"
	OnceComparisonSchema = "hone.once-comparison/1"
)

// OnceOutcome is what MeasureOnce stored.
type OnceOutcome struct {
	Runs []OnceRecord
	// Comparison is nil for a single run.
	Comparison *ComparisonRecord
}

// OnceRecord is the document of the executions of one variant.
type OnceRecord struct {
	Head
	// SHA256 is that of the file of a program that hone did not build.
	SHA256  string        `json:"sha256,omitempty"`
	MaxTime time.Duration `json:"max_time_ns,omitempty"`

	// Executions are those that were timed, in the order of time, the one that failed
	// last. Facts sums up those that did not fail; nil if all did.
	Executions []record.Execution     `json:"executions"`
	Facts      *record.ExecutionFacts `json:"facts,omitempty"`
	// Output is how much the latest execution wrote.
	Output OnceOutput `json:"output"`
	// Profiled says what the one more execution took that the profiles are of; nil without.
	Profiled *record.ProfiledExecution `json:"profiled,omitempty"`
}

// OnceOutput is how many bytes a program wrote, and how many of them were not kept.
type OnceOutput struct {
	Stdout        uint64 `json:"stdout_bytes"`
	Stderr        uint64 `json:"stderr_bytes"`
	StdoutDropped uint64 `json:"stdout_dropped_bytes,omitempty"`
	StderrDropped uint64 `json:"stderr_dropped_bytes,omitempty"`
}

// plan is what has to be equal for runs to be comparable, in words.
func (r OnceRequest) plan(hide redact.Env) string {
	text := "whole executions without load"
	args := redact.Args(r.Args)
	if len(args) > 0 {
		text += ", args " + strings.Join(args, " ")
	}
	if !slices.Equal(args, r.Args) { // what must not be stored counts by a digest
		text += ", values " + digest(hide, strings.Join(r.Args, "\x00"))
	}
	return text
}

// conclude sums up and stores, whatever ended the measurement; nil is the regular end.
func (m *jobs) conclude(cause error) (*OnceOutcome, error) {
	var sides []*side
	for _, v := range m.sides {
		sides = append(sides, v.side)
	}
	m.lookBackAtTheMachine(sides)
	status, reason := statusOf(cause)
	out := &OnceOutcome{}
	for _, v := range m.sides {
		out.Runs = append(out.Runs, m.record(v, status, reason))
	}
	if m.comparison != nil {
		out.Comparison = m.compare(runNames(sides), status, reason)
		for _, contest := range out.Comparison.Contests {
			for _, v := range contest.Verdicts {
				out.Runs[contest.B].Facts.TakeFigure(v.Measure.Key, v.B)
			}
		}
	}
	for i, v := range m.sides {
		cause = errors.Join(cause, v.save(out.Runs[i]))
	}
	return out, unjoin(errors.Join(cause, m.storeComparison(out.Comparison)))
}

// facts sum up the executions that did not fail; nil if there are none.
func (v *job) facts() *record.ExecutionFacts {
	return record.FactsOf(record.GoodExecutions(v.executions))
}

// record fills the document of a run.
func (m *jobs) record(v *job, status ledger.Status, reason string) OnceRecord {
	var conditions []machine.Disturbance
	for _, one := range v.executions {
		conditions = append(conditions, one.Conditions)
	}
	r := OnceRecord{
		Head: m.head(v.side, OnceSchema, status, reason, once.Kinds, conditions), SHA256: v.digest, MaxTime: m.request.MaxTime,
		Executions: slices.Concat([]record.Execution{}, v.executions), Facts: v.facts(),
		Output: OnceOutput{
			Stdout: v.output.Stdout.Seen, Stderr: v.output.Stderr.Seen,
			StdoutDropped: v.output.Stdout.Dropped, StderrDropped: v.output.Stderr.Dropped,
		},
		Profiled: v.profiled,
	}
	r.Dir = cmp.Or(m.request.Dir, m.WorkDir)
	return r
}

// save stores what the latest execution wrote and all that were timed, and closes the row.
func (v *job) save(r OnceRecord) error {
	if err := v.saveOutput(v.output); err != nil {
		return err
	}
	var rows []ledger.Slice
	for i, one := range v.executions {
		rows = append(rows, one.Slice(i))
	}
	if err := v.draft.AddSlices(rows); err != nil {
		return err
	}
	return v.store(r, r.Status, r.Reason, r.Facts.Measures())
}

// compare writes down what became of each variant against the first.
func (m *jobs) compare(runs []string, status ledger.Status, reason string) *ComparisonRecord {
	c := m.measurement.compare(runs, status, reason)
	c.Schema, c.Blocks, c.BlockTime = OnceComparisonSchema, len(m.blocks(1)), m.perRound
	if status == ledger.Complete {
		m.rule(c, m.blocks, func(side int) judge.Sample { return m.sides[side].facts().Figures() }, func(contest *Contest, _ []gate.Result) {
			a, b := m.sides[contest.A], m.sides[contest.B]
			contest.Why = m.explainCPU(contest, a.cpu(), b.cpu(), 1, 1, a.code())
			contest.Weighed = m.weigh(contest, m.request.Production, a.cpu(), b.cpu(), 1, 1, a.code())
		})
	}
	return c
}

// cpu is the CPU profile, if there is one.
func (s *side) cpu() []prof.Capture {
	if c, ok := s.captures["cpu"]; ok {
		return []prof.Capture{c}
	}
	return nil
}
