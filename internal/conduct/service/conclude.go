package service

import (
	"context"
	"errors"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/internal/wire/answer"
	"github.com/gohone/hone/load"
	"github.com/gohone/hone/prof"
)

// conclude judges, decides and stores, whatever cause ended the measurement; nil is
// the regular end.
func (m *services) conclude(ctx context.Context, cause error) (*record.Outcome, error) {
	m.LookBackAtTheMachine(sidesOf(m.sides))
	for _, v := range m.sides {
		cause = errors.Join(cause, v.save(m.Started), v.SaveOutput(v.latest.output), v.saveTimeline(m.Started))
	}
	cause = lab.Unjoin(cause)
	status, reason := lab.StatusOf(cause)
	out, hidden := &record.Outcome{}, m.Hider(m.otherEnv(), m.otherSecrets())
	var invalid *lab.InvalidError
	errors.As(cause, &invalid)
	for _, v := range m.sides {
		r := m.record(v, status, reason)
		if invalid != nil && invalid.Doubt.Name == DoubtNeed { // the others are its consequences
			r.Doubts = append([]load.Doubt{invalid.Doubt}, r.Doubts...)
		}
		d := load.Invalid(r.Doubts)
		switch {
		case d != nil && (cause == nil || invalid != nil):
			r.Status, r.Reason = ledger.Invalid, d.Text
			if invalid == nil {
				invalid = &lab.InvalidError{Letter: v.Letter, Doubt: *d}
			}
		case invalid != nil && invalid.Letter != "" && invalid.Letter != v.Letter:
			r.Status, r.Reason = ledger.Partial, "ended because the other variant could not be measured: "+
				invalid.Error()
		}
		out.Runs = append(out.Runs, redact.Strings(r, hidden))
	}
	if invalid != nil {
		cause = fail.New(fail.Invalid, "measurement invalid: %w%s", invalid, m.firstWrong(invalid)).
			WithHint("%s", m.hintFor(invalid))
		status, reason = ledger.Invalid, invalid.Doubt.Text
	}
	if m.Comparison != nil {
		found := m.compare(lab.RunNames(sidesOf(m.sides)), status, reason)
		m.AskCompiler(ctx, found, sidesOf(m.sides), func(side int) []prof.Capture { return m.sides[side].profiles.Pieces["cpu"] })
		c := redact.Strings(*found, hidden)
		c.TakeFigures(out.Runs)
		out.Comparison = &c
	}
	return out, lab.Unjoin(errors.Join(cause, m.store(out)))
}

// firstWrong is what the first wrong answer was, to stand after a doubt about all of them; empty if it is not known.
func (m *services) firstWrong(invalid *lab.InvalidError) string {
	notes := m.sideOf(invalid).latest.notes
	if invalid.Doubt.Name != load.DoubtWrong || notes == nil {
		return ""
	}
	return answer.FirstOf(notes())
}

// sidesOf are what variants under load have in common with all others.
func sidesOf(all []*service) []*lab.Side {
	var sides []*lab.Side
	for _, v := range all {
		sides = append(sides, v.Side)
	}
	return sides
}

// store closes the rows.
func (m *services) store(out *record.Outcome) (err error) {
	for i, r := range out.Runs { // a run that is not stored costs the others nothing
		v := m.sides[i]
		v.Draft.SetPlan(planKey(m.Task, m.targetOf(v), m.Hide))
		err = errors.Join(err, v.Store(r, r.Status, r.Reason, r.Measures()))
	}
	return lab.Unjoin(errors.Join(err, m.StoreComparison(out.Comparison)))
}
