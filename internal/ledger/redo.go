package ledger

import (
	"cmp"
	"database/sql"
	"errors"
	"slices"
	"time"

	"github.com/gohone/hone/internal/storedir"
)

// redo brings the rows up to the records, after a writer did not come to its end: a
// record without a finished row is a run whose last commit was not written, or was
// lost with the log. No other process may be writing.
func (l *Ledger) redo() error {
	unmatched, err := unmatchedRecords(l.db, l.home)
	if err != nil {
		return storage(l.dir, err, "compare ledger with its records")
	}
	for _, u := range unmatched {
		err := l.inTx(func(tx *sql.Tx) error {
			if err := removeRows(tx, u.Ref()); err != nil {
				return err
			}
			return insertRecord(tx, u.Record, u.sum)
		})
		if err != nil {
			return storage(l.dir, err, "put back %v", u.Ref())
		}
	}
	return l.redoBaselines()
}

func (l *Ledger) redoBaselines() error {
	kept, ok, err := readBaselines(l.home)
	if err != nil && !errors.Is(err, errDamaged) {
		return storage(l.dir, err, "read baselines")
	}
	rows, err := baselinesIn(l.db)
	if err != nil || !ok || equalBaselines(kept, rows) {
		return storage(l.dir, err, "read baselines")
	}
	err = l.inTx(func(tx *sql.Tx) error {
		_, err := putBaselines(tx, kept)
		return err
	})
	return storage(l.dir, err, "put back baselines")
}

// unmatchedRecords lists the records whose row is missing or still running, comparisons
// before the runs that refer to them. A damaged file is left out: there is nothing in it to
// put back.
func unmatchedRecords(q querier, home *storedir.Dir) ([]kept, error) {
	files, _, err := listRecords(home)
	if err != nil {
		return nil, err
	}
	rows, err := q.Query(`SELECT id, status FROM runs UNION ALL SELECT id, status FROM comparisons`)
	finished := map[string]bool{}
	_, err = collect(rows, err, func(r *sql.Rows) (_ struct{}, err error) {
		var id string
		var status Status
		err = r.Scan(&id, &status)
		finished[id] = status != Running
		return struct{}{}, err
	})
	if err != nil {
		return nil, err
	}
	var all []kept
	for _, f := range files {
		if finished[f.id] {
			continue
		}
		r, err := readRecord(home, f.name)
		if err == nil {
			all = append(all, kept{r, f.sum})
		}
	}
	slices.SortStableFunc(all, compareKept)
	return all, nil
}

// CompareRecords sorts comparisons before runs, and each by their arrival.
func CompareRecords(a, b *Record) int {
	if a.Ref().Kind != b.Ref().Kind {
		return cmp.Compare(a.Ref().Kind, b.Ref().Kind) // "comparison" is before "run"
	}
	return cmp.Compare(a.Seq, b.Seq)
}

// keepTime is how long an opening writer writes the records that are missing: those of
// runs from before there were records, and of one that ended on a full disk. What is
// left is for the next writer.
const keepTime = 200 * time.Millisecond

// keepMissing writes missing records.
func (l *Ledger) keepMissing() error {
	end := time.Now().Add(keepTime)
	for _, kind := range []Kind{KindComparison, KindRun} {
		rows, err := l.db.Query(`SELECT id FROM ` + kind.table() + ` WHERE record = '' AND status <> 'running' ORDER BY id`)
		ids, err := collect(rows, err, func(r *sql.Rows) (id string, err error) { return id, r.Scan(&id) })
		if err != nil {
			return storage(l.dir, err, "look for missing records")
		}
		for batch := range slices.Chunk(ids, 20) {
			if time.Now().After(end) {
				return nil
			}
			err := l.inTx(func(tx *sql.Tx) error { return keepAll(tx, l.home, kind, batch) })
			if causeOf(err) == causeFull {
				return nil // the runs are as they were; a later writer has space
			}
			if err != nil {
				return storage(l.dir, err, "write missing records")
			}
		}
	}
	return nil
}

func keepAll(tx *sql.Tx, home *storedir.Dir, kind Kind, ids []string) error {
	for _, id := range ids {
		if _, err := keepRecord(tx, home, Ref{kind, id}); err != nil {
			return err
		}
	}
	return nil
}
