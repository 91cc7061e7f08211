package ledger

import (
	"database/sql"
	"encoding/json"
	"fmt"
)

// contentHead keeps marks apart from all else that a key may ever mark. With its NUL no text file is a Content.
const contentHead = "hone.mark/1\x00"

// Content is what a mark and the user's trust in a run cover: all of the record but what a ledger has of its own, which
// are place, origin and the mark itself. Which runs a comparison has, its runs say.
func (r *Record) Content() ([]byte, error) {
	bare := r.At(1, nil)
	if bare.Comparison != nil {
		bare.Comparison.Runs = nil
	}
	text, err := json.Marshal(bare)
	if err != nil {
		return nil, fmt.Errorf("encode record of %v: %w", r.Ref(), err)
	}
	return append([]byte(contentHead), text...), nil
}

// mark gives the row that this process has just ended its mark, and returns its record.
func (l *Ledger) mark(tx *sql.Tx, ref Ref) (*Record, error) {
	r, err := recordOf(tx, ref)
	if err != nil || l.opts.Mark == nil {
		return r, err
	}
	content, err := r.Content()
	if err != nil {
		return nil, err
	}
	r.Mark = l.opts.Mark(content)
	_, err = tx.Exec("UPDATE "+ref.Kind.table()+" SET mark = ? WHERE id = ?", r.Mark, ref.ID)
	return r, err
}

// markOf reads the mark of a row, which is not among the columns of lists.
func markOf(q querier, ref Ref) (string, error) {
	rows, err := q.Query("SELECT mark FROM "+ref.Kind.table()+" WHERE id = ?", ref.ID)
	all, err := collect(rows, err, func(r *sql.Rows) (mark string, err error) { return mark, r.Scan(&mark) })
	return only(all, err, ref.ID)
}
