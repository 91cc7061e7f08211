package ledger

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/gohone/hone/internal/storedir"
)

// querier is a database or a transaction.
type querier interface {
	Query(query string, args ...any) (*sql.Rows, error)
}

// execer is a database or a transaction that may be written to.
type execer interface {
	Exec(query string, args ...any) (sql.Result, error)
}

// recordOf makes the record of a finished run or comparison from its rows.
func recordOf(q querier, ref Ref) (*Record, error) {
	r := &Record{Schema: recordSchema}
	var err error
	if r.Seq, err = seqOf(q, ref); err != nil {
		return nil, err
	}
	if r.Mark, err = markOf(q, ref); err != nil {
		return nil, err
	}
	if ref.Kind == KindComparison {
		c, err := comparisonOf(q, ref.ID)
		if err != nil {
			return nil, err
		}
		r.Doc, c.Doc = string(c.Doc), nil
		r.Comparison = &c
		return r, nil
	}
	run, err := runOf(q, ref.ID)
	if err != nil {
		return nil, err
	}
	r.Doc, run.Doc = string(run.Doc), nil
	r.Run = &run
	if r.Slices, err = slicesOf(q, ref.ID); err != nil {
		return nil, err
	}
	if r.Measures, err = measuresOf(q, ref.ID); err != nil {
		return nil, err
	}
	r.Artefacts, err = artefactsOf(q, ref.ID)
	return r, err
}

// seqOf returns the place of ref in the order of arrival, and an error unless there is
// exactly one such row.
func seqOf(q querier, ref Ref) (int64, error) {
	rows, err := q.Query("SELECT seq FROM "+ref.Kind.table()+" WHERE id = ?", ref.ID)
	all, err := collect(rows, err, func(r *sql.Rows) (seq int64, err error) { return seq, r.Scan(&seq) })
	return only(all, err, ref.ID)
}

// keepRecord writes the record of a finished row and names it in the row. The file is
// on the disk before tx can be committed.
func keepRecord(tx *sql.Tx, home *storedir.Dir, ref Ref) (*Record, error) {
	r, err := recordOf(tx, ref)
	if err != nil {
		return nil, err
	}
	return r, keep(tx, home, r)
}

// keep is keepRecord of a record that was just made of the row.
func keep(tx *sql.Tx, home *storedir.Dir, r *Record) error {
	sum, err := writeRecord(home, r)
	if err != nil {
		return err
	}
	_, err = tx.Exec("UPDATE "+r.Ref().Kind.table()+" SET record = ? WHERE id = ?", sum, r.Ref().ID)
	return err
}

// insertRecord makes the rows of r, whose sum is "" if no file holds it.
func insertRecord(tx *sql.Tx, r *Record, sum string) error {
	if c := r.Comparison; c != nil {
		_, err := tx.Exec(`INSERT INTO comparisons (seq, id, status, reason, started, finished, word, sentence, doc,
			origin, record, mark, pid, born) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, '')`,
			r.Seq, c.ID, c.Status, c.Reason, c.Started.UnixNano(), nanosOf(c.Finished), c.Word, c.Sentence, docOf([]byte(r.Doc)),
			originText(c.Origin), sum, r.Mark)
		return err
	}
	run := r.Run
	comparison := sql.NullString{String: run.Comparison, Valid: run.Comparison != ""}
	_, err := tx.Exec(`INSERT INTO runs (seq, id, comparison, variant, status, reason, started, finished, label, package,
		commit_id, dirty, build_id, target, plan, machine, doc, origin, record, mark, pid, born)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, '')`,
		r.Seq, run.ID, comparison, run.Variant, run.Status, run.Reason, run.Started.UnixNano(), nanosOf(run.Finished),
		run.Label, run.Package, run.Commit, run.Dirty, run.BuildID, run.Target, run.Plan, run.Machine, docOf([]byte(r.Doc)),
		originText(run.Origin), sum, r.Mark)
	if err != nil {
		return err
	}
	if err := insertSlices(tx, run.ID, r.Slices); err != nil {
		return err
	}
	if err := insertMeasures(tx, run.ID, r.Measures); err != nil {
		return err
	}
	for _, a := range r.Artefacts {
		if err := insertArtefact(tx, a); err != nil {
			return err
		}
	}
	return nil
}

// removeRows removes what there is of a run or comparison; the rows of a record take
// its place in the same transaction.
func removeRows(tx *sql.Tx, ref Ref) error {
	// A comparison's runs refer to it; the reference holds again at the commit.
	if _, err := tx.Exec("PRAGMA defer_foreign_keys = on"); err != nil {
		return err
	}
	if ref.Kind == KindRun {
		for _, table := range []string{"slices", "measures", "artefacts"} {
			if _, err := tx.Exec("DELETE FROM "+table+" WHERE run = ?", ref.ID); err != nil {
				return err
			}
		}
	}
	_, err := tx.Exec("DELETE FROM "+ref.Kind.table()+" WHERE id = ?", ref.ID)
	return err
}

// nanosOf is the inverse of timeOf.
func nanosOf(t time.Time) sql.NullInt64 {
	if t.IsZero() {
		return sql.NullInt64{}
	}
	return sql.NullInt64{Int64: t.UnixNano(), Valid: true}
}

// originText is how a row holds an origin: as JSON, "" for what was measured here.
func originText(o *Origin) string {
	if o == nil {
		return ""
	}
	text, err := json.Marshal(o)
	if err != nil {
		panic(err) // two times and a string
	}
	return string(text)
}

// parseOrigin is the inverse of originText.
func parseOrigin(text string) (*Origin, error) {
	if text == "" {
		return nil, nil
	}
	o := &Origin{}
	if err := json.Unmarshal([]byte(text), o); err != nil {
		return nil, fmt.Errorf("read origin: %w", err)
	}
	return o, nil
}
