package lab

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/internal/machine"
	"github.com/gohone/hone/internal/redact"
	"github.com/gohone/hone/load"
)

// conclude judges, decides and stores, whatever cause ended the measurement; nil is
// the regular end.
func (m *measurement) conclude(cause error) (*Outcome, error) {
	m.env.StealShare = machine.ReadCPUTimes().StealSince(m.cpuBefore)
	stepped := m.wall.Stepped()
	for _, t := range m.trials {
		if stepped != "" {
			t.warn("%s", stepped)
		}
		cause = errors.Join(cause, t.save(m.started), t.saveOutput(), t.saveTimeline(m.started))
	}
	cause = unjoin(cause)
	status, reason := statusOf(cause)
	out, hidden := &Outcome{}, m.hider()
	var invalid *invalidError
	errors.As(cause, &invalid)
	for _, t := range m.trials {
		r := m.record(t, status, reason)
		d := load.Invalid(r.Doubts)
		switch {
		case d != nil && (cause == nil || invalid != nil):
			r.Status, r.Reason = ledger.Invalid, d.Text
			if invalid == nil {
				invalid = &invalidError{variant: t.letter(), doubt: *d}
			}
		case invalid != nil && invalid.variant != t.letter():
			r.Status, r.Reason = ledger.Partial, "ended because the other variant could not be measured: "+invalid.Error()
		}
		out.Runs = append(out.Runs, redact.Strings(r, hidden))
	}
	if invalid != nil {
		cause = fail.New(fail.Invalid, "measurement invalid: %w", invalid).WithHint("%s", m.hintFor(invalid))
		status, reason = ledger.Invalid, invalid.doubt.Text
	}
	if m.comparison != nil {
		c := redact.Strings(*m.compare(out, status, reason), hidden)
		out.Comparison = &c
	}
	return out, unjoin(errors.Join(cause, m.store(out)))
}

// statusOf maps the end of a measurement to the status of its runs.
func statusOf(cause error) (ledger.Status, string) {
	var invalid *invalidError
	switch {
	case cause == nil:
		return ledger.Complete, ""
	case errors.As(cause, &invalid):
		return ledger.Invalid, invalid.doubt.Text
	case fail.ExitCode(cause) == int(fail.Interrupted):
		return ledger.Interrupted, cause.Error()
	default:
		return ledger.Partial, cause.Error()
	}
}

// hider makes texts of a document such as may be stored: errors and warnings quote URLs,
// arguments and the environment.
func (m *measurement) hider() func(text string) string {
	var env []string
	for _, t := range m.trials {
		env = append(env, t.binary.Variant.Env...)
	}
	return m.hide.Text(env)
}

// store closes the rows.
func (m *measurement) store(out *Outcome) error {
	for i, r := range out.Runs {
		doc, err := json.Marshal(r)
		if err != nil {
			return fmt.Errorf("encode run: %w", err)
		}
		t := m.trials[i]
		draft := t.draft
		draft.SetPlan(m.request.plan(cmp.Or(t.target, m.request.Target), m.hide))
		if err := draft.AddMeasures(r.measures()); err != nil {
			return err
		}
		if err := draft.Finish(r.Status, r.Reason, doc); err != nil {
			return err
		}
	}
	if out.Comparison == nil {
		return nil
	}
	doc, err := json.Marshal(out.Comparison)
	if err != nil {
		return fmt.Errorf("encode comparison: %w", err)
	}
	c := out.Comparison
	return m.comparison.Finish(ledger.Comparison{Status: c.Status, Reason: c.Reason, Word: string(c.Word), Doc: doc})
}
