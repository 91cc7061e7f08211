package loadtest

import (
	"errors"
	"io"
	"time"

	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/internal/sys/outfile"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/load"
)

// Combine makes one recording of those of generators that carried out a test together, as Run would have: merged, and
// held against the conditions of r. doubts and notes are what there is to say besides them.
func Combine(r Task, parts []*recording.Recording, doubts []load.Doubt, notes []string) (*recording.Recording, error) {
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
	return rec, nil
}

// Keep keeps a result in the ledger and in r.File. began is when the test began. What it returns is verdict, and the
// error of the file before it.
func (t *Tester) Keep(r Task, out *Result, began time.Time, verdict error) error {
	if r.File != "" {
		err := outfile.Write(r.File, outfile.Private, func(w io.Writer) error { return out.Recording.Write(w) })
		if err != nil {
			verdict = errors.Join(fail.New(fail.Or(fail.Storage, err), "write recording %s: %w", r.File, err), verdict)
		}
	}
	if t.Ledger != nil {
		k := &keeping{warn: t.Progress.Warn, began: began, wrote: time.Now()}
		if err := k.beginWith(t, r, out.Recording.Header); err != nil {
			k.lose(err)
		}
		for _, s := range out.Recording.Slices {
			k.slice(s)
		}
		verdict = errors.Join(verdict, k.end(out, verdict))
	}
	return verdict
}
