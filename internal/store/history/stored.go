package history

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/stats"
)

// StoredSchema is the schema of Stored as JSON.
const StoredSchema = "hone.stored-comparison/1"

// Store is the part of the ledger that stored runs are compared from.
type Store interface {
	Run(name string) (ledger.Run, error)
	Slices(run string) ([]packed.Slice, error)
	Measures(run string) ([]ledger.MeasureValue, error)
}

var _ Store = (*ledger.Ledger)(nil)

// Stored is a comparison of two runs from the ledger. If they were not taken together,
// whatever changed on the machine in between is in the difference, so it is indicative and
// no more.
type Stored struct {
	Schema string `json:"schema"`
	// A and B are without their documents.
	A ledger.Run `json:"a"`
	B ledger.Run `json:"b"`
	// Comparison is the one in which they were taken together; else empty.
	Comparison string `json:"comparison,omitempty"`
	// Unit says what the statistics counted: the start or the slice.
	Unit Unit `json:"unit"`
	// Differs names what else is not the same: plan, machine, toolchain, hone.
	Differs  []string        `json:"differs,omitempty"`
	Verdicts []judge.Verdict `json:"verdicts"`
}

// Unit is what a comparison of stored runs counts as one observation.
type Unit string

// The units.
const (
	PerStart Unit = "start"
	PerSlice Unit = "slice"
)

// fewestStarts is the least number of starts on each side that ranks can tell apart at
// 5 %: of 4 against 4, the clearest of the 70 orders and its opposite have p = 0.029.
const fewestStarts = 4

// startSpread: two processes of the same binary were measured to differ by up to 0.6 %
// in CPU per request for as long as they lived. Slices of few processes cannot show
// that, so it is added to their intervals.
const startSpread = 0.006

// readBoth reads two runs, and refuses options that are not valid.
func readBoth(s Store, a, b string, o judge.Options) (runA, runB ledger.Run, sideA, sideB side, err error) {
	if err := o.Validate(); err != nil {
		return runA, runB, sideA, sideB, fail.New(fail.BadInput, "compare stored runs: %w", err)
	}
	if runA, sideA, err = readSide(s, a); err == nil {
		runB, sideB, err = readSide(s, b)
	}
	return runA, runB, sideA, sideB, err
}

// Compare compares the stored runs with these names, B relative to A. It is fail.BadInput
// where a name is unknown, or a run has no slices; fail.Invalid where a run is invalid.
func Compare(s Store, a, b string, o judge.Options) (*Stored, error) {
	runA, runB, sideA, sideB, err := readBoth(s, a, b, o)
	if err != nil {
		return nil, err
	}
	if runA.ID == runB.ID {
		return nil, fail.New(fail.BadInput, "compare stored runs: %q and %q are both run %s", a, b, runA.ID).
			WithHint("hone history lists the runs")
	}
	c := &Stored{Schema: StoredSchema, A: runA, B: runB, Unit: PerSlice, Differs: differences(runA, runB)}
	c.A.Doc, c.B.Doc = nil, nil
	if min(sideA.starts(), sideB.starts()) >= fewestStarts {
		c.Unit = PerStart
	}
	for _, m := range storedMeasures {
		v, err := c.decide(m, sideA, sideB, o.WithDefaults())
		if errors.Is(err, judge.ErrNotObserved) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("compare %s of stored runs: %w", m.measure.Name, err)
		}
		c.Verdicts = append(c.Verdicts, ofRuns(v, sideA, sideB))
	}
	return c, nil
}

// ofRuns gives a verdict the figures that its runs have everywhere: they are not worked out a second time.
func ofRuns(v judge.Verdict, a, b side) judge.Verdict {
	figure := func(s side) (float64, bool) {
		i := slices.IndexFunc(s.figures, func(m ledger.MeasureValue) bool { return m.Name == v.Measure.Key })
		if i < 0 {
			return 0, false
		}
		return s.figures[i].Value, true
	}
	ofA, knownA := figure(a)
	ofB, knownB := figure(b)
	if !knownA || !knownB {
		v.B = v.LedTo(v.B)
		return v
	}
	return v.OfRuns(ofA, ofB)
}

