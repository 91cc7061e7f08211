package ledger

import (
	"database/sql"
	"errors"
	"fmt"
	"math"
)

// MeasureValue is one result of a run, in a form that lists of thousands of runs can use
// without decoding documents.
type MeasureValue struct {
	// Name is short and stable: it is stored and typed. hone's own are those of
	// compare.Measures (cpu, rate, p50, p90, p99, allocs, bytes), and p99.9, reads,
	// writes, rss.
	Name string `json:"name"`
	// Unit is that of the value and its interval: "ns", "requests/s", "B".
	Unit  string  `json:"unit"`
	Value float64 `json:"value"`
	// Low and High bound the 95 % interval; both nil where it is not known.
	Low  *float64 `json:"low,omitempty"`
	High *float64 `json:"high,omitempty"`
}

// check reports all that keeps m from being stored.
func (m MeasureValue) check() error {
	var faults []error
	if m.Name == "" {
		faults = append(faults, errors.New("it has no name"))
	}
	finite := func(what string, v float64) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			faults = append(faults, fmt.Errorf("its %s is %v, want a finite number", what, v))
		}
	}
	finite("value", m.Value)
	switch {
	case (m.Low == nil) != (m.High == nil):
		faults = append(faults, errors.New("its interval has one bound only"))
	case m.Low != nil:
		finite("lower bound", *m.Low)
		finite("upper bound", *m.High)
		if *m.Low > *m.High {
			faults = append(faults, fmt.Errorf("its interval %v ... %v is upside down", *m.Low, *m.High))
		}
	}
	return errors.Join(faults...)
}

// AddMeasures gives the run results. They are stored with its end, in the same
// transaction: a finished run has all of them, any other none. A name that the run
// has already, a value that is not finite and an interval that is none are errors,
// and nothing of m is taken then.
func (d *Draft) AddMeasures(m []MeasureValue) error {
	r := d.pending
	r.l.mu.Lock()
	defer r.l.mu.Unlock()
	taken := map[string]bool{}
	for _, old := range r.measures {
		taken[old.Name] = true
	}
	var faults []error
	for _, one := range m {
		if err := one.check(); err != nil {
			faults = append(faults, fmt.Errorf("measure %q: %w", one.Name, err))
		}
		if taken[one.Name] {
			faults = append(faults, fmt.Errorf("measure %q: the run has it already", one.Name))
		}
		taken[one.Name] = true
	}
	if len(faults) > 0 {
		return fmt.Errorf("add measures to run %s: %w", r.id, errors.Join(faults...))
	}
	r.measures = append(r.measures, m...)
	return nil
}

func insertMeasures(tx *sql.Tx, run string, all []MeasureValue) error {
	for _, m := range all {
		_, err := tx.Exec(`INSERT INTO measures (run, name, unit, value, low, high) VALUES (?, ?, ?, ?, ?, ?)`,
			run, m.Name, m.Unit, m.Value, m.Low, m.High)
		if err != nil {
			return fmt.Errorf("measure %s: %w", m.Name, err)
		}
	}
	return nil
}

// Measures returns the results of the run with this name, by their names.
func (l *Ledger) Measures(run string) ([]MeasureValue, error) {
	return named(l, run, KindRun, "measures of run", measuresOf)
}

func measuresOf(q querier, run string) ([]MeasureValue, error) {
	rows, err := q.Query(`SELECT name, unit, value, low, high FROM measures WHERE run = ? ORDER BY name`, run)
	return collect(rows, err, func(r *sql.Rows) (m MeasureValue, err error) {
		return m, r.Scan(&m.Name, &m.Unit, &m.Value, &m.Low, &m.High)
	})
}

// MeasureNames lists the names of all measures that any run has, sorted.
func (l *Ledger) MeasureNames() ([]string, error) { return l.distinct("name", "measures") }

// RecentMeasureNames lists the names of the measures that the newest so many runs have, sorted: of a
// ledger of 10,000 runs in a tenth of the time.
func (l *Ledger) RecentMeasureNames(runs int) ([]string, error) {
	rows, err := l.db.Query(`SELECT DISTINCT name FROM measures WHERE run IN (SELECT id FROM runs ORDER BY seq DESC LIMIT ?) ORDER BY 1`, runs)
	all, err := collect(rows, err, func(r *sql.Rows) (s string, err error) { return s, r.Scan(&s) })
	return all, storage(l.dir, err, "list measures")
}
