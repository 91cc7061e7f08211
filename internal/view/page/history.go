package page

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/history"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/view/model/lists"
	"github.com/gohone/hone/judge"
)

// History makes the page of one measure over time. A measure, package, label or target that no run
// has is fail.BadInput.
func (l *Library) History(q history.Query) (*History, error) {
	if err := history.CheckFilter(l.Stored.Ledger, q.Filter); err != nil {
		return nil, err
	}
	// The permutations of the test are those of hone history: so is its answer.
	h, err := history.Read(l.Stored.Ledger, q, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		return nil, err
	}
	page := &History{Schema: Schema, Measure: measureName(h.Measure), Series: []lists.TrendSeries{}}
	for i := range h.Series {
		s := lists.TrendOf(&h.Series[i])
		s.Name = cmp.Or(runTitle(ledger.Run{Label: s.Label, Package: s.Package}), s.Title)
		page.Series = append(page.Series, s)
	}
	if page.Known, err = l.known(); err != nil {
		return nil, err
	}
	if page.Newest, err = l.newest(newestEntries); err != nil {
		return nil, err
	}
	page.markDisturbed()
	page.Runs, page.Comparisons, err = l.Stored.Ledger.Count()
	return page, err
}

// markDisturbed marks the runs that the machine disturbed, among the newest measurements: of older ones no document is
// read.
func (h *History) markDisturbed() {
	disturbed := map[string]bool{}
	for _, e := range h.Newest {
		disturbed[e.ID] = e.Disturbed
	}
	for _, s := range h.Series {
		for i := range s.Points {
			s.Points[i].Disturbed = disturbed[s.Points[i].Run]
		}
	}
}

func measureName(m judge.Measure) MeasureName {
	return MeasureName{Key: m.Key, Name: m.Name, Unit: m.Unit, Better: string(m.Better)}
}

// known are the measures that some of the newest runs have, in the order of reports, and what filters take.
func (l *Library) known() (k KnownFilters, err error) {
	names, err := l.Stored.Ledger.RecentMeasureNames(history.DefaultWindow)
	if err != nil {
		return k, err
	}
	k.Measures = []MeasureName{}
	for _, m := range measure.All {
		if i := slices.Index(names, m.Key); i >= 0 {
			k.Measures = append(k.Measures, measureName(m))
			names = slices.Delete(names, i, i+1)
		}
	}
	for _, n := range names { // of programs' own
		k.Measures = append(k.Measures, MeasureName{Key: n, Name: n})
	}
	of, err := l.Stored.Ledger.Known()
	k.Packages, k.Labels, k.Targets = filled(of.Packages), filled(of.Labels), filled(of.Targets)
	k.Statuses = history.StatusNames()
	return k, err
}

// filled is a list that is not nil: JSON then has no null.
func filled[T any](all []T) []T {
	if all == nil {
		return []T{}
	}
	return all
}

// newestEntries is how long the list of what was measured is.
const newestEntries = 50

// newest lists runs and comparisons, the newest first.
func (l *Library) newest(most int) ([]Entry, error) {
	runs, err := l.Stored.Ledger.Runs(ledger.RunFilter{Limit: most})
	if err != nil {
		return nil, err
	}
	comparisons, err := l.Stored.Ledger.Comparisons(most)
	if err != nil {
		return nil, err
	}
	all := []Entry{}
	for _, r := range runs {
		all = append(all, entryOfRun(r))
	}
	for _, c := range comparisons {
		e, err := l.entryOfComparison(c)
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	slices.SortStableFunc(all, func(a, b Entry) int {
		return cmp.Or(b.Started.Compare(a.Started), cmp.Compare(a.ID, b.ID))
	})
	return all[:min(most, len(all))], nil
}
