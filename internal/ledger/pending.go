package ledger

import (
	"cmp"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gohone/hone/internal/fail"
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

// pending is an unfinished row of runs or comparisons, and this process's claim to
// it.
type pending struct {
	l     *Ledger
	kind  Kind
	id    string
	began time.Time // with its monotonic reading
	part  string    // the comparison that a run belongs to; empty: none

	// What a run is given on its way and stored at its end; guarded by l.mu.
	measures []MeasureValue
	plan     *PlanKey
}

// table is the name in SQL.
func (k Kind) table() string { return string(k) + "s" }

// begin inserts a row with a fresh id by insert, and remembers it.
func (l *Ledger) begin(kind Kind, started time.Time, insert func(tx *sql.Tx, id string, startedNanos int64) error) (*pending, error) {
	r := &pending{l: l, kind: kind, began: started}
	if started.IsZero() {
		r.began = l.opts.Now()
	}
	err := l.inTx(func(tx *sql.Tx) (err error) {
		if r.id, err = newID(tx, l.opts.Random); err != nil {
			return err
		}
		return insert(tx, r.id, r.began.UnixNano())
	})
	if err != nil {
		return nil, storage(l.dir, err, "begin %s", kind)
	}
	l.mu.Lock()
	l.drafts[r.id] = r
	l.mu.Unlock()
	return r, nil
}

// end stores the final state with set, a list of further assignments and their
// arguments. The record is on the disk before the row is committed. If the disk is full it spends
// the reserve on the row alone. That is an error for what is complete: nothing else would tell it. A comparison tells it
// for its runs, so that all rows are stored.
func (r *pending) end(status Status, reason string, doc json.RawMessage, set string, args ...any) error {
	if !slices.Contains(finals, status) {
		return fmt.Errorf("finish %s %s: status %q, want one of %v", r.kind, r.id, status, finals)
	}
	if err := checkDoc(doc); err != nil {
		return fmt.Errorf("finish %s %s: %w", r.kind, r.id, err)
	}
	err, missing := r.writeEnd(status, reason, doc, set, args, true), error(nil)
	if causeOf(err) == causeFull && spendReserve(r.l.home) {
		// The reserve is enough for the row; the record is written by a later writer.
		missing, err = err, r.writeEnd(status, reason, doc, set, args, false)
	}
	if err != nil {
		return storageNeed(r.l.dir, uint64(len(doc))+reserveBytes, err, "finish %s %s", r.kind, r.id)
	}
	r.l.mu.Lock()
	defer r.l.mu.Unlock()
	delete(r.l.drafts, r.id)
	if r.part != "" && missing != nil {
		r.l.unkept[r.part] = missing
		return nil
	}
	if missing = cmp.Or(missing, r.l.unkept[r.id]); missing == nil || status != Complete {
		return nil
	}
	return fail.New(fail.Storage, "keep the record of %s %s: %w, and its row took the space in reserve (%w)", r.kind, r.id, ErrFull, missing).
		WithHint("free space on the file system of %s: the next hone that writes to the ledger makes the record from what is stored", r.l.dir)
}

// writeEnd updates the row. finished is started plus the time that passed by the
// monotonic clock: a step of the wall clock makes no negative duration. withRecord says
// whether the record is written, too.
func (r *pending) writeEnd(status Status, reason string, doc json.RawMessage, set string, args []any, withRecord bool) error {
	passed := max(r.l.opts.Now().Sub(r.began), 0)
	all := append([]any{status, reason, r.began.UnixNano() + int64(passed), docOf(doc)}, args...)
	all = append(all, r.id)
	var kept *Record
	err := r.l.inTx(func(tx *sql.Tx) error {
		res, err := tx.Exec(`UPDATE `+r.kind.table()+` SET status = ?, reason = ?, finished = ?,
			doc = coalesce(?, doc)`+set+` WHERE id = ? AND status = 'running'`, all...)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n != 1 {
			return errors.Join(err, fmt.Errorf("it is no longer running"))
		}
		if err := r.writeGiven(tx); err != nil {
			return err
		}
		record, err := r.l.mark(tx, Ref{r.kind, r.id})
		if err != nil || !withRecord {
			return err
		}
		kept = record
		return keep(tx, r.l.home, record)
	})
	if err != nil && kept != nil {
		removeRecord(r.l.home, kept) // it says what did not happen
	}
	return err
}

// writeGiven stores what the run was given on its way.
func (r *pending) writeGiven(tx *sql.Tx) error {
	r.l.mu.Lock()
	measures, plan := r.measures, r.plan
	r.l.mu.Unlock()
	if plan != nil {
		if _, err := tx.Exec(`UPDATE runs SET target = ?, plan = ? WHERE id = ?`, plan.Target, plan.Key(), r.id); err != nil {
			return err
		}
	}
	return insertMeasures(tx, r.id, measures)
}

// abandon is the end of a draft that its owner forgot before Close.
func (r *pending) abandon() error {
	return r.end(Interrupted, "the ledger was closed before the end", nil, "")
}

// markCrashed ends what a dead writer left running. This process has the lock, so no
// other one writes; a row whose process lives belongs to us or to a system without locks
// (some network file systems), and is left alone.
func (l *Ledger) markCrashed() error {
	for _, kind := range []Kind{KindRun, KindComparison} {
		rows, err := l.db.Query(`SELECT id, pid, born FROM ` + kind.table() + ` WHERE status = 'running'`)
		type claim struct {
			id string
			process
		}
		open, err := collect(rows, err, func(r *sql.Rows) (c claim, err error) {
			return c, r.Scan(&c.id, &c.pid, &c.born)
		})
		if err != nil {
			return storage(l.dir, err, "look for crashed %ss", kind)
		}
		for _, c := range open {
			if c.alive() {
				continue
			}
			err := l.inTx(func(tx *sql.Tx) error {
				_, err := tx.Exec(`UPDATE `+kind.table()+` SET status = 'crashed', reason = ? WHERE id = ?`,
					crashReason(c.pid), c.id)
				return err // its record is written with the missing ones
			})
			if err != nil {
				return storage(l.dir, err, "mark %s %s as crashed", kind, c.id)
			}
		}
	}
	return nil
}

func crashReason(pid int) string {
	return fmt.Sprintf("hone (PID %d) ended without finishing it", pid)
}

// seen is the state as a reader reports it: a dead process is not running, even
// before the next writer has said so in the row.
func seen(status Status, reason string, p process) (Status, string) {
	if status == Running && !p.alive() {
		return Crashed, crashReason(p.pid)
	}
	return status, reason
}
