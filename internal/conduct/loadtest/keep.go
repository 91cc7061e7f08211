package loadtest

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gohone/hone/internal/judge/limit"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/loadtests"
	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/progress"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/load"
)

// keeping is the row of a load test in the ledger. Where no ledger can be opened the test goes on without one, and the
// user is told once: its methods then do nothing, also on nil. What an open ledger, or a full disk, could not keep is
// an error at the end.
type keeping struct {
	warn  func(text string)
	store *ledger.Ledger // nil: nothing is kept any more
	draft *ledger.Draft
	doc   loadtests.Document
	began time.Time
	rows  []packed.Slice // not yet in the ledger
	count int            // of all slices
	wrote time.Time      // when rows were last written
	lost  error          // why an open ledger, or a full disk, has not kept the test
}

// keepEvery is how long slices wait for the ledger: a crash costs no more than these. A commit
// waits for the disk, and the generator should not notice it often.
const keepEvery = 10 * time.Second

// keep begins the run of a test that has its connections.
func (t *test) keep(r Task) *keeping {
	if t.Ledger == nil {
		return nil
	}
	k := &keeping{warn: t.Progress.Warn, began: time.Now(), wrote: time.Now()}
	if err := k.begin(t, r); err != nil {
		k.lose(err)
		return k
	}
	progress.Tell(t.Progress, k.doc.ID)
	return k
}

func (k *keeping) begin(t *test, r Task) error {
	h, err := t.header(r.Schedule)
	if err != nil {
		return err
	}
	return k.beginWith(t.Tester, r, recording.New(h).Header) // without what may be secret
}

// beginWith makes the row of a test whose recording has the header h.
func (k *keeping) beginWith(t *Tester, r Task, h recording.Header) (err error) {
	if k.store, err = t.Ledger(); err != nil {
		return err
	}
	key, err := k.store.Key()
	if err != nil {
		return err
	}
	k.doc = loadtests.Document{
		Schema: loadtests.Schema, Status: ledger.Running, Started: k.began.UTC(), Label: h.Target, Target: h.Target,
		Header: h,
		File:   r.File, Command: r.Command.Redacted(),
	}
	doc, err := json.Marshal(k.doc)
	if err != nil {
		return fmt.Errorf("encode load test: %w", err)
	}
	k.draft, err = k.store.BeginRun(ledger.Run{
		Started: k.began, Label: h.Target, Target: h.Target, Plan: planOf(r, h, redact.Env{Key: key}).Key(),
		Machine: ledger.MachineKey(machine.Describe()), Doc: doc,
	})
	if err == nil {
		k.doc.ID = k.draft.ID()
	}
	return err
}

// planOf is what has to be equal for load tests to be comparable: the host, too, which of a
// program that hone starts does not count. What may be secret counts by a digest.
func planOf(r Task, h recording.Header, hide redact.Env) ledger.PlanKey {
	p := ledger.PlanKey{Target: h.Target, Connections: r.Plan.Connections, Depth: r.Plan.Depth}
	_, rest, _ := strings.Cut(h.Target, "://")
	host, _, _ := strings.Cut(rest, "/")
	more := []string{strings.TrimSpace("load test of " + cmp.Or(host, h.Target))}
	digest := func(what, text string) { more = append(more, what+" "+hide.Digest(text)[:16]) }
	p.Loop, p.RateHz = loopOf(r.Schedule, r.FindMax, hide)
	if text, err := json.Marshal(r.Protocol); err == nil && string(text) != "{}" {
		digest("options", string(text))
	}
	if h.Target != r.Target {
		digest("values", r.Target)
	}
	p.More = strings.Join(more, ", ")
	return p
}

// loopOf names the loop; a rate alone is returned as such, and a closed loop is none.
func loopOf(s load.Schedule, limits []limit.Threshold, hide redact.Env) (text string, rateHz float64) {
	poisson := ""
	if s.Arrivals == load.Poisson {
		poisson = " Poisson"
	}
	switch {
	case len(limits) > 0:
		return "highest rate with " + words(limits), 0
	case len(s.Replay) > 0:
		return "replay " + hide.Digest(fmt.Sprint(s.Replay))[:16], 0
	case len(s.Stages) == 1 && s.Stages[0].From == s.Stages[0].To && poisson == "":
		return "", s.Stages[0].From
	}
	var stages []string
	for _, g := range s.Stages {
		text := fmt.Sprintf("%g/s", g.From)
		if g.To != g.From {
			text += fmt.Sprintf(" to %g/s", g.To)
		}
		stages = append(stages, text)
	}
	return strings.Join(stages, ", ") + poisson, 0
}

