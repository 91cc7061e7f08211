package history

import (
	"cmp"
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/judge"
)

// Schema of History as JSON.
const Schema = "hone.history/2"

// Reader is the part of the ledger that a history is read from.
type Reader interface {
	Points(measure string, f ledger.RunFilter) ([]ledger.Point, error)
	Baselines() ([]ledger.Baseline, error)
	MeasureNames() ([]string, error)
}

var _ Reader = (*ledger.Ledger)(nil)

// Query says what to read.
type Query struct {
	// Measure is the name of a measure: measure.CPU.Key if empty.
	Measure string
	// Filter narrows the runs. Its Limit bounds how far back change points are looked
	// for; 0 means DefaultWindow.
	Filter ledger.RunFilter
	// Number is how many of the newest entries of each series to return; 0 means all.
	Number int
	// Alpha is the level of the test of each change point; 0 means 0.05.
	Alpha float64
}

// DefaultWindow is how many runs, the newest, are looked at: more than one can read,
// and few enough to be there at once.
const DefaultWindow = 2000

// History is one measure over time.
type History struct {
	Schema  string        `json:"schema"`
	Measure judge.Measure `json:"measure"`
	// Series are in the order of their newest run, the newest last.
	Series []Series `json:"series"`
}

// Read reads a history. rng draws the permutations that change points are tested by. A
// measure that does not exist is fail.BadInput; other errors are the reader's.
func Read(r Reader, q Query, rng *rand.Rand) (*History, error) {
	m, err := measureOf(r, cmp.Or(q.Measure, measure.CPU.Key))
	if err != nil {
		return nil, err
	}
	f := q.Filter
	f.Limit = cmp.Or(f.Limit, DefaultWindow)
	points, err := r.Points(m.Key, f)
	if err != nil {
		return nil, err
	}
	h := &History{Schema: Schema, Measure: m, Series: group(points, m)}
	pins, err := readPins(r, m)
	if err != nil {
		return nil, err
	}
	if err := h.changes(cmp.Or(q.Alpha, judge.DefaultAlpha), rng); err != nil {
		return nil, err
	}
	for i := range h.Series {
		s := &h.Series[i]
		s.againstBaseline(m, pins)
		s.trim(q.Number)
	}
	return h, h.changesTogether(r)
}

// changes finds the changes of all series, on all CPUs: that is most of the time that a history takes.
// Each series has a generator of its own, so that the answer does not depend on which ends first.
func (h *History) changes(alpha float64, rng *rand.Rand) error {
	faults := make([]error, len(h.Series))
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	var all sync.WaitGroup
	for i := range h.Series {
		own := rand.New(rand.NewPCG(rng.Uint64(), rng.Uint64()))
		free <- struct{}{}
		all.Go(func() { // ends before this function does
			faults[i] = h.Series[i].changes(h.Measure, alpha, own)
			<-free
		})
	}
	all.Wait()
	return errors.Join(faults...)
}

// changeTo is the change from one value to another, less 1; values under the measure's
// floor count as the floor.
func changeTo(m judge.Measure, from, to float64) *float64 {
	change := max(to, m.Floor)/max(from, m.Floor) - 1
	return &change
}

// pin is a baseline with its run's entry.
type pin struct {
	ledger.Baseline
	point ledger.Point
}

// readPins reads the baselines' runs, which the filter may leave out of the list.
func readPins(r Reader, m judge.Measure) ([]pin, error) {
	all, err := r.Baselines()
	if err != nil {
		return nil, err
	}
	var pins []pin
	for _, b := range all {
		points, err := r.Points(m.Key, ledger.RunFilter{ID: b.Run})
		if err != nil {
			return nil, err
		}
		if len(points) == 1 {
			pins = append(pins, pin{b, points[0]})
		}
	}
	// Where several fit a series, the one without a name of its own comes first.
	slices.SortStableFunc(pins, func(x, y pin) int {
		return cmp.Compare(rank(x.Name), rank(y.Name))
	})
	return pins, nil
}

func rank(name string) int {
	if name == ledger.DefaultBaseline {
		return 0
	}
	return 1
}

// againstBaseline marks pinned entries, and measures the series against the first
// baseline that may be compared with it: any variant of the same package under the same
// plan on the same machine.
func (s *Series) againstBaseline(m judge.Measure, pins []pin) {
	for _, p := range pins {
		for i := range s.Entries {
			if s.Entries[i].ID == p.Run {
				s.Entries[i].Baselines = append(s.Entries[i].Baselines, p.Name)
			}
		}
		r := p.point.Run
		fits := r.Package == s.Package && r.Plan == s.Plan && r.Machine == s.Machine
		if fits && s.Baseline == nil && p.point.Measure != nil && max(p.point.Measure.Value, m.Floor) > 0 {
			s.Baseline = &Reference{p.Baseline, p.point.Measure.Value}
		}
	}
	if s.Baseline == nil {
		return
	}
	for _, i := range s.counts() {
		if e := &s.Entries[i]; e.ID != s.Baseline.Run {
			e.AgainstBaseline = changeTo(m, s.Baseline.Value, e.Measure.Value)
		}
	}
}
