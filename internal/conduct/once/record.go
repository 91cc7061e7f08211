package once

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/prof"
)

// planOf is what has to be equal for runs to be comparable, in words.
func planOf(r lab.Task, hide redact.Env) string {
	text := "whole executions without load"
	args := redact.Args(r.Args)
	if len(args) > 0 {
		text += ", args " + strings.Join(args, " ")
	}
	if !slices.Equal(args, r.Args) { // what must not be stored counts by a digest
		text += ", values " + lab.Digest(hide, strings.Join(r.Args, "\x00"))
	}
	return text
}

// conclude sums up and stores, whatever ended the measurement; nil is the regular end.
func (m *jobs) conclude(ctx context.Context, cause error) (*record.ExecutionsOutcome, error) {
	var sides []*lab.Side
	for _, v := range m.sides {
		sides = append(sides, v.Side)
	}
	m.LookBackAtTheMachine(sides)
	status, reason := lab.StatusOf(cause)
	out := &record.ExecutionsOutcome{}
	for _, v := range m.sides {
		out.Runs = append(out.Runs, m.record(v, status, reason))
	}
	if m.Comparison != nil {
		out.Comparison = m.compare(lab.RunNames(sides), status, reason)
		m.AskCompiler(ctx, out.Comparison, sides, func(side int) []prof.Capture { return cpuOf(sides[side]) })
		for _, contest := range out.Comparison.Contests {
			for _, v := range contest.Verdicts {
				out.Runs[contest.B].Facts.TakeFigure(v.Measure.Key, v.B)
			}
		}
	}
	for i, v := range m.sides {
		cause = errors.Join(cause, v.save(out.Runs[i]))
	}
	return out, lab.Unjoin(errors.Join(cause, m.StoreComparison(out.Comparison)))
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
		Head: m.Head(v.Side, record.ExecutionsSchema, status, reason, Kinds, conditions), SHA256: v.Digest,
		MaxTime:    m.Task.MaxTime,
		Executions: slices.Concat([]record.Execution{}, v.executions), Facts: v.facts(),
		Output: record.ExecutionsOutput{
			Stdout: v.output.Stdout.Written, Stderr: v.output.Stderr.Written,
			StdoutDropped: v.output.Stdout.Dropped, StderrDropped: v.output.Stderr.Dropped,
		},
		Profiled: v.profiled,
	}
	r.Dir = cmp.Or(m.Task.Dir, m.WorkDir)
	return r
}

// save stores what the latest execution wrote and all that were timed, and closes the row.
func (v *job) save(r record.Executions) error {
	if err := v.SaveOutput(v.output); err != nil {
		return err
	}
	var rows []packed.Slice
	for i, one := range v.executions {
		rows = append(rows, one.Slice(i))
	}
	if err := v.Draft.AddSlices(rows); err != nil {
		return err
	}
	return v.Store(r, r.Status, r.Reason, r.Facts.Measures())
}

// compare writes down what became of each variant against the first.
func (m *jobs) compare(runs []string, status ledger.Status, reason string) *record.Comparison {
	c := m.Measurement.Compare(runs, status, reason)
	c.Schema, c.Blocks, c.BlockTime = record.ExecutionsComparisonSchema, len(m.blocks(1)), m.perRound
	if status == ledger.Complete {
		m.Rule(c, m.blocks, func(side int) judge.Sample { return m.sides[side].facts().Figures() },
			func(contest *record.Contest, _ []gate.Result) {
				a, b := m.sides[contest.A], m.sides[contest.B]
				contest.Why = m.ExplainCPU(contest, cpuOf(a.Side), cpuOf(b.Side), 1, 1, a.Code())
				contest.Weighed = m.Weigh(contest, m.Task.Production, cpuOf(a.Side), cpuOf(b.Side), 1, 1, a.Code())
			})
	}
	return c
}

// cpuOf is the CPU profile, if there is one.
func cpuOf(s *lab.Side) []prof.Capture {
	if c, ok := s.Captures["cpu"]; ok {
		return []prof.Capture{c}
	}
	return nil
}
