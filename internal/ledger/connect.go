package ledger

import (
	"database/sql"
	"errors"
	"net/url"
	"path/filepath"
	"strconv"
)

// busyMillis is how long a statement waits for another connection. Only the
// recovery and the checkpoint of a log of a few MB are waited for.
const busyMillis = 5000

// openWriter opens or creates the database at path for the one writer.
func openWriter(path string) (*sql.DB, error) {
	q := changingQuery()
	q.Set("_journal_mode", "WAL")
	q.Set("_synchronous", "FULL")
	// The log is folded into the database when the writer says so: see sum.go.
	q.Add("_pragma", "wal_autocheckpoint(0)")
	// On macOS a plain fsync does not reach the disk; elsewhere these do nothing.
	q.Add("_pragma", "fullfsync(1)")
	q.Add("_pragma", "checkpoint_fullfsync(1)")
	return connect(path, q, 1)
}

// openUnsynced opens or creates a database that is not used until it is finished,
// closed and synced as a whole.
func openUnsynced(path string) (*sql.DB, error) {
	q := changingQuery()
	q.Set("_journal_mode", "MEMORY")
	q.Set("_synchronous", "OFF")
	return connect(path, q, 1)
}

func changingQuery() url.Values {
	q := commonQuery()
	q.Set("_foreign_keys", "on")
	q.Set("_defensive", "true")
	// A transaction that starts as a reader and then writes could fail half way.
	q.Set("_txlock", "immediate")
	return q
}

// openReadOnly opens the database at path, which must exist. immutable promises
// SQLite that there is no writer: then it takes no locks, ignores the log, and
// works in a directory that cannot be written.
func openReadOnly(path string, immutable bool) (*sql.DB, error) {
	q := commonQuery()
	q.Set("mode", "ro")
	if immutable {
		q.Set("immutable", "1")
	}
	return connect(path, q, 4)
}

func commonQuery() url.Values {
	return url.Values{
		"_busy_timeout": {strconv.Itoa(busyMillis)},
		"_dqs":          {"false"}, // a misspelt column is an error, not a string
		"_error_rc":     {"true"},
	}
}

func connect(path string, q url.Values, conns int) (*sql.DB, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	// A URI, because SQLite reads mode and immutable from nothing else; url escapes
	// the ? and % that a directory may have in its name.
	name := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: q.Encode()}
	db, err := sql.Open("sqlite", name.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(conns)
	if err := db.Ping(); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}
