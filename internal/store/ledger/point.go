package ledger

import (
	"maps"
	"slices"
)

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
	all, err := l.passing(f)
	var points []Point
	for _, r := range all {
		p := Point{Run: r.shown()}
		for _, m := range r.Measures {
			if m.Name == measure {
				p.Measure = &m
			}
		}
		points = append(points, p)
	}
	return points, err
}

// Known lists what filters can ask for, each sorted and without the empty string.
type Known struct {
	Packages, Labels, Targets []string
}

// Known lists the packages, labels and targets of all runs, for hints.
func (l *Ledger) Known() (k Known, err error) {
	all, err := l.list(KindRun)
	distinct := func(field func(*Run) string) []string {
		found := map[string]bool{}
		for _, r := range all {
			found[field(r.Run)] = true
		}
		delete(found, "")
		return slices.Sorted(maps.Keys(found))
	}
	return Known{
		Packages: distinct(func(r *Run) string { return r.Package }),
		Labels:   distinct(func(r *Run) string { return r.Label }),
		Targets:  distinct(func(r *Run) string { return r.Target }),
	}, err
}

// Count is how many runs and comparisons the ledger has.
func (l *Ledger) Count() (runs, comparisons int, err error) {
	all, err := l.list(KindRun)
	if err != nil {
		return 0, 0, err
	}
	more, err := l.list(KindComparison)
	return len(all), len(more), err
}
