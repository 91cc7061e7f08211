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
		cause = fail.New(fail.Invalid, "measurement invalid: %w", invalid).WithHint("%s", hintFor(invalid.doubt, m.request.Plan))
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

// hintFor says what to try about a doubt.
func hintFor(d load.Doubt, p load.Plan) string {
	switch d.Name {
	case load.DoubtWithheld, load.DoubtNoAnswer:
		return fmt.Sprintf("look for a writer that is not flushed before the server waits for more input; "+
			"if the service is only slow, raise --timeout (now %v)", p.Timeout)
	case load.DoubtUnmatched:
		return "the service answers, but with other ids than the requests had: check the scheme of the target, then the service"
	case load.DoubtEndless:
		return fmt.Sprintf("hone times whole answers, and a stream has none: name a path whose answers end (--path /x), or, if these do end, allow them more time: --timeout %v", 10*p.Timeout)
	case load.DoubtWrong:
		return "look at the causes above; name another path or method if the target was assumed: --target http://127.0.0.1:{port}/path"
	case load.DoubtLive:
		return "the service closed connections: see its log with hone show, or use fewer with -c"
	default:
		return "run it again; if it stays, hone doctor looks at the machine"
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
