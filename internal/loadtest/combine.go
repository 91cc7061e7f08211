package loadtest

import (
	"errors"
	"io"
	"time"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/outfile"
	"github.com/gohone/hone/internal/recording"
	"github.com/gohone/hone/load"
)

// Combine makes one result of the recordings of generators that carried out a test together, as Run would have: merged, held
// against the conditions of r, kept in the ledger and in r.Output. doubts and notes are what there is to say beside them. began
// is when the test began.
func (t *Tester) Combine(r Request, parts []*recording.Recording, doubts []load.Doubt, notes []string, began time.Time) (*Result, error) {
	rec, err := recording.Merge(parts...)
	if err != nil {
		return nil, err
	}
	if len(doubts) == 0 { // all are there; a sum of rates differs from the whole in its last digit
		rec.Header.Schedule.Stages = r.Schedule.Stages
	}
	rec.Final.Doubts = append(doubts, rec.Final.Doubts...)
	if load.Invalid(doubts) != nil {
		rec.Final.Interrupted = false // not by the user
	}
	rec.Final.Notes = append(rec.Final.Notes, notes...)
	rec.Final.Thresholds = Apply(r.FailIf, rec.Header.Targets, rec.Tally())
	out := &Result{Recording: rec}
	var kept error
	if r.Output != "" {
		err := outfile.Write(r.Output, outfile.Private, func(w io.Writer) error { return rec.Write(w) })
		if err != nil {
			kept = fail.New(fail.Or(fail.Storage, err), "write recording %s: %w", r.Output, err)
		}
	}
	verdict := errors.Join(kept, Verdict(rec))
	if t.Ledger != nil {
		k := &keeping{warn: t.Progress.Warn, began: began, wrote: time.Now()}
		if err := k.beginWith(t, r, nil, rec.Header); err != nil {
			k.lose(err)
		}
		for _, s := range rec.Slices {
			k.slice(s)
		}
		k.end(out, verdict)
	}
	return out, verdict
}
