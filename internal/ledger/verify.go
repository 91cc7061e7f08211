package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/storedir"
)

// Report is what Verify found.
type Report struct {
	Runs        int `json:"runs"`
	Comparisons int `json:"comparisons"`
	Slices      int `json:"slices"`
	Artefacts   int `json:"artefacts"`
	Measures    int `json:"measures"`
	Baselines   int `json:"baselines"`
	// Records counts the records that are whole, Unrecorded the finished runs and
	// comparisons that have none yet.
	Records    int `json:"records"`
	Unrecorded int `json:"unrecorded,omitempty"`
	// Blobs counts the files checked, Bytes what they hold.
	Blobs int   `json:"blobs"`
	Bytes int64 `json:"bytes"`
	// Faults is the damage, one entry per artefact or table it touches.
	Faults []Fault `json:"faults,omitempty"`
	// Orphans are files in blobs that no row names: a crash between file and row
	// leaves one. They cost space and nothing else.
	Orphans []string `json:"orphans,omitempty"`
}

// Fault is one piece of damage.
type Fault struct {
	// Run, Kind and Name say whose artefact it is; empty for damage of the database
	// and of files that no row names.
	Run  string `json:"run,omitempty"`
	Kind string `json:"kind,omitempty"`
	Name string `json:"name,omitempty"`
	// File is the damaged file.
	File string `json:"file"`
	// Detail says what is wrong with it.
	Detail string `json:"detail"`
}

// String is one line for people.
func (f Fault) String() string {
	if f.Run == "" {
		return fmt.Sprintf("%s: %s", f.File, f.Detail)
	}
	return fmt.Sprintf("%v: file %s: %s", Artefact{Run: f.Run, Kind: f.Kind, Name: f.Name}, f.File, f.Detail)
}

// Err is nil for a sound ledger, else a fail.Storage error with all faults.
func (r Report) Err() error {
	if len(r.Faults) == 0 {
		return nil
	}
	text := ""
	for _, f := range r.Faults {
		text += "\n  " + f.String()
	}
	return fail.New(fail.Storage, "verify ledger: %d faults:%s", len(r.Faults), text).
		WithHint("put the files back from a backup, or hone ledger salvage; runs that are not named here are sound")
}

// Verify checks the database, every row against its record and its file, and every file
// against its name. Of a damaged database it counts what is whole in spite of that, and
// names what is lost. Damage is in the report; the error is for what kept Verify from
// looking.
func (l *Ledger) Verify(ctx context.Context) (Report, error) {
	var r Report
	if err := l.verifyDatabase(ctx, &r); err != nil {
		return r, storage(l.dir, err, "verify ledger %s", l.dir)
	}
	// Files before rows: what an active writer adds meanwhile has a row by then.
	files, err := listBlobs(l.home)
	if err != nil {
		return r, storage(l.dir, err, "verify ledger %s", l.dir)
	}
	rows, err := artefactsIn(l.db, "")
	err = storage(l.dir, err, "list artefacts")
	if causeOf(err) == causeCorrupt {
		r.add(Fault{File: databasePath(l.dir), Detail: err.Error()})
		return r, nil // without the rows every file would pass for an orphan
	}
	if err != nil {
		return r, err
	}
	r.Artefacts = len(rows)
	known, err := l.verifyRows(ctx, &r, rows)
	if err != nil {
		return r, err
	}
	return r, l.verifyOrphans(ctx, &r, files, known)
}

func (r *Report) add(f Fault) { r.Faults = append(r.Faults, f) }

