package lab

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/compare"
	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/internal/machine"
	"github.com/gohone/hone/internal/once"
	"github.com/gohone/hone/internal/redact"
	"github.com/gohone/hone/internal/subject"
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
	Executions []once.Execution `json:"executions"`
	Facts      *once.Facts      `json:"facts,omitempty"`
	// Output is how much the latest execution wrote.
	Output   OnceOutput `json:"output"`
	Warnings []string   `json:"warnings,omitempty"`

	// Profiles are the kinds captured, of one more execution, Profiled says what that one
	// took; nil without.
	Profiles    []string       `json:"profiles,omitempty"`
	Profiled    *once.Profiled `json:"profiled,omitempty"`
	Hot         []prof.Cost    `json:"hot,omitempty"` // dearest sites of the CPU profile
	Environment Environment    `json:"environment"`
	// Conditions are what the machine did during the executions, one slice each.
	Conditions machine.Summary `json:"conditions"`
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
func (e *executing) conclude(cause error) (*OnceOutcome, error) {
	var sides []*side
	for _, v := range e.variants {
		sides = append(sides, v.side)
	}
	e.lookBackAtTheMachine(sides)
	status, reason := statusOf(cause)
	out := &OnceOutcome{}
	for _, v := range e.variants {
		r := e.record(v, status, reason)
		cause = errors.Join(cause, v.save(r))
		out.Runs = append(out.Runs, r)
	}
	if e.comparison != nil {
		out.Comparison = e.compare(runNames(sides), status, reason)
	}
	return out, unjoin(errors.Join(cause, e.storeComparison(out.Comparison)))
}

// record fills the document of a run.
func (e *executing) record(v *executed, status ledger.Status, reason string) OnceRecord {
	binary := v.binary.Redacted(e.hide)
	r := OnceRecord{
		Schema: OnceSchema, ID: v.draft.ID(), Status: status, Reason: reason, Started: e.started, Elapsed: time.Since(e.started),
		Label: binary.Variant.Label(), Binary: binary, SHA256: v.digest, Args: redact.Args(e.args), Dir: cmp.Or(e.request.Dir, e.WorkDir),
		MaxTime: e.request.MaxTime, Executions: slices.Concat([]once.Execution{}, v.executions), Facts: once.FactsOf(once.Good(v.executions)),
		Output: OnceOutput{
			Stdout: v.output.Stdout.Seen, Stderr: v.output.Stderr.Seen,
			StdoutDropped: v.output.Stdout.Dropped, StderrDropped: v.output.Stderr.Dropped,
		},
		Profiles: v.kinds(once.Kinds), Profiled: v.profiled, Hot: v.hot(), Environment: e.env,
	}
	r.Warnings = v.warnings
	if e.comparison != nil {
		r.Comparison = e.comparison.ID()
	}
	var all []machine.Disturbance
	for _, one := range v.executions {
		all = append(all, one.Conditions)
	}
	r.Conditions = machine.Summarize(all)
	return r
}

// save stores what the latest execution wrote and all that were timed, and closes the row.
func (v *executed) save(r OnceRecord) error {
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
func (e *executing) compare(runs []string, status ledger.Status, reason string) *ComparisonRecord {
	c := e.measurement.compare(runs, status, reason)
	c.Schema, c.Blocks, c.BlockTime = OnceComparisonSchema, len(e.blocks(1)), e.perRound
	if status == ledger.Complete {
		e.rule(c, e.blocks, func(contest *Contest, _ []compare.GateResult) {
			a, b := e.variants[contest.A], e.variants[contest.B]
			contest.Why = e.explainCPU(contest, a.cpu(), b.cpu(), 1, 1, a.code())
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
