package ledger

import (
	"cmp"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gohone/hone/internal/storedir"
)

// Recovery says what a database made from the records, and from the rows that still
// read well, holds.
type Recovery struct {
	Runs        int `json:"runs"`
	Comparisons int `json:"comparisons"`
	Baselines   int `json:"baselines"`
	// FromRows are those that had no record: nothing says whether their rows are as
	// they were stored.
	FromRows []Ref `json:"from_rows,omitempty"`
	// Lost is what is known to have been there.
	Lost []Loss `json:"lost,omitempty"`
}

// Loss is a run, a comparison or a baseline that could not be recovered.
type Loss struct {
	// Name is an id, or baseline:NAME.
	Name string `json:"name"`
	// Detail says what is known of it.
	Detail string `json:"detail"`
}

// String is one line for people.
func (l Loss) String() string { return l.Name + ": " + l.Detail }

// rebuild makes a new database at the path to from all that is whole in the ledger,
// which it does not change. scratch is an empty directory for a copy of the damaged
// database.
func rebuild(home *storedir.Dir, scratch, to string, s schema) (Recovery, error) {
	db, err := openUnsynced(to)
	if err != nil {
		return Recovery{}, err
	}
	b := &rebuilder{home: home, present: map[string]bool{}, mentioned: map[string]string{}}
	err = b.makeIn(db, scratch, s)
	return b.Recovery, errors.Join(err, db.Close())
}

// rebuilder is the work of one rebuild.
type rebuilder struct {
	Recovery
	home *storedir.Dir
	tx   *sql.Tx
	// present are the ids that the new database has; mentioned those that some part of
	// the ledger names, with what it is.
	present   map[string]bool
	mentioned map[string]string
}

func (b *rebuilder) makeIn(db *sql.DB, scratch string, s schema) (err error) {
	if err := initialise(db, s); err != nil {
		return err
	}
	if b.tx, err = db.Begin(); err != nil {
		return err
	}
	defer b.tx.Rollback() // does nothing after the commit
	records, err := b.readRecords()
	if err != nil {
		return err
	}
	old := openDamaged(b.home, scratch, s)
	if old != nil {
		defer old.Close()
		records = append(records, b.readRows(old, records)...)
	}
	if err := b.insertAll(records); err != nil {
		return err
	}
	if err := b.insertBaselines(old); err != nil {
		return err
	}
	b.nameLost()
	if err := b.tx.Commit(); err != nil {
		return err
	}
	// hone opens it in this mode; the switch changes the header of the file.
	_, err = db.Exec("PRAGMA journal_mode = wal")
	return err
}

// kept is a record and the sum of its file, "" if there is none.
type kept struct {
	*Record
	sum string
}

func compareKept(a, b kept) int { return CompareRecords(a.Record, b.Record) }

// readRecords reads all record files that are whole.
func (b *rebuilder) readRecords() (all []kept, err error) {
	files, _, err := listRecords(b.home)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		b.mentioned[f.id] = "its record is damaged, and its rows do not read"
		r, err := readRecord(b.home, f.name)
		if err != nil {
			continue // named at the end, unless its rows still read
		}
		if r.Comparison != nil {
			for _, id := range r.Comparison.Runs {
				b.mention(id, "a run of comparison "+f.id)
			}
		}
		all = append(all, kept{r, f.sum})
	}
	return all, nil
}

func (b *rebuilder) mention(id, what string) {
	if b.mentioned[id] == "" {
		b.mentioned[id] = what
	}
}

// insertAll makes the rows of all records, comparisons first, each in the order of
// their arrival. Of two records of one id the first counts.
func (b *rebuilder) insertAll(all []kept) error {
	slices.SortStableFunc(all, compareKept)
	taken := map[Ref]bool{} // places, by kind and number
	for _, k := range all {
		if b.present[k.Ref().ID] {
			continue
		}
		place := Ref{k.Ref().Kind, fmt.Sprint(k.Seq)}
		if taken[place] {
			k.sum = "" // it is another record at its new place, and is written again
			for taken[place] {
				k.Seq++
				place.ID = fmt.Sprint(k.Seq)
			}
		}
		taken[place] = true
		if err := b.insert(k); err != nil {
			return err
		}
	}
	return nil
}

// insert makes the rows of one record, all or none.
func (b *rebuilder) insert(k kept) error {
	ref := k.Ref()
	if k.Run != nil && k.Run.Comparison != "" && !b.present[k.Run.Comparison] {
		if err := b.insertLostComparison(k.Run.Comparison, k.Run.Started); err != nil {
			return err
		}
	}
	if _, err := b.tx.Exec("SAVEPOINT one"); err != nil {
		return err
	}
	if err := insertRecord(b.tx, k.Record, k.sum); err != nil {
		b.mentioned[ref.ID] = fmt.Sprintf("a %s that cannot be stored: %v", ref.Kind, err)
		_, err := b.tx.Exec("ROLLBACK TO one")
		return err
	}
	if _, err := b.tx.Exec("RELEASE one"); err != nil {
		return err
	}
	b.present[ref.ID] = true
	if ref.Kind == KindRun {
		b.Runs++
	} else {
		b.Comparisons++
	}
	if k.sum == "" {
		b.FromRows = append(b.FromRows, ref)
	}
	return nil
}

// insertLostComparison makes a row for a comparison that is lost: its runs are not, and
// stay together.
func (b *rebuilder) insertLostComparison(id string, started time.Time) error {
	_, err := b.tx.Exec(`INSERT INTO comparisons (id, status, reason, started, pid, born) VALUES (?, 'crashed', ?, ?, 0, '')`,
		id, "the ledger was damaged: only its runs could be recovered", started.UnixNano())
	b.present[id] = true
	b.Lost = append(b.Lost, Loss{id, "a comparison; its runs are whole"})
	return err
}

// insertBaselines takes the baselines from their file, or else from the rows of old,
// which may be nil.
func (b *rebuilder) insertBaselines(old *sql.DB) error {
	all, ok, err := readBaselines(b.home)
	if err != nil && !errors.Is(err, errDamaged) {
		return err
	}
	if !ok && old != nil {
		all, _ = baselinesIn(old) // where they do not read they are lost
	}
	lost, err := putBaselines(b.tx, all)
	for _, l := range lost {
		b.Lost = append(b.Lost, Loss{"baseline:" + l.Name, "it was run " + l.Run})
	}
	b.Baselines = len(all) - len(lost)
	return err
}

// nameLost lists what is mentioned and not present.
func (b *rebuilder) nameLost() {
	for id, what := range b.mentioned {
		if !b.present[id] {
			b.Lost = append(b.Lost, Loss{id, what})
		}
	}
	slices.SortFunc(b.Lost, func(x, y Loss) int { return cmp.Compare(x.Name, y.Name) })
}
