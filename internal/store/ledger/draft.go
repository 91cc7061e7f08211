package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/internal/sys/diskroom"
)

// Draft is a run that is being recorded. Its methods may be called from several
// goroutines.
type Draft struct {
	pending *pending

	roomMu sync.Mutex
	room   *diskroom.Room // for slices that are still to come; nil: none is held
}

// BeginRun stores a run as running and gives it a permanent id. Status, Reason and
// Finished of r are ignored; a zero Started means now. Comparison must be the id of
// a comparison in this ledger.
func (l *Ledger) BeginRun(r Run) (*Draft, error) {
	if err := checkDoc(r.Doc); err != nil {
		return nil, fmt.Errorf("begin run: %w", err)
	}
	if r.Comparison != "" {
		if _, err := l.entry(Ref{KindComparison, r.Comparison}); err != nil {
			return nil, fmt.Errorf("begin run: %w", err)
		}
	}
	record := &Record{Run: &r, Doc: string(r.Doc)}
	r.Doc, r.Origin = nil, nil
	p, err := l.begin(record, &r.ID, &r.Started)
	if err != nil {
		return nil, err
	}
	return &Draft{pending: p}, nil
}

// ID returns the run's permanent id.
func (d *Draft) ID() string { return d.pending.ref.ID }

// AddSlices stores slices, all or none, in the room that was held for them. An Index that
// the run has already is an error.
func (d *Draft) AddSlices(s []packed.Slice) error {
	p, need := d.pending, uint64(0)
	for i := range s {
		need += uint64(sliceBytes + s[i].HistogramBytes())
	}
	err := d.giveRoom()
	if err == nil {
		err = p.addSlices(s)
	}
	return storageNeed(p.l.dir, need, err, "store %d slices of run %s", len(s), d.ID())
}

func (p *pending) addSlices(s []packed.Slice) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return errEnded
	}
	return p.slices.add(s)
}

// AddArtefact stores the bytes of data under a kind ("cpu", "heap", "stderr") and a
// name that the run's other artefacts of that kind do not have. It returns when
// both the file and what the record says of it are on the disk.
func (d *Draft) AddArtefact(kind, name string, data io.Reader) (Artefact, error) {
	return d.pending.addArtefact(kind, name, data)
}

// SetPlan stores, with the end of the run, a plan that was not known whole at its
// beginning, such as the target of a port that was found: it replaces Run.Target and
// Run.Plan.
func (d *Draft) SetPlan(p PlanKey) {
	d.pending.mu.Lock()
	defer d.pending.mu.Unlock()
	d.pending.plan = &p
}

// Finish ends the run as complete, partial, invalid or interrupted; reason says
// why, in words. An empty doc keeps the one the run has. The measures and the plan that
// the draft was given are stored with it, all or nothing. If the disk is full the
// ledger spends its reserve, so that what was measured until then can still be stored.
func (d *Draft) Finish(status Status, reason string, doc json.RawMessage) error {
	return errors.Join(d.giveRoom(), d.pending.end(status, reason, doc, func(*Record) {}))
}
