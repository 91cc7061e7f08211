package ledger

import "database/sql"

// Point is a run with one of its measures.
type Point struct {
	// Run is without its document.
	Run Run `json:"run"`
	// Measure is nil where the run does not have it.
	Measure *MeasureValue `json:"measure,omitempty"`
}

// Points lists runs with the measure of this name, the newest first in the order of
// their beginning; the filter's NoDoc is implied. Runs without the measure, such as
// crashed ones, are in the list.
func (l *Ledger) Points(measure string, f RunFilter) ([]Point, error) {
	const more = `NULL, unit, value, low, high
		FROM runs LEFT JOIN measures ON measures.run = runs.id AND measures.name = ?`
	all, err := filtered(l.db, f, more, []any{measure}, func(r *sql.Rows) (p Point, err error) {
		var unit sql.NullString
		var value sql.NullFloat64
		m := MeasureValue{Name: measure}
		if p.Run, err = scanRun(r, &unit, &value, &m.Low, &m.High); err == nil && value.Valid {
			m.Unit, m.Value = unit.String, value.Float64
			p.Measure = &m
		}
		return p, err
	}, func(p Point) Status { return p.Run.Status })
	return all, storage(l.dir, err, "list runs with %s", measure)
}

// Known lists what filters can ask for, each sorted and without the empty string.
type Known struct {
	Packages, Labels, Targets []string
}

// Known lists the packages, labels and targets of all runs, for hints.
func (l *Ledger) Known() (k Known, err error) {
	if k.Packages, err = l.distinct("package", "runs"); err != nil {
		return k, err
	}
	if k.Labels, err = l.distinct("label", "runs"); err != nil {
		return k, err
	}
	k.Targets, err = l.distinct("target", "runs")
	return k, err
}

// Count is how many runs and comparisons the ledger has.
func (l *Ledger) Count() (runs, comparisons int, err error) {
	err = l.db.QueryRow("SELECT (SELECT count(*) FROM runs), (SELECT count(*) FROM comparisons)").Scan(&runs, &comparisons)
	return runs, comparisons, storage(l.dir, err, "count runs")
}

func (l *Ledger) distinct(column, table string) ([]string, error) {
	rows, err := l.db.Query("SELECT DISTINCT " + column + " FROM " + table + " WHERE " + column + " <> '' ORDER BY 1")
	all, err := collect(rows, err, func(r *sql.Rows) (s string, err error) { return s, r.Scan(&s) })
	return all, storage(l.dir, err, "list %ss", column)
}
