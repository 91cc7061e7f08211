package lab

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/conduct/once"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/prof"
)

// plan is what has to be equal for runs to be comparable, in words.
func (r Task) oncePlan(hide redact.Env) string {
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
func (m *jobs) conclude(cause error) (*record.ExecutionsOutcome, error) {
	var sides []*side
	for _, v := range m.sides {
		sides = append(sides, v.side)
	}
	m.lookBackAtTheMachine(sides)
	status, reason := statusOf(cause)
	out := &record.ExecutionsOutcome{}
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
func (m *jobs) record(v *job, status ledger.Status, reason string) record.Executions {
	var conditions []machine.Disturbance
	for _, one := range v.executions {
		conditions = append(conditions, one.Conditions)
	}
	r := record.Executions{
		Head: m.head(v.side, record.ExecutionsSchema, status, reason, once.Kinds, conditions), SHA256: v.digest,
		MaxTime:    m.task.MaxTime,
		Executions: slices.Concat([]record.Execution{}, v.executions), Facts: v.facts(),
		Output: record.ExecutionsOutput{
			Stdout: v.output.Stdout.Written, Stderr: v.output.Stderr.Written,
			StdoutDropped: v.output.Stdout.Dropped, StderrDropped: v.output.Stderr.Dropped,
		},
		Profiled: v.profiled,
	}
	r.Dir = cmp.Or(m.task.Dir, m.WorkDir)
	return r
}

// save stores what the latest execution wrote and all that were timed, and closes the row.
func (v *job) save(r record.Executions) error {
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
func (m *jobs) compare(runs []string, status ledger.Status, reason string) *record.Comparison {
	c := m.measurement.compare(runs, status, reason)
	c.Schema, c.Blocks, c.BlockTime = record.ExecutionsComparisonSchema, len(m.blocks(1)), m.perRound
	if status == ledger.Complete {
		m.rule(c, m.blocks, func(side int) judge.Sample { return m.sides[side].facts().Figures() },
			func(contest *record.Contest, _ []gate.Result) {
				a, b := m.sides[contest.A], m.sides[contest.B]
				contest.Why = m.explainCPU(contest, a.cpu(), b.cpu(), 1, 1, a.code())
				contest.Weighed = m.weigh(contest, m.task.Production, a.cpu(), b.cpu(), 1, 1, a.code())
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