// readSide reads a run and its slices.
func readSide(s Store, name string) (ledger.Run, side, error) {
	r, err := s.Run(name)
	if err != nil {
		return r, side{}, err
	}
	switch r.Status {
	case ledger.Invalid:
		return r, side{}, fail.New(fail.Invalid,
			"compare run %s: it is invalid (%s), and nothing may be concluded from it", r.ID, r.Reason).
			WithHint("measure it again, or choose a complete run: hone history")
	case ledger.Running:
		return r, side{}, fail.New(fail.BadInput, "compare run %s: it is still running",
			r.ID).WithHint("wait for its end: hone history")
	}
	stored, err := s.Slices(r.ID)
	if err != nil {
		return r, side{}, err
	}
	if len(stored) == 0 {
		return r, side{}, fail.New(fail.BadInput, "compare run %s: it is %s and has no slices", r.ID, r.Status).
			WithHint("choose a complete run: hone history")
	}
	one, err := newSide(stored)
	if err != nil {
		return r, side{}, fail.New(fail.Storage, "compare run %s: %w", r.ID, err).WithHint("hone ledger verify")
	}
	one.figures, err = s.Measures(r.ID)
	return r, one, err
}

// decide gives the verdict on one measure: the test by Mann and Whitney, the shift of
// Hodges and Lehmann on logarithms.
func (c *Stored) decide(m storedMeasure, a, b side, o judge.Options) (judge.Verdict, error) {
	va, vb := m.of(a, c.Unit), m.of(b, c.Unit)
	if len(va) == 0 || len(vb) == 0 {
		return judge.Verdict{}, judge.ErrNotObserved
	}
	la, lb := logs(va, m.measure.Floor), logs(vb, m.measure.Floor)
	test, err := stats.MannWhitney(la, lb)
	if err != nil {
		return judge.Verdict{}, err
	}
	shift, err := stats.Shift(la, lb, 1-o.Alpha)
	if err != nil {
		return judge.Verdict{}, err
	}
	narrow, err := stats.Shift(la, lb, 1-2*o.Alpha)
	if err != nil {
		return judge.Verdict{}, err
	}
	e := judge.Evidence{
		Value: shift.Value, Low: shift.Low, High: shift.High, P: test.P, Level: o.Alpha,
		EquivalenceLow: narrow.Low, EquivalenceHigh: narrow.High,
		Starts: min(a.starts(), b.starts()),
	}
	reason := "not taken together: indicative"
	if c.Unit == PerSlice {
		margin := math.Log1p(startSpread) / math.Sqrt(float64(e.Starts))
		e.Low, e.High = e.Low-margin, e.High+margin
		e.EquivalenceLow, e.EquivalenceHigh = e.EquivalenceLow-margin, e.EquivalenceHigh+margin
		reason += fmt.Sprintf("; slices of few starts, so the interval allows %.1f %% for what one start differs from "+
			"another", 100*startSpread)
	}
	e.Shown = e.P <= e.Level && (e.Low > 0 || e.High < 0)
	v := e.Verdict(m.measure, o)
	if v.Word == judge.Undecided {
		reason += "; measure both together to decide: hone compare with packages or refs"
	}
	// Stored runs get no more starts, so a need of them would mean nothing.
	v.Reason, v.Need, v.Conf, v.Looks, v.Method, v.Indicative = reason, nil, shift.Conf, 1, judge.Ranks, true
	v.Pairs = min(len(va), len(vb))
	if v.A, err = stats.Median(va); err != nil {
		return v, err
	}
	v.B, err = stats.Median(vb)
	return v, err
}

func logs(values []float64, floor float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = math.Log(max(v, floor))
	}
	return out
}
