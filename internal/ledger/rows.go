package ledger

import (
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// collect reads all rows and closes them: the writer has one connection, and an
// open set of rows would hold it.
func collect[T any](rows *sql.Rows, err error, scan func(*sql.Rows) (T, error)) ([]T, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, errors.Join(rows.Err(), rows.Close())
}

// only returns the one row that has the id.
func only[T any](all []T, err error, id string) (one T, _ error) {
	if err == nil && len(all) != 1 {
		err = fmt.Errorf("%d rows have the id %s", len(all), id)
	}
	if err != nil {
		return one, err
	}
	return all[0], nil
}

// inTx runs f in one transaction: all of its rows or none.
func (l *Ledger) inTx(f func(*sql.Tx) error) error {
	if l.lock == nil {
		return errReadOnly
	}
	tx, err := l.db.Begin()
	if err != nil {
		return err
	}
	if err := f(tx); err != nil {
		// After an error such as a full disk SQLite may have rolled back by itself.
		_ = tx.Rollback()
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return l.foldLongLog()
}

// timeOf is the inverse of storing UnixNano; NULL is the zero time.
func timeOf(nanos sql.NullInt64) time.Time {
	if !nanos.Valid {
		return time.Time{}
	}
	return time.Unix(0, nanos.Int64).UTC()
}

// docOf gives NULL for no document.
func docOf(doc []byte) any {
	if len(doc) == 0 {
		return nil
	}
	return string(doc)
}
