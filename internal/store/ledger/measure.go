package ledger

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
)

// MeasureValue is one result of a run, in a form that lists of thousands of runs can use
// without decoding documents.
type MeasureValue struct {
	// Name is short and stable: it is stored and typed. hone's own are those of
	// measure.All (cpu, rate, p50, p90, p99, allocs, bytes), and p99.9, reads,
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

// AddMeasures gives the run results. They are stored with its end:
// a finished run has all of them, any other none. A name that the run
// has already, a value that is not finite and an interval that is none are errors,
// and nothing of m is taken then.
func (d *Draft) AddMeasures(m []MeasureValue) error {
	r := d.pending
	r.mu.Lock()
	defer r.mu.Unlock()
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
		return fmt.Errorf("add measures to run %s: %w", d.ID(), errors.Join(faults...))
	}
	r.measures = append(r.measures, m...)
	return nil
}

// Measures returns the results of the run with this name, by their names.
func (l *Ledger) Measures(run string) ([]MeasureValue, error) {
	r, err := l.runEntry(run)
	if err != nil {
		return nil, err
	}
	return slices.SortedFunc(slices.Values(r.Measures),
		func(a, b MeasureValue) int { return cmp.Compare(a.Name, b.Name) }), nil
}

// MeasureNames lists the names of all measures that any run has, sorted.
func (l *Ledger) MeasureNames() ([]string, error) { return l.RecentMeasureNames(math.MaxInt) }

// RecentMeasureNames lists the names of the measures that the newest so many runs have, sorted.
func (l *Ledger) RecentMeasureNames(runs int) ([]string, error) {
	all, err := l.list(KindRun)
	names := map[string]bool{}
	for _, r := range all[:min(runs, len(all))] {
		for _, m := range r.Measures {
			names[m.Name] = true
		}
	}
	return slices.Sorted(maps.Keys(names)), err
}
