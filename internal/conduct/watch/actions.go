package watch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/internal/text/vitals"
)

// act does what the user asked for. What takes time goes on in a goroutine, which ends by
// itself or with ctx, and whose end is awaited by run.
func (w *Watch) act(ctx context.Context, a Action) {
	switch a {
	case SetMark:
		m := vitals.Mark{At: time.Now(), Number: len(w.marks) + 1}
		w.marks = append(w.marks, m)
		w.note("mark %d", m.Number)
	case Save:
		doc := w.document()
		w.begin(Readings, "being saved", func() (string, []string, error) {
			run, err := saveTo(w.config.Ledger, w.config.Target.Word, doc)
			return run, nil, err
		})
	case TakeProfile:
		if w.config.Profile == nil {
			w.note("no profiles: %s", w.config.NoProfile)
			return
		}
		w.begin(Profiles, "being taken", func() (string, []string, error) {
			if check := w.config.check; check != nil && w.config.Target.GuessedPages {
				if err := check.speaks(ctx); err != nil {
					return "", nil, err
				}
			}
			return w.config.Profile(ctx)
		})
	}
}

// begin starts a job unless one of its kind is under way. Jobs take turns, since each of
// them holds the ledger. One that fell to the end of the watch is still carried out.
func (w *Watch) begin(what, state string, do func() (run string, warnings []string, err error)) {
	if w.running[what] {
		w.note("%s: still %s", what, state)
		return
	}
	w.running[what] = true
	w.note("%s: %s", what, state)
	go func() {
		j := job{what: what}
		w.turn <- struct{}{}
		j.err = guarded(func() (err error) {
			j.run, j.warnings, err = do()
			return err
		})
		<-w.turn
		w.jobs <- j // has room for one of each kind
	}()
}

// finish notes the end of a job.
func (w *Watch) finish(j job) {
	delete(w.running, j.what)
	if j.err != nil {
		w.note("%s: %s", j.what, firstLine(j.err))
		return
	}
	w.kept = append(w.kept, Kept{j.run, j.what})
	text := fmt.Sprintf("%s kept as run %s", j.what, j.run)
	if len(j.warnings) > 0 {
		text += fmt.Sprintf(" (%s)", firstLine(errors.New(j.warnings[0])))
	}
	w.note("%s", text)
}

// document is what was seen so far. Readings are shared, not copied: they never change.
func (w *Watch) document() Document {
	d := Document{
		Schema: Schema, Title: w.title(), Interval: w.config.Interval, Dropped: w.history.Dropped(),
		Marks: append([]vitals.Mark(nil), w.marks...), Warnings: w.gather.warnings(time.Now()),
	}
	for i := range w.history.Len() {
		d.Readings = append(d.Readings, *w.history.At(i))
	}
	return d
}

// LedgerWait is how long another writer of the ledger is waited for: a run beside the
// watch, say.
const LedgerWait = 10 * time.Second

// saveTo stores what was seen as a run of its own, without a document of a measurement.
func saveTo(dir, target string, d Document) (run string, err error) {
	if len(d.Readings) == 0 {
		return "", fail.New(fail.BadInput, "nothing was seen yet")
	}
	store, err := ledger.OpenWith(dir, ledger.Options{Wait: LedgerWait})
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	target, d = redact.URL(target), redact.Strings(d, redact.Text)
	draft, err := store.BeginRun(ledger.Run{
		Started: d.Readings[0].At, Label: "watch " + target, Target: target,
		Machine: ledger.MachineKey(machine.Describe()),
	})
	if err != nil {
		return "", err
	}
	d.Run = draft.ID()
	text, err := json.Marshal(d)
	if err == nil {
		_, err = draft.AddArtefact(Artefact, artefactFile, bytes.NewReader(text))
	}
	if err != nil {
		return draft.ID(), errors.Join(err, draft.Finish(ledger.Partial, err.Error(), nil))
	}
	return draft.ID(), draft.Finish(ledger.Complete, "", nil)
}
