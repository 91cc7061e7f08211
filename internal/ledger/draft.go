package ledger

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/gohone/hone/internal/diskroom"
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
	p, err := l.begin(KindRun, r.Started, func(tx *sql.Tx, id string, started int64) error {
		comparison := sql.NullString{String: r.Comparison, Valid: r.Comparison != ""}
		_, err := tx.Exec(`INSERT INTO runs (id, comparison, variant, status, started, label, package,
			commit_id, dirty, build_id, target, plan, machine, doc, pid, born)
			VALUES (?, ?, ?, 'running', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			id, comparison, r.Variant, started, r.Label, r.Package,
			r.Commit, r.Dirty, r.BuildID, r.Target, r.Plan, r.Machine, docOf(r.Doc), l.me.pid, l.me.born)
		return err
	})
	if err != nil {
		return nil, err
	}
	p.part = r.Comparison
	return &Draft{pending: p}, nil
}

// ID returns the run's permanent id.
func (d *Draft) ID() string { return d.pending.id }

// AddSlices stores slices, all or none, in the room that was held for them. An Index that
// the run has already is an error.
func (d *Draft) AddSlices(s []Slice) error {
	if err := d.giveRoom(); err != nil {
		return storage(d.pending.l.dir, err, "store %d slices of run %s", len(s), d.ID())
	}
	need := uint64(0)
	for i := range s {
		need += sliceBytes + uint64(len(s[i].Latency))
	}
	err := d.pending.l.inTx(func(tx *sql.Tx) error { return insertSlices(tx, d.ID(), s) })
	return storageNeed(d.pending.l.dir, need, err, "store %d slices of run %s", len(s), d.ID())
}

// AddArtefact stores the bytes of data under a kind ("cpu", "heap", "stderr") and a
// name that the run's other artefacts of that kind do not have. It returns when
// both the file and its row are on the disk.
func (d *Draft) AddArtefact(kind, name string, data io.Reader) (Artefact, error) {
	return d.pending.l.addArtefact(d.ID(), kind, name, data)
}

// Finish ends the run as complete, partial, invalid or interrupted; reason says
// why, in words. An empty doc keeps the one the run has. The measures and the plan that
// the draft was given are stored with it, all or nothing. If the disk is full the
// ledger spends its reserve, so that a partial run can still be stored as such; a complete one, too, with an error.
func (d *Draft) Finish(status Status, reason string, doc json.RawMessage) error {
	return errors.Join(d.giveRoom(), d.pending.end(status, reason, doc, ""))
}
