package ledger

import (
	"database/sql"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/storedir"
)

// openDamaged opens a copy of the damaged database, with its log, in scratch. It is nil
// if SQLite cannot make anything of it.
func openDamaged(home *storedir.Dir, scratch string, s schema) *sql.DB {
	for _, suffix := range []string{"", "-wal"} {
		if err := copyOut(home, databaseName+suffix, filepath.Join(scratch, "damaged.db"+suffix)); err != nil {
			return nil
		}
	}
	path := filepath.Join(scratch, "damaged.db")
	if db, err := openUnsynced(path); err == nil {
		// Where the damage allows it an old schema becomes this one; the columns of the
		// one before are read as they are.
		_ = migrate(db, s)
		db.Close()
	}
	db, err := openReadOnly(path, false)
	if err != nil {
		return nil
	}
	return db
}

// readRows makes records of the runs and comparisons in a damaged database that have no
// record of their own, from all rows that read, and takes note of all ids that it meets.
func (b *rebuilder) readRows(old *sql.DB, records []kept) (found []kept) {
	d := &damagedRows{db: old, parts: map[string]*Record{}, origin: originColumn(old)}
	d.comparisons()
	d.runs()
	for _, id := range d.ids() {
		b.mention(id, "a run or comparison whose rows do not read")
	}
	for _, k := range records {
		delete(d.parts, k.Ref().ID) // it is whole there
	}
	d.slices()
	d.artefacts()
	d.measures()
	for _, r := range d.parts {
		b.mention(r.Ref().ID, "a "+string(r.Ref().Kind)+" whose rows contradict each other")
		if r.check() == nil {
			found = append(found, kept{r, ""})
		}
	}
	return found
}

// originColumn is the name of that column, or what stands for it in a database of
// schema 2.
func originColumn(db *sql.DB) string {
	if version, err := versionOf(db); err == nil && version < 3 {
		return "''"
	}
	return "origin"
}

// damagedRows reads a damaged database row by row.
type damagedRows struct {
	db     *sql.DB
	origin string
	parts  map[string]*Record // by id
}

// finished is the state of a row that will never be finished.
func finished(status Status, reason string) (Status, string) {
	if status == Running {
		return Crashed, "the ledger was damaged while it ran"
	}
	return status, reason
}

func (d *damagedRows) runs() {
	columns := strings.Replace(runColumns, "origin", d.origin, 1) + ", doc, seq"
	scanTable(d.db, "runs", columns, func(rows *sql.Rows, rowid *int64) error {
		r := &Record{Schema: recordSchema}
		run, err := scanRun(rows, &r.Seq, rowid)
		if err != nil {
			return err
		}
		run.Status, run.Reason = finished(run.Status, run.Reason)
		r.Doc, run.Doc = string(run.Doc), nil
		r.Run = &run
		d.parts[run.ID] = r
		return nil
	})
}

func (d *damagedRows) comparisons() {
	columns := strings.Replace(comparisonColumns, "origin", d.origin, 1) + ", doc, '[]', seq"
	scanTable(d.db, "comparisons", columns, func(rows *sql.Rows, rowid *int64) error {
		r := &Record{Schema: recordSchema}
		c, err := scanComparison(rows, &r.Seq, rowid)
		if err != nil {
			return err
		}
		c.Status, c.Reason = finished(c.Status, c.Reason)
		r.Doc, c.Doc = string(c.Doc), nil
		r.Comparison = &c
		d.parts[c.ID] = r
		return nil
	})
}

func (d *damagedRows) slices() {
	scanTable(d.db, "slices", "run, "+sliceColumns, func(rows *sql.Rows, rowid *int64) error {
		var run string
		s, err := scanSlice(rows, []any{&run}, rowid)
		if r := d.parts[run]; err == nil && r != nil && r.Run != nil {
			r.Slices = append(r.Slices, s)
		}
		return err
	})
}

func (d *damagedRows) artefacts() {
	scanTable(d.db, "artefacts", artefactColumns, func(rows *sql.Rows, rowid *int64) error {
		a, err := scanArtefact(rows, rowid)
		if r := d.parts[a.Run]; err == nil && r != nil && r.Run != nil {
			r.Artefacts = append(r.Artefacts, a)
		}
		return err
	})
}

// measures has a table without row ids: it is read by run.
func (d *damagedRows) measures() {
	for id, r := range d.parts {
		if r.Run != nil {
			r.Measures, _ = measuresOf(d.db, id) // those that read
		}
	}
}

// ids lists all ids that rows and indexes name.
func (d *damagedRows) ids() (all []string) {
	all = slices.Collect(maps.Keys(d.parts))
	for _, query := range []string{
		"SELECT id FROM runs INDEXED BY sqlite_autoindex_runs_1 ORDER BY id",
		"SELECT id FROM comparisons INDEXED BY sqlite_autoindex_comparisons_1 ORDER BY id",
		"SELECT DISTINCT run FROM artefacts NOT INDEXED",
	} {
		rows, err := d.db.Query(query)
		if err != nil {
			continue
		}
		for rows.Next() {
			var id string
			if rows.Scan(&id) == nil && checkIDs(id) == nil {
				all = append(all, id)
			}
		}
		rows.Close()
	}
	return all
}

// farthest is how many numbers are tried behind the last row that reads. A page holds a
// few dozen rows, and a page above the leaves some hundred pages.
const farthest = 1 << 14

// scanTable reads a table in the order of its row ids and goes on behind rows that do
// not read. scan gets the columns, and as the last one the row id.
func scanTable(db *sql.DB, table, columns string, scan func(rows *sql.Rows, rowid *int64) error) {
	t := tableScan{scan: scan}
	query := "SELECT " + columns + ", rowid FROM " + table + " NOT INDEXED WHERE rowid "
	all, err := db.Prepare(query + "> ? ORDER BY rowid")
	if err != nil {
		return // not even the description of the table reads
	}
	defer all.Close()
	one, err := db.Prepare(query + "= ?")
	if err != nil {
		return
	}
	defer one.Close()
	end := t.lastIn(db, table)
	for t.read(all, t.last) != nil {
		before := t.last
		for next := before + 1; t.last == before && next <= min(end, before+farthest); next++ {
			_ = t.read(one, next)
		}
		if t.last == before {
			return
		}
	}
}

// tableScan is how far a scan has come.
type tableScan struct {
	last int64 // row id
	scan func(rows *sql.Rows, rowid *int64) error
}

// read scans the rows that a statement finds behind, or at, the row id at.
func (t *tableScan) read(s *sql.Stmt, at int64) error {
	rows, err := s.Query(at)
	_, err = collect(rows, err, func(rows *sql.Rows) (_ struct{}, err error) {
		var rowid int64
		if err = t.scan(rows, &rowid); err == nil {
			t.last = max(t.last, rowid)
		}
		return struct{}{}, err
	})
	return err
}

// lastIn is the largest row id of a table, and the largest of all if that does not read.
func (t *tableScan) lastIn(db *sql.DB, table string) int64 {
	var last sql.NullInt64
	if err := db.QueryRow("SELECT max(rowid) FROM " + table).Scan(&last); err != nil {
		return math.MaxInt64
	}
	return last.Int64
}