// verifyDatabase checks the database and its rows, and counts them. Of a damaged one it
// counts those of the copy that was made of all that is whole.
func (l *Ledger) verifyDatabase(ctx context.Context, r *Report) error {
	if l.cause != nil {
		r.add(Fault{File: databasePath(l.dir), Detail: l.cause.Error()})
		for _, lost := range l.recovery.Lost {
			r.add(Fault{File: databasePath(l.dir), Detail: "lost: " + lost.String()})
		}
	} else {
		lines, err := structuralFaults(l.db)
		if err != nil {
			return err
		}
		for _, line := range lines {
			r.add(Fault{File: databasePath(l.dir), Detail: line})
		}
	}
	err := l.db.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM runs), (SELECT count(*) FROM comparisons),
		(SELECT count(*) FROM slices), (SELECT count(*) FROM measures), (SELECT count(*) FROM baselines)`).
		Scan(&r.Runs, &r.Comparisons, &r.Slices, &r.Measures, &r.Baselines)
	if err != nil {
		return err
	}
	return l.verifyRecords(ctx, r)
}

// verifyRecords reads every record, and holds every finished row against its own.
func (l *Ledger) verifyRecords(ctx context.Context, r *Report) error {
	files, strange, err := listRecords(l.home)
	if err != nil {
		return err
	}
	for _, name := range strange {
		r.add(Fault{File: l.home.Join(path.Join(recordsName, name)), Detail: "this is not a record"})
	}
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := readRecord(l.home, f.name); err != nil {
			r.add(l.recordFault(f.id, f.name, err.Error()))
			continue
		}
		r.Records++
	}
	if _, _, err := readBaselines(l.home); err != nil {
		r.add(Fault{File: l.home.Join(path.Join(recordsName, baselinesName)), Detail: err.Error()})
	}
	faults, err := recordFaults(l.db, l.home)
	if err != nil {
		return err
	}
	for _, f := range faults {
		r.add(l.recordFault(f.ref.ID, f.name, f.detail))
	}
	rows, err := l.db.QueryContext(ctx, `SELECT count(*) FROM runs WHERE record = '' AND status <> 'running' UNION ALL
		SELECT count(*) FROM comparisons WHERE record = '' AND status <> 'running'`)
	counts, err := collect(rows, err, func(r *sql.Rows) (n int, err error) { return n, r.Scan(&n) })
	for _, n := range counts {
		r.Unrecorded += n
	}
	return err
}

func (l *Ledger) recordFault(id, name, detail string) Fault {
	return Fault{Run: id, Kind: "record", Name: name, File: l.home.Join(path.Join(recordsName, name)), Detail: detail}
}

func scanForeignKey(rows *sql.Rows) (string, error) {
	var table, parent string
	var rowid sql.NullInt64
	var key int
	err := rows.Scan(&table, &rowid, &parent, &key)
	if !rowid.Valid { // a table without row ids
		return fmt.Sprintf("a row of %s has no row in %s", table, parent), err
	}
	return fmt.Sprintf("row %d of %s has no row in %s", rowid.Int64, table, parent), err
}

// verifyRows reads the file of each artefact, once per file.
func (l *Ledger) verifyRows(ctx context.Context, r *Report, rows []Artefact) (known map[string]bool, _ error) {
	known = map[string]bool{}
	verdicts := map[Artefact]error{} // by sum and size
	for _, a := range rows {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("verify ledger: %w", err)
		}
		content := Artefact{SHA256: a.SHA256, Size: a.Size}
		verdict, read := verdicts[content]
		if !read {
			_, verdict = readBlob(l.home, a.SHA256, a.Size)
			verdicts[content] = verdict
			r.Blobs++
			r.Bytes += a.Size
		}
		path, _ := blobPath(l.dir, a.SHA256)
		known[path] = true
		switch {
		case verdict == nil:
		case errors.Is(verdict, fs.ErrNotExist):
			r.add(Fault{Run: a.Run, Kind: a.Kind, Name: a.Name, File: path, Detail: "missing"})
		default:
			r.add(Fault{Run: a.Run, Kind: a.Kind, Name: a.Name, File: path, Detail: verdict.Error()})
		}
	}
	return known, nil
}

// verifyOrphans checks the files that no row names against their names.
func (l *Ledger) verifyOrphans(ctx context.Context, r *Report, files []blobFile, known map[string]bool) error {
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("verify ledger: %w", err)
		}
		if known[f.path] {
			continue
		}
		r.Orphans = append(r.Orphans, f.path)
		r.Blobs++
		r.Bytes += f.size
		if _, err := readBlob(l.home, f.sum, f.size); err != nil {
			r.add(Fault{File: f.path, Detail: err.Error()})
		}
	}
	return nil
}

type blobFile struct {
	path, sum string
	size      int64
}

// listBlobs lists all files under blobs.
func listBlobs(home *storedir.Dir) (all []blobFile, err error) {
	err = home.Walk("blobs", func(name string, info fs.FileInfo) {
		sum := path.Base(path.Dir(name)) + path.Base(name)
		all = append(all, blobFile{path: home.Join(name), sum: sum, size: info.Size()})
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return all, err
}
