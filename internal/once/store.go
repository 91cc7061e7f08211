package once

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/internal/machine"
	"github.com/gohone/hone/internal/redact"
	"github.com/gohone/hone/internal/subject"
	"github.com/gohone/hone/prof"
)

// hotLines is how many of the dearest sites a run names.
const hotLines = 5

// record fills the document of a run.
func (m *measurement) record(t *trial, status ledger.Status, reason string) Record {
	binary := t.binary.Redacted(m.hide)
	r := Record{
		Schema: Schema, ID: t.draft.ID(), Status: status, Reason: reason, Started: m.started, Elapsed: time.Since(m.started),
		Label: binary.Variant.Label(), Binary: binary, SHA256: t.digest, Args: redact.Args(m.request.Args), Dir: cmp.Or(m.request.Dir, m.WorkDir), MaxTime: m.request.MaxTime,
		Executions: slices.Concat([]Execution{}, t.executions), Facts: FactsOf(good(t.executions)), Output: outputOf(t.output),
		Warnings: t.warnings, Profiled: t.profiled, Environment: m.env,
	}
	if m.comparison != nil {
		r.Comparison = m.comparison.ID()
	}
	var all []machine.Disturbance
	for _, e := range t.executions {
		all = append(all, e.Conditions)
	}
	r.Conditions = machine.Summarize(all)
	for _, kind := range captured {
		if _, ok := t.captures[kind]; ok {
			r.Profiles = append(r.Profiles, kind)
		}
	}
	if c, ok := t.captures["cpu"]; ok {
		var err error
		if r.Hot, err = prof.Hot(c, prof.CostOptions{Module: t.binary.Module}, hotLines); err != nil {
			r.Warnings = append(r.Warnings, fmt.Sprintf("nothing to see in the CPU profile: %v", err))
		}
	}
	return r
}

func outputOf(o subject.Output) Output {
	return Output{Stdout: o.Stdout.Seen, Stderr: o.Stderr.Seen, StdoutDropped: o.Stdout.Dropped, StderrDropped: o.Stderr.Dropped}
}

// store closes the rows.
func (m *measurement) store(out *Outcome) error {
	for i, r := range out.Runs {
		if err := m.trials[i].store(r); err != nil {
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

// store closes the row of a run, with its output and its executions.
func (t *trial) store(r Record) error {
	for _, s := range []struct {
		name   string
		stream subject.Stream
	}{{"stdout", t.output.Stdout}, {"stderr", t.output.Stderr}} {
		if s.stream.Seen == 0 {
			continue
		}
		if _, err := t.draft.AddArtefact("output", s.name+".txt", strings.NewReader(s.stream.String())); err != nil {
			return err
		}
	}
	var rows []ledger.Slice
	for i, e := range t.executions {
		rows = append(rows, e.slice(i))
	}
	if err := t.draft.AddSlices(rows); err != nil {
		return err
	}
	if err := t.draft.AddMeasures(r.Facts.measures()); err != nil {
		return err
	}
	doc, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("encode run: %w", err)
	}
	return t.draft.Finish(r.Status, r.Reason, doc)
}
