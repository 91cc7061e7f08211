package ledger

import (
	"database/sql"
	"errors"
	"fmt"

	sqlite3 "modernc.org/sqlite/lib"

	"github.com/gohone/hone/internal/storedir"
)

// checkContent looks at every page, reference and record: for a database without a
// sum, that is one of an older hone, or one whose writer died while it folded the log
// into the database. The error wraps ErrCorrupt.
func checkContent(db *sql.DB, home *storedir.Dir, version int) error {
	lines, err := structuralFaults(db)
	if err != nil {
		return err
	}
	if len(lines) > 0 {
		return fmt.Errorf("%w: %s", ErrCorrupt, lines[0])
	}
	if version < SchemaVersion {
		return nil // it has no records
	}
	faults, err := recordFaults(db, home)
	if sqliteCode(err)&0xff == sqlite3.SQLITE_ERROR {
		// The queries are right: the database's own description of its tables is not.
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if err != nil {
		return err
	}
	for _, f := range faults {
		if f.row { // a damaged file is no reason not to write: the row is whole
			return fmt.Errorf("%w: %s", ErrCorrupt, f.detail)
		}
	}
	return nil
}

// structuralFaults runs SQLite's own checks.
func structuralFaults(q querier) (faults []string, err error) {
	for _, check := range []struct {
		query string
		scan  func(*sql.Rows) (string, error)
	}{
		{"PRAGMA integrity_check", func(rows *sql.Rows) (text string, err error) { return text, rows.Scan(&text) }},
		{"PRAGMA foreign_key_check", scanForeignKey},
	} {
		rows, err := q.Query(check.query)
		lines, err := collect(rows, err, check.scan)
		if causeOf(err) == causeCorrupt {
			lines, err = []string{err.Error()}, nil
		}
		if err != nil {
			return nil, err
		}
		for _, line := range lines {
			if line != "ok" {
				faults = append(faults, line)
			}
		}
	}
	return faults, nil
}

// recordFault is a difference between a row and its record.
type recordFault struct {
	ref    Ref
	name   string // of the record's file
	detail string
	row    bool // it is the row that is wrong, not the file
}

// recordFaults holds all finished rows against the sums of their records, and those
// against the files.
func recordFaults(q querier, home *storedir.Dir) (faults []recordFault, err error) {
	files, _, err := listRecords(home)
	if err != nil {
		return nil, err
	}
	whole := map[string]bool{}
	for _, f := range files {
		whole[f.name] = true
	}
	for _, kind := range []Kind{KindComparison, KindRun} {
		named, err := namedRecords(q, kind)
		if err != nil {
			return nil, err
		}
		for _, n := range named {
			ref, name := Ref{kind, n.id}, RecordName(n.id, n.sum)
			if !whole[name] {
				faults = append(faults, recordFault{ref: ref, name: name, detail: "missing"})
			}
			r, err := recordOf(q, ref)
			if err != nil {
				return nil, err
			}
			if _, sum, err := r.encode(); err != nil || sum != n.sum {
				faults = append(faults, recordFault{ref, name, fmt.Sprintf("the row of %s %s is not the one that was stored", kind, n.id), true})
			}
		}
	}
	return faults, nil
}

// namedRecords lists the ids and sums of the records that the finished rows name.
func namedRecords(q querier, kind Kind) ([]recordFile, error) {
	rows, err := q.Query(`SELECT id, record FROM ` + kind.table() + ` WHERE record <> '' AND status <> 'running'`)
	return collect(rows, err, func(r *sql.Rows) (f recordFile, err error) { return f, r.Scan(&f.id, &f.sum) })
}

// beingWritten says whether a writer that lives has the ledger open.
func beingWritten(home *storedir.Dir) bool {
	text, err := readStart(home, lockName, maxHolder)
	p, ok := parseHolder(string(text))
	return err == nil && ok && p.alive()
}

// isCorrupt says whether err is about damage of the database.
func isCorrupt(err error) bool {
	return err != nil && (errors.Is(err, ErrCorrupt) || causeOf(err) == causeCorrupt)
}
