package history

import (
	"cmp"
	"slices"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/judge"
)

// Key is what the runs of a series have in common.
type Key struct {
	Package string `json:"package,omitempty"`
	Label   string `json:"label,omitempty"`
	Plan    string `json:"plan,omitempty"`    // as ledger.PlanKey.Key
	Machine string `json:"machine,omitempty"` // as ledger.MachineKey
}

// Entry is one run of a series.
type Entry struct {
	ledger.Run
	// Measure is nil where the run does not have it.
	Measure *ledger.MeasureValue `json:"measure,omitempty"`
	// Counts says that the run is part of the series: complete, with a value that has
	// a logarithm.
	Counts bool `json:"counts"`
	// Change is the ratio to the run ChangeFrom, less 1: that of variant A of the same comparison. Nil where nothing
	// was measured with it.
	Change     *float64 `json:"change,omitempty"`
	ChangeFrom string   `json:"change_from,omitempty"`
	// AgainstBaseline is the ratio to the baseline, less 1; nil without one.
	AgainstBaseline *float64 `json:"against_baseline,omitempty"`
	// Baselines are the names that the run is pinned under.
	Baselines []string `json:"baselines,omitempty"`
}

// Version names the source that a run was built from: its commit, with a plus sign if
// the work tree differed from it; empty if it is not known.
func (e Entry) Version() string {
	if e.Commit != "" && e.Dirty {
		return e.Commit + "+"
	}
	return e.Commit
}

// Series are the runs that may be compared, the oldest first.
type Series struct {
	Key
	Unit    string   `json:"unit"`
	Entries []Entry  `json:"entries"`
	Changes []Change `json:"changes,omitempty"`
	// Baseline is the pinned run that AgainstBaseline refers to.
	Baseline *Reference `json:"baseline,omitempty"`
	// Earlier is how many entries before these are not shown.
	Earlier int `json:"earlier,omitempty"`
}

// Reference is a baseline with its value.
type Reference struct {
	ledger.Baseline
	Value float64 `json:"value"`
}

// group sorts points, the newest first, into series, the one with the newest run last.
func group(points []ledger.Point, m judge.Measure) []Series {
	var all []Series
	place := map[Key]int{}
	points = slices.Clone(points)
	slices.SortStableFunc(points, func(x, y ledger.Point) int { // those that need a series to join come last
		return cmp.Compare(unplanned(x.Run), unplanned(y.Run))
	})
	for _, p := range points { // series in the order of their newest run
		k := keyOf(p.Run)
		i, known := place[k]
		if j := alike(all, k); k.Plan == "" && j >= 0 {
			i, known = j, true
		}
		if !known {
			i = len(all)
			place[k] = i
			all = append(all, Series{Key: k, Unit: m.Unit})
		}
		e := Entry{Run: p.Run, Measure: p.Measure}
		if p.Measure != nil {
			e.Counts = p.Run.Status == ledger.Complete && max(p.Measure.Value, m.Floor) > 0
			all[i].Unit = cmp.Or(all[i].Unit, p.Measure.Unit)
		}
		all[i].Entries = append(all[i].Entries, e)
	}
	slices.Reverse(all)
	for i := range all {
		slices.Reverse(all[i].Entries)
		// The ledger's order is that of arrival, which holds when the wall clock
		// steps; a history is read by the clock.
		slices.SortStableFunc(all[i].Entries, func(x, y Entry) int { return x.Started.Compare(y.Started) })
	}
	return all
}

func keyOf(r ledger.Run) Key {
	return Key{Package: r.Package, Label: r.Label, Plan: r.Plan, Machine: r.Machine}
}

func unplanned(r ledger.Run) int {
	if r.Plan == "" {
		return 1
	}
	return 0
}

// alike finds the series that a run without a plan, one that crashed before it was
// known, is shown in: the newest of the same variant that has one. -1 if there is none.
func alike(all []Series, k Key) int {
	return slices.IndexFunc(all, func(s Series) bool {
		return s.Plan != "" && s.Package == k.Package && s.Label == k.Label
	})
}

// counts are the indices of the entries that count.
func (s *Series) counts() []int {
	var all []int
	for i, e := range s.Entries {
		if e.Counts {
			all = append(all, i)
		}
	}
	return all
}

// trim keeps the newest n entries, and the changes among them.
func (s *Series) trim(n int) {
	if n <= 0 || len(s.Entries) <= n {
		return
	}
	s.Earlier = len(s.Entries) - n
	s.Entries = s.Entries[s.Earlier:]
	kept := s.Changes[:0]
	for _, c := range s.Changes {
		if c.Entry -= s.Earlier; c.Entry >= 0 {
			kept = append(kept, c)
		}
	}
	s.Changes = kept
}
