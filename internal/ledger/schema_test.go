package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/gohone/hone/internal/fail"
)

// nextSchema is the present one and one step more: what the next hone may bring.
func nextSchema(t *testing.T) schema {
	t.Helper()
	files := fstest.MapFS{}
	present := currentSchema()
	names, err := fs.Glob(present.files, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := fs.ReadFile(present.files, name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: data}
	}
	files[fmt.Sprintf("%05d_next.sql", SchemaVersion+1)] = &fstest.MapFile{Data: fmt.Appendf(nil,
		"-- +goose Up\nPRAGMA user_version = %d;\nALTER TABLE runs ADD COLUMN mood TEXT NOT NULL DEFAULT 'fine';\n", SchemaVersion+1)}
	return schema{files: files, version: SchemaVersion + 1}
}

// The constant and the files say the same: a new migration without the constant, or
// without its line for user_version, shows here.
func TestSchemaVersionIsThatOfTheLastMigration(t *testing.T) {
	names, err := fs.Glob(currentSchema().files, "*.sql")
	if err != nil || len(names) != SchemaVersion {
		t.Fatalf("%d migrations, SchemaVersion is %d: %v", len(names), SchemaVersion, err)
	}
	l := mustOpen(t, t.TempDir())
	var goose int
	if err := l.db.QueryRow("SELECT max(version_id) FROM goose_db_version").Scan(&goose); err != nil || goose != SchemaVersion {
		t.Errorf("goose is at %d, want %d: %v", goose, SchemaVersion, err)
	}
}

// A ledger at the present schema is not migrated again: the header alone tells, and
// opening it costs no look at the history of migrations.
func TestPresentSchemaIsLeftAlone(t *testing.T) {
	dir := t.TempDir()
	l := mustOpen(t, dir)
	if _, err := l.db.Exec("DROP TABLE goose_db_version"); err != nil {
		t.Fatal(err)
	}
	l.Close()
	l = mustOpen(t, dir)
	var n int
	if err := l.db.QueryRow("SELECT count(*) FROM sqlite_schema WHERE name = 'goose_db_version'").Scan(&n); err != nil || n != 0 {
		t.Errorf("goose has looked: %d tables, %v", n, err)
	}
}

// A ledger of an older schema is migrated by the next writer; until then a reader
// reads it as if it had been, and leaves it as it is.
func TestOlderSchemaIsMigrated(t *testing.T) {
	dir := t.TempDir()
	old := mustOpen(t, dir)
	id := mustStore(t, old, "old")
	was := dump(t, old, id)
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	next := nextSchema(t)

	r, err := openReader(dir, next)
	if err != nil {
		t.Fatal(err)
	}
	if dump(t, r, id) != was || mood(t, r) != "fine" {
		t.Error("the reader's copy differs")
	}
	scratch := r.scratch.Path
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(scratch); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("private copy %q: %v", scratch, err)
	}
	if _, err := mustRead(t, dir).Run(id); err != nil {
		t.Errorf("the old hone after the new one's reader: %v", err)
	}

	l, err := open(dir, Options{}, next)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if dump(t, l, id) != was || mood(t, l) != "fine" {
		t.Error("the migrated ledger differs")
	}
}

func mood(t *testing.T, l *Ledger) (m string) {
	t.Helper()
	if err := l.db.QueryRow("SELECT mood FROM runs").Scan(&m); err != nil {
		t.Error(err)
	}
	return m
}

// A step that fails leaves the ledger at the version before it, usable.
func TestFailedMigrationChangesNothing(t *testing.T) {
	dir := t.TempDir()
	l := mustOpen(t, dir)
	id := mustStore(t, l, "old")
	was := dump(t, l, id)
	l.Close()
	next := nextSchema(t)
	name := fmt.Sprintf("%05d_next.sql", SchemaVersion+1)
	files := maps.Clone(next.files.(fstest.MapFS))
	files[name] = &fstest.MapFile{Data: append(files[name].Data, "CREATE TABLE runs (x);\n"...)}
	_, err := open(dir, Options{}, schema{files, next.version})
	wantFail(t, err, fail.Storage, "migrate schema")
	if l := mustOpen(t, dir); dump(t, l, id) != was {
		t.Error("the ledger differs")
	}
}

