// Package pull takes profiles of a service that hone did not start, and stores them, or those that others took, as a
// run that has nothing else.
package pull

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/prof"
)

// Store is where such runs are kept.
type Store struct {
	Ledger  *ledger.Ledger
	Version string // of hone, for the document
}

// profiledRun is a run on its way that has profiles and nothing else.
type profiledRun struct {
	draft *ledger.Draft
	doc   record.Captured
}

// begin opens the row of a run; of it the label, the target and what is known of the
// source count.
func (l Store) begin(row ledger.Run) (*profiledRun, error) {
	environment := machine.Describe()
	if row.Started.IsZero() {
		row.Started = time.Now()
	}
	draft, err := l.Ledger.BeginRun(row)
	if err != nil {
		return nil, err
	}
	c := &profiledRun{draft: draft, doc: record.Captured{Captures: []record.KindSummary{}}}
	c.doc.Head = record.Head{Schema: record.CaptureSchema, ID: draft.ID(), Started: row.Started, Label: row.Label,
		Environment: record.Environment{Hone: l.Version, Description: environment}}
	c.doc.Binary.Package, c.doc.Binary.Commit, c.doc.Binary.Dirty = row.Package, row.Commit, row.Dirty
	return c, nil
}

// keep stores a capture.
func (c *profiledRun) keep(one prof.Capture) error {
	i := slices.IndexFunc(c.doc.Captures, func(k record.KindSummary) bool { return k.Kind == one.Kind })
	if i < 0 {
		i = len(c.doc.Captures)
		c.doc.Captures = append(c.doc.Captures, record.KindSummary{Kind: one.Kind})
		c.doc.Profiles = append(c.doc.Profiles, one.Kind)
	}
	k := &c.doc.Captures[i]
	if err := record.AddCapture(c.draft, k.Times, one); err != nil {
		return err
	}
	k.Times++
	k.Duration += one.Duration
	if one.Kind == "cpu" {
		for _, s := range one.Profile.Sample {
			k.Ticks += s.Value[0]
		}
	}
	return nil
}

// finish closes the row with the document; warnings are of profiles that are missing.
func (c *profiledRun) finish(status ledger.Status, reason string, warnings []string) error {
	c.doc.Status, c.doc.Reason, c.doc.Warnings = status, reason, warnings
	c.doc.Elapsed = cmp.Or(c.doc.Elapsed, time.Since(c.doc.Started))
	text, err := json.Marshal(c.doc)
	if err != nil {
		return fmt.Errorf("encode run: %w", err)
	}
	return c.draft.Finish(status, reason, text)
}

// Import stores captures that were taken elsewhere as a run. Of the row it keeps the label,
// the target and what is known of the source; module is the path of the user's, "" if it is not known.
func (l Store) Import(row ledger.Run, module string, captures []prof.Capture) (id string, err error) {
	c, err := l.begin(ledger.Run{Label: redact.Text(row.Label), Target: redact.Text(row.Target),
		Package: row.Package, Commit: row.Commit, Dirty: row.Dirty})
	if err != nil {
		return "", err
	}
	c.doc.Binary.Module = module
	for _, one := range captures {
		if err := c.keep(one); err != nil {
			err = fail.New(fail.Or(fail.Storage, err), "store %s profile: %w", cmp.Or(one.Kind, "unnamed"), err)
			return c.doc.ID, errors.Join(err, c.finish(ledger.Partial, err.Error(), nil))
		}
	}
	return c.doc.ID, c.finish(ledger.Complete, "", nil)
}
