package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// Status is how far a run or a comparison has come.
type Status string

// The states. A run begins as running; Finish sets one of the next four, and a
// later Open or any reader finds out about crashed.
const (
	Running     Status = "running"
	Complete    Status = "complete"
	Partial     Status = "partial"     // ended early, what was measured is kept
	Invalid     Status = "invalid"     // the measurement itself is bad
	Interrupted Status = "interrupted" // the user stopped it
	Crashed     Status = "crashed"     // hone died
)

var finals = []Status{Complete, Partial, Invalid, Interrupted}

// errEnded is what a draft says that has ended.
var errEnded = errors.New("it is no longer running")

// pending is an unfinished run or comparison, and this process's claim to it.
type pending struct {
	l     *Ledger
	ref   Ref
	began time.Time // with its monotonic reading

	mu       sync.Mutex
	record   *Record // as it is stored
	ended    bool
	slices   *sliceWriter
	measures []MeasureValue // these two are stored with the end
	plan     *PlanKey
}

// begin stores r as running, with a fresh id, and remembers it.
func (l *Ledger) begin(r *Record, id *string, started *time.Time) (*pending, error) {
	began := *started
	if started.IsZero() {
		began = l.opts.Now()
	}
	*started = began.UTC().Round(0)
	status, reason, finished := r.state()
	*status, *reason, *finished = Running, "", time.Time{}
	r.Writer = &l.me
	p := &pending{l: l, began: began, record: r}
	err := l.claim(p, id)
	if err == nil {
		p.ref = r.Ref()
		p.slices = newSliceWriter(l.home, *id)
		err = l.store(r)
	}
	if err != nil {
		l.forget(*id)
		return nil, storageNeed(l.dir, rowBytes+uint64(len(r.Doc)), err, "begin %s", r.Ref().Kind)
	}
	return p, nil
}

// claim gives a draft an id and a place that nothing else has.
func (l *Ledger) claim(p *pending, id *string) (err error) {
	if l.lock == nil {
		return errReadOnly
	}
	p.record.Seq = l.nextSeq()
	l.mu.Lock()
	defer l.mu.Unlock()
	if *id, err = newID(l.opts.Random, func(id string) bool {
		return l.known.taken(id) || l.drafts[id] != nil
	}); err != nil {
		return err
	}
	l.drafts[*id] = p
	return nil
}

// nextSeq is a new place at the end of the order of arrival.
func (l *Ledger) nextSeq() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lastSeq++
	return l.lastSeq
}

func (l *Ledger) forget(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.drafts, id)
}

// change stores the record as f changes it.
func (p *pending) change(f func(r *Record) error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return errEnded
	}
	r := p.record.clone()
	if err := f(r); err != nil {
		return err
	}
	if err := p.l.store(r); err != nil {
		return err
	}
	p.record = r
	return nil
}

// end stores the final state, with what f changes. If the disk is full it spends the reserve.
func (p *pending) end(status Status, reason string, doc json.RawMessage, f func(r *Record)) error {
	if !slices.Contains(finals, status) {
		return fmt.Errorf("finish %v: status %q, want one of %v", p.ref, status, finals)
	}
	if err := checkDoc(doc); err != nil {
		return fmt.Errorf("finish %v: %w", p.ref, err)
	}
	finish := func() error {
		return p.change(func(r *Record) error { return p.finish(r, status, reason, doc, f) })
	}
	err := finish()
	if causeOf(err) == causeFull && spendReserve(p.l.home) {
		err = finish()
	}
	if err != nil {
		return storageNeed(p.l.dir, uint64(len(doc))+rowBytes, err, "finish %v", p.ref)
	}
	p.l.forget(p.ref.ID)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	return storage(p.l.dir, p.slices.close(), "close slices of %v", p.ref)
}

// finish gives r its final state. finished is started plus the time that passed by the monotonic clock: a step of
// the wall clock makes no negative duration.
func (p *pending) finish(r *Record, status Status, reason string, doc json.RawMessage, f func(r *Record)) (err error) {
	s, why, finished := r.state()
	*s, *why = status, reason
	*finished = p.began.Add(max(p.l.opts.Now().Sub(p.began), 0)).UTC().Round(0)
	r.Writer = nil
	if len(doc) > 0 {
		r.Doc = string(doc)
	}
	r.Measures = p.measures
	if p.plan != nil {
		r.Run.Target, r.Run.Plan = p.plan.Target, p.plan.Key()
	}
	r.Slices = p.slices.SliceFile
	f(r)
	if p.l.opts.Mark == nil {
		return nil
	}
	content, err := r.Content()
	if err == nil {
		r.Mark = p.l.opts.Mark(content)
	}
	return err
}

// abandon is the end of a draft that its owner forgot before Close.
func (p *pending) abandon() error {
	return p.end(Interrupted, "the ledger was closed before the end", nil, func(*Record) {})
}

// markCrashed ends what a dead writer left running. This process has the lock, so no
// other one writes; a record whose process lives belongs to a system without locks
// (some network file systems), and is left alone. So it is on a full disk: readers see it as crashed in any case.
func (l *Ledger) markCrashed() error {
	for _, kind := range []Kind{KindRun, KindComparison} {
		for _, open := range slices.Clone(l.known.all(kind)) {
			if open.ended() || open.Status() != Crashed {
				continue
			}
			r, err := readSettled(l.home, open.Ref().ID)
			if err == nil {
				err = l.store(r)
			}
			if causeOf(err) == causeFull {
				return nil
			}
			if err != nil {
				return storage(l.dir, err, "mark %v as crashed", open.Ref())
			}
		}
	}
	return nil
}

func crashReason(pid int) string {
	return fmt.Sprintf("hone (PID %d) ended without finishing it", pid)
}