// A newer schema is refused with both versions, and not a byte changes.
func TestNewerSchemaIsRefused(t *testing.T) {
	dir := t.TempDir()
	l, err := open(dir, Options{}, nextSchema(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	versions := []string{fmt.Sprintf("schema version %d", SchemaVersion+1), fmt.Sprintf("up to %d", SchemaVersion)}
	for _, without := range []string{"", "lock"} { // a copy of a ledger may lack the lock
		if without != "" {
			if err := os.Remove(filepath.Join(dir, without)); err != nil {
				t.Fatal(err)
			}
		}
		before := bytesOf(t, dir)
		_, err = Open(dir)
		wantFail(t, err, fail.Storage, versions...)
		wantUnchanged(t, dir, before)
	}
	_, err = OpenReader(dir)
	wantFail(t, err, fail.Storage, versions...)
}

// A newer hone died before its log was folded into the database file: the version
// in the log counts, and the log stays for it.
func TestNewerSchemaInTheLogIsRefused(t *testing.T) {
	from, dir := t.TempDir(), t.TempDir()
	l := mustOpen(t, from)
	mustStore(t, l, "old")
	if _, err := l.db.Exec(fmt.Sprintf("PRAGMA user_version = %d", SchemaVersion+1)); err != nil {
		t.Fatal(err)
	}
	// What a kill at this point leaves, copied by another process's eyes.
	for _, name := range []string{"ledger.db", "ledger.db-wal"} {
		if err := copyFile(filepath.Join(dir, name), filepath.Join(from, name)); err != nil {
			t.Fatal(err)
		}
	}
	l.Close()
	before := bytesOf(t, dir)
	_, err := Open(dir)
	wantFail(t, err, fail.Storage, fmt.Sprintf("schema version %d", SchemaVersion+1))
	for path, was := range before {
		if got := bytesOf(t, dir)[path]; got != was && path != dir {
			t.Errorf("%s has changed", path)
		}
	}
}

// A database that is garbage, empty, cut short, gone or of another program is refused
// by writer and reader, and is not touched.
func TestDamagedDatabaseIsRefused(t *testing.T) {
	whole := t.TempDir()
	l := mustOpen(t, whole)
	dumps := map[string]string{}
	for i := range 20 {
		id := mustStore(t, l, fmt.Sprint(i))
		dumps[id] = dump(t, l, id)
	}
	l.Close()
	data, err := os.ReadFile(filepath.Join(whole, "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	foreign := append([]byte(nil), data...)
	copy(foreign[68:72], "else") // the application id: sqlite.org/fileformat.html
	for name, bad := range map[string][]byte{
		"garbage":            []byte("this is a letter, not a database, and it is long enough to be one; " + string(make([]byte, 5000))),
		"empty":              {},
		"first page only":    data[:4096],
		"half":               data[:len(data)/2],
		"not a whole page":   data[:len(data)-100],
		"less than a header": data[:50],
		"another program's":  foreign,
		"gone":               nil,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, "ledger.db")
			if err := os.WriteFile(path, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			if bad == nil {
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
			}
			before := bytesOf(t, dir)
			_, err := Open(dir)
			wantFail(t, err, fail.Storage, "ledger.db")
			if !errors.Is(err, ErrCorrupt) && name != "another program's" {
				t.Errorf("not ErrCorrupt: %v", err)
			}
			wantUnchanged(t, dir, before)
			r := mustRead(t, dir)
			wantFail(t, r.Damage(), fail.Storage, "ledger.db")
			for id, was := range dumps {
				if dump(t, r, id) != was {
					t.Errorf("run %s reads differently", id)
				}
			}
			wantUnchanged(t, dir, before)
		})
	}
}
