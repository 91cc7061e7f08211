package lab

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/load"
)

// conclude judges, decides and stores, whatever cause ended the measurement; nil is
// the regular end.
func (m *services) conclude(cause error) (*record.Outcome, error) {
	m.LookBackAtTheMachine(sidesOf(m.sides))
	for _, v := range m.sides {
		cause = errors.Join(cause, v.save(m.Started), v.SaveOutput(v.latest.output), v.saveTimeline(m.Started))
	}
	cause = Unjoin(cause)
	status, reason := StatusOf(cause)
	out, hidden := &record.Outcome{}, m.hider(m.otherEnv(), m.otherSecrets())
	var invalid *invalidError
	errors.As(cause, &invalid)
	for _, v := range m.sides {
		r := m.record(v, status, reason)
		if invalid != nil && invalid.doubt.Name == DoubtNeed { // the others are its consequences
			r.Doubts = append([]load.Doubt{invalid.doubt}, r.Doubts...)
		}
		d := load.Invalid(r.Doubts)
		switch {
		case d != nil && (cause == nil || invalid != nil):
			r.Status, r.Reason = ledger.Invalid, d.Text
			if invalid == nil {
				invalid = &invalidError{letter: v.letter, doubt: *d}
			}
		case invalid != nil && invalid.letter != "" && invalid.letter != v.letter:
			r.Status, r.Reason = ledger.Partial, "ended because the other variant could not be measured: "+
				invalid.Error()
		}
		out.Runs = append(out.Runs, redact.Strings(r, hidden))
	}
	if invalid != nil {
		cause = fail.New(fail.Invalid, "measurement invalid: %w", invalid).WithHint("%s", m.hintFor(invalid))
		status, reason = ledger.Invalid, invalid.doubt.Text
	}
	if m.Comparison != nil {
		c := redact.Strings(*m.compare(RunNames(sidesOf(m.sides)), status, reason), hidden)
		c.TakeFigures(out.Runs)
		out.Comparison = &c
	}
	return out, Unjoin(errors.Join(cause, m.store(out)))
}

// sidesOf are what variants under load have in common with all others.
func sidesOf(all []*service) []*Side {
	var sides []*Side
	for _, v := range all {
		sides = append(sides, v.Side)
	}
	return sides
}

func RunNames(sides []*Side) []string {
	var names []string
	for _, s := range sides {
		names = append(names, s.Draft.ID())
	}
	return names
}

// store closes the rows.
func (m *services) store(out *record.Outcome) (err error) {
	for i, r := range out.Runs { // a run that is not stored costs the others nothing
		v := m.sides[i]
		v.Draft.SetPlan(m.Task.plan(m.targetOf(v), m.Hide))
		err = errors.Join(err, v.Store(r, r.Status, r.Reason, r.Measures()))
	}
	return Unjoin(errors.Join(err, m.StoreComparison(out.Comparison)))
}

// StoreComparison closes the row of the comparison, if there is one.
func (m *Measurement) StoreComparison(c *record.Comparison) error {
	if c == nil {
		return nil
	}
	doc, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("encode comparison: %w", err)
	}
	return m.Comparison.Finish(ledger.Comparison{Status: c.Status, Reason: c.Reason, Word: string(c.Word), Doc: doc})
}