// slice adds a slice of the recording.
func (k *keeping) slice(s packed.Slice) {
	if k == nil || k.store == nil {
		return
	}
	k.rows, k.count = append(k.rows, loadtests.SliceOf(k.count, s)), k.count+1
	if time.Since(k.wrote) < keepEvery {
		return
	}
	if err := k.write(); err != nil {
		k.lose(err)
	}
}

// write puts the slices that wait into the ledger.
func (k *keeping) write() error {
	rows := k.rows
	k.rows, k.wrote = nil, time.Now()
	if len(rows) == 0 {
		return nil
	}
	return k.draft.AddSlices(rows)
}

// end finishes the run with what the test came to, and closes the ledger. out is nil if nothing was measured. The error
// says that the ledger has no record of the test.
func (k *keeping) end(out *Result, err error) error {
	if k == nil || k.store == nil {
		return k.loss()
	}
	k.doc.Elapsed = time.Since(k.began)
	k.doc.Status, k.doc.Reason = statusOf(out, err)
	if out != nil {
		k.doc.Search = out.Search
		k.doc.Summarize(out.Recording)
		if k.count == 0 { // of a search: the slices of the last measurement
			for _, s := range out.Recording.Slices {
				k.slice(s)
			}
		}
		if k.store == nil {
			return k.loss()
		}
	}
	if err := errors.Join(k.finish(), k.store.Close()); err != nil {
		return fail.New(fail.Or(fail.Storage, err), "keep this test in the ledger: %w", err)
	}
	if out != nil {
		out.Run = k.doc.ID
	}
	return nil
}

// loss is the error of a test that was to be kept.
func (k *keeping) loss() error {
	if k == nil || k.lost == nil {
		return nil
	}
	return fail.New(fail.Or(fail.Storage, k.lost), "this test is not kept in the ledger: %w", k.lost)
}

func (k *keeping) finish() error {
	if err := k.write(); err != nil {
		return err
	}
	doc, err := json.Marshal(k.doc)
	if err != nil {
		return fmt.Errorf("encode load test: %w", err)
	}
	if err := k.draft.AddMeasures(k.doc.Measures()); err != nil {
		return err
	}
	return k.draft.Finish(k.doc.Status, k.doc.Reason, doc)
}

// lose goes on without the ledger. What it has of the run it then marks as interrupted.
func (k *keeping) lose(err error) {
	k.warn(fmt.Sprintf("note: this test is not kept in the ledger: %v\n      --ledger names another directory, --no-ledger does without", err))
	if k.store != nil || errors.Is(err, ledger.ErrFull) {
		k.lost = err
	}
	if k.store != nil {
		_ = k.store.Close() // the first error is the one to report
	}
	k.store, k.rows = nil, nil
}

// statusOf is the state of a run that ended so, and the reason in words.
func statusOf(out *Result, err error) (ledger.Status, string) {
	if out == nil {
		switch fail.KindOf(err) {
		case fail.Interrupted:
			return ledger.Interrupted, firstLine(err)
		case fail.Invalid:
			return ledger.Invalid, firstLine(err)
		default:
			return ledger.Partial, firstLine(err)
		}
	}
	final := out.Recording.Final
	switch d := load.Invalid(final.Doubts); {
	case final.Interrupted:
		return ledger.Interrupted, "interrupted; the result covers what was sent until then"
	case d != nil:
		return ledger.Invalid, d.Text
	case err != nil && fail.KindOf(err) != fail.Regression:
		return ledger.Partial, firstLine(err)
	}
	return ledger.Complete, ""
}

func firstLine(err error) string {
	var known *fail.Error
	if errors.As(err, &known) && known.Err != nil {
		err = known.Err
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return redact.Text(line)
}
