package ledger

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/storedir"
	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var migrations embed.FS

// SchemaVersion is the version of the database that this program writes. It is the
// number of the last file in migrations, which sets user_version to it in the same
// transaction as its tables; so a version is reached whole or not at all, and one
// read of the header tells whether there is anything to migrate.
const SchemaVersion = 4

// applicationID marks the database as hone's: "hone" in ASCII, where file(1) and
// SQLite look for it.
const applicationID = 0x686f6e65

// schema is a set of migrations and the version that the last of them reaches.
type schema struct {
	files   fs.FS
	version int
}

func currentSchema() schema {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		panic(err) // the embedded directory is named right there
	}
	return schema{files: files, version: SchemaVersion}
}

// migrate brings the database up to s, one transaction per step, and leaves a
// database at s alone.
func migrate(db *sql.DB, s schema) error {
	version, err := versionOf(db)
	if err != nil || version == s.version {
		return err
	}
	if version > s.version {
		return newerSchema(version, s.version)
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, db, s.files,
		goose.WithSlog(slog.New(slog.DiscardHandler)), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	if _, err := p.Up(context.Background()); err != nil {
		return fmt.Errorf("migrate schema %d to %d: %w", version, s.version, err)
	}
	if got, err := versionOf(db); err != nil || got != s.version {
		return errors.Join(err, fmt.Errorf("migrate schema %d to %d: it ended at %d", version, s.version, got))
	}
	// An older hone reads the version from the database file without its log.
	_, err = db.Exec("PRAGMA wal_checkpoint(TRUNCATE)")
	return err
}

func versionOf(db *sql.DB) (version int, err error) {
	err = db.QueryRow("PRAGMA user_version").Scan(&version)
	return version, err
}

func newerSchema(theirs, ours int) error {
	return fail.New(fail.Storage,
		"open ledger: it has schema version %d, and this hone knows versions up to %d", theirs, ours).
		WithHint("use the newer hone that wrote it, or another directory for the ledger; nothing was changed")
}

// inspect refuses a database that is damaged, not hone's, or newer than s. It
// changes no file of the ledger: where the log is empty the database is read as an
// immutable file, without even an index of the log beside it. No writer may be
// active. clean says that the last writer came to its end.
func inspect(home *storedir.Dir, s schema) (clean bool, err error) {
	exists, err := checkDatabaseFile(home)
	if err == nil && exists {
		clean, err = inspectDatabase(home, s)
	}
	return clean, storage(home.Path(), err, "open ledger %s", home.Path())
}

func inspectDatabase(home *storedir.Dir, s schema) (clean bool, err error) {
	verified, err := checkSum(home, s)
	if err != nil {
		return false, err
	}
	logged := hasContent(home, databaseName+"-wal")
	db, err := openReadOnly(databasePath(home.Path()), !logged)
	if err != nil {
		return false, err
	}
	defer db.Close()
	version, err := identify(db)
	if err == nil {
		err = checkWholePages(home, db)
	}
	if err != nil {
		return false, err
	}
	if version > s.version {
		return false, newerSchema(version, s.version)
	}
	if !verified {
		return false, checkContent(db, home, version)
	}
	return !logged, nil
}

// checkWholePages finds a file that was cut within its last page, which SQLite
// would fill up with zeros. While there is a log, only SQLite knows the true size.
func checkWholePages(home *storedir.Dir, db *sql.DB) error {
	var page int64
	if err := db.QueryRow("PRAGMA page_size").Scan(&page); err != nil || hasContent(home, databaseName+"-wal") {
		return err
	}
	info, err := home.Stat(databaseName)
	if err == nil && info.Size()%page != 0 {
		err = fmt.Errorf("%w: its %d bytes are not a whole number of pages", ErrCorrupt, info.Size())
	}
	return err
}

// checkDatabaseFile says whether there is a database file. hone renames a finished
// database into place, so an empty file has lost its content, and SQLite would take
// it for a new database.
func checkDatabaseFile(home *storedir.Dir) (exists bool, err error) {
	if _, err := home.Stat(salvagedName); !errors.Is(err, fs.ErrNotExist) {
		return true, fmt.Errorf("%w, and its salvage was interrupted", ErrCorrupt)
	}
	info, err := home.Stat(databaseName)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, checkRemains(home)
	case err != nil:
		return false, err
	case info.Size() == 0:
		return true, fmt.Errorf("%w: it is empty", ErrCorrupt)
	}
	return true, nil
}

// identify returns the schema version of hone's database db, and an error if it is
// damaged or of another program.
func identify(db *sql.DB) (version int, err error) {
	var app, tables int
	if err := db.QueryRow("PRAGMA application_id").Scan(&app); err != nil {
		return 0, err
	}
	// Reading the schema finds a file that is shorter than its header says.
	if err := db.QueryRow("SELECT count(*) FROM sqlite_schema WHERE name = 'runs'").Scan(&tables); err != nil {
		return 0, err
	}
	version, err = versionOf(db)
	if err != nil {
		return 0, err
	}
	if app != applicationID {
		return 0, fail.New(fail.Storage, "open ledger: ledger.db is a database of another program (application id %#x)", app).
			WithHint("move that file away, or choose another directory for the ledger")
	}
	if tables == 0 && version <= SchemaVersion {
		return 0, fmt.Errorf("%w: it has no table of runs", ErrCorrupt)
	}
	return version, nil
}

// createDatabase makes ledger.db if it is missing: whole, under another name, then
// renamed, so that a crash leaves no half-made database.
func createDatabase(home *storedir.Dir, s schema) error {
	if _, err := home.Stat(databaseName); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	const tmp = "tmp/" + databaseName
	f, err := home.Create(tmp) // for its mode: SQLite's own is for all to read
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		return err
	}
	if err := makeDatabase(home.Join(tmp), s); err != nil {
		return err
	}
	if err := home.Rename(tmp, databaseName); err != nil {
		return err
	}
	return errors.Join(home.Sync("."), syncDir(filepath.Dir(home.Path())))
}

func makeDatabase(path string, s schema) error {
	db, err := openWriter(path)
	if err != nil {
		return err
	}
	// The last connection to close moves the log into the file, synced.
	return errors.Join(initialise(db, s), db.Close())
}

// initialise makes the tables of s in an empty database.
func initialise(db *sql.DB, s schema) error {
	if _, err := db.Exec(fmt.Sprintf("PRAGMA application_id = %d", applicationID)); err != nil {
		return err
	}
	return migrate(db, s)
}
