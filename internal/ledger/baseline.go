package ledger

import (
	"cmp"
	"database/sql"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/gohone/hone/internal/fail"
)

// DefaultBaseline is the name of a baseline without a given name.
const DefaultBaseline = "default"

// Baseline is a run that others are measured against until another is pinned.
type Baseline struct {
	Name string    `json:"name"`
	Run  string    `json:"run"` // id
	At   time.Time `json:"at"`  // when it was pinned, UTC
	Note string    `json:"note,omitempty"`
}

// baselineNames keeps names that can be typed, and told from ids, anywhere.
var baselineNames = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/-]{0,63}$`)

func checkBaselineName(name string) error {
	if baselineNames.MatchString(name) {
		return nil
	}
	return fail.New(fail.BadInput, "baseline name %q: want 1 to 64 letters, digits, dots, dashes, underscores and slashes", name).
		WithHint("for example --name main, or --name cmd/server")
}

// SetBaseline pins the run with this id or prefix under name, in place of what the
// name stood for; an empty name means DefaultBaseline. Only a complete run can be
// pinned; any other, and a bad name, is fail.BadInput.
func (l *Ledger) SetBaseline(name, run, note string) (Baseline, error) {
	name = cmp.Or(name, DefaultBaseline)
	if err := checkBaselineName(name); err != nil {
		return Baseline{}, err
	}
	r, err := l.Run(run)
	if err != nil {
		return Baseline{}, err
	}
	if r.Status != Complete {
		return Baseline{}, fail.New(fail.BadInput, "set baseline %q: run %s is %s, and nothing may be measured against it", name, r.ID, r.Status).
			WithHint("pin a complete run: hone history")
	}
	b := Baseline{Name: name, Run: r.ID, At: l.opts.Now().UTC(), Note: note}
	err = l.inTx(func(tx *sql.Tx) error {
		if err := insertBaseline(tx, b); err != nil {
			return err
		}
		return keepBaselines(tx, l.home)
	})
	return b, storageNeed(l.dir, rowBytes+uint64(len(note)), err, "set baseline %q", name)
}

func insertBaseline(tx execer, b Baseline) error {
	_, err := tx.Exec(`INSERT INTO baselines (name, run, at, note) VALUES (?, ?, ?, ?)
		ON CONFLICT (name) DO UPDATE SET run = excluded.run, at = excluded.at, note = excluded.note`,
		b.Name, b.Run, b.At.UnixNano(), b.Note)
	return err
}

// Baseline returns the baseline of this name, DefaultBaseline if it is empty;
// fail.BadInput if there is none.
func (l *Ledger) Baseline(name string) (Baseline, error) {
	name = cmp.Or(name, DefaultBaseline)
	all, err := l.Baselines()
	if err != nil {
		return Baseline{}, err
	}
	var others []string
	for _, b := range all {
		if b.Name == name {
			return b, nil
		}
		others = append(others, b.Name)
	}
	e := fail.New(fail.BadInput, "find baseline %q: no run is pinned under this name", name)
	if near := fail.Nearest(name, others); near != "" {
		return Baseline{}, e.WithHint("did you mean baseline:%s?", near)
	}
	if len(others) > 0 {
		return Baseline{}, e.WithHint("there is %s; or hone baseline set RUN pins one", "baseline:"+strings.Join(others, ", baseline:"))
	}
	return Baseline{}, e.WithHint("hone baseline set RUN pins one; hone history lists the runs")
}

// Baselines lists all baselines by name.
func (l *Ledger) Baselines() ([]Baseline, error) {
	all, err := baselinesIn(l.db)
	return all, storage(l.dir, err, "list baselines")
}

func baselinesIn(q querier) ([]Baseline, error) {
	rows, err := q.Query(`SELECT name, run, at, note FROM baselines ORDER BY name`)
	return collect(rows, err, func(r *sql.Rows) (b Baseline, err error) {
		var at sql.NullInt64
		err = r.Scan(&b.Name, &b.Run, &at, &b.Note)
		b.At = timeOf(at)
		return b, err
	})
}

// ClearBaseline removes the baseline of this name, DefaultBaseline if it is empty,
// and returns it. Its run stays. fail.BadInput if there is none.
func (l *Ledger) ClearBaseline(name string) (Baseline, error) {
	b, err := l.Baseline(name)
	if err != nil {
		return Baseline{}, err
	}
	err = l.inTx(func(tx *sql.Tx) error {
		if _, err := tx.Exec(`DELETE FROM baselines WHERE name = ?`, b.Name); err != nil {
			return err
		}
		return keepBaselines(tx, l.home)
	})
	return b, storageNeed(l.dir, rowBytes, err, "clear baseline %q", b.Name)
}

// baselineWord says whether a word names a run by its baseline: "baseline" or
// "baseline:NAME".
func baselineWord(word string) (name string, ok bool) {
	if word == "baseline" {
		return DefaultBaseline, true
	}
	return strings.CutPrefix(word, "baseline:")
}

// pinned returns the run that a baseline stands for.
func (l *Ledger) pinned(name string) (Ref, error) {
	if err := checkBaselineName(name); err != nil {
		return Ref{}, err
	}
	b, err := l.Baseline(name)
	if err != nil {
		return Ref{}, err
	}
	found, err := l.withPrefix(b.Run)
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("%w: its run %s is gone", ErrCorrupt, b.Run)
	}
	if err != nil {
		return Ref{}, storage(l.dir, err, "find baseline %q", name)
	}
	return found[0], nil
}

// Pinned are the runs that are baselines.
func (l *Ledger) Pinned() ([]string, error) {
	all, err := l.Baselines()
	if err != nil {
		return nil, err
	}
	var runs []string
	for _, b := range all {
		runs = append(runs, b.Run)
	}
	return runs, nil
}
