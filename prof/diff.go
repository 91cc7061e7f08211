package prof

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gohone/hone/stats"
)

// DiffOptions say how to compare two variants' profiles. The zero value is useful.
type DiffOptions struct {
	// SampleType is what to compare; empty means the default of the kind.
	SampleType string
	Basis      Basis
	// Alpha is the chance of any function being called changed where none did; 0 means
	// 5 %.
	Alpha float64
}

// Diff is what changed from A to B, function by function.
type Diff struct {
	Schema     string `json:"schema"`
	Kind       string `json:"kind"`
	SampleType string `json:"sample_type"`
	Unit       string `json:"unit"`
	Basis      Basis  `json:"basis"`
	// A and B are the sums over all functions.
	A Side `json:"a"`
	B Side `json:"b"`
	// Rows are all functions that either side has, the largest change of the function's
	// own cost first.
	Rows []DiffRow `json:"rows"`
	// Root is the flame graph of both sides.
	Root *DiffFrame `json:"root"`

	values scale
}

// Side is one side of a diff.
type Side struct {
	Captures   int     `json:"captures"`
	Operations uint64  `json:"operations"`
	Seconds    float64 `json:"seconds"`
	Total      float64 `json:"total"` // per unit of the basis
}

// Word says what became of a function.
type Word string

// The words. Same means no more than that the change is within the noise.
const (
	Added   Word = "added"
	Gone    Word = "gone"
	Dearer  Word = "dearer"
	Cheaper Word = "cheaper"
	Same    Word = "same"
)

// DiffRow is one function, in Unit per unit of the basis.
type DiffRow struct {
	Function string `json:"function"`
	Word     Word   `json:"word"`
	// A and B are what the function itself costs, Delta is B - A, Low ... High its 95 %
	// interval, P the p-value of there being no change, adjusted for all functions.
	A     float64 `json:"a"`
	B     float64 `json:"b"`
	Delta float64 `json:"delta"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	P     float64 `json:"p"`
	// Share is Delta relative to A's total, in percent.
	Share float64 `json:"share_percent"`
	// CumA and CumB are with what it calls.
	CumA float64 `json:"cum_a"`
	CumB float64 `json:"cum_b"`
}

// DiffFrame is a place in the flame graph of both sides.
type DiffFrame struct {
	Function string       `json:"function"`
	Word     Word         `json:"word"` // of the function
	A        float64      `json:"a"`
	B        float64      `json:"b"`
	Children []*DiffFrame `json:"children,omitempty"`
}

// DiffSchema is the schema of Diff as JSON.
const DiffSchema = "hone.profile-diff/1"

// NewDiff compares the captures of A with those of B, all of one kind. With several short
// captures on each side (in turns, if they can be) the threshold is the noise between
// them; with one on each side it is that of sampling alone, which is less than there is.
//
// A function's rate has the variance f v + (c r)^2: v is that of sampling (ticks arrive
// like a Poisson process; see the heap profiler's formula at variance), f >= 1 is by how
// much the captures of one side scatter more than that, the median over the functions, and
// c is the scatter of the side's whole, which a machine that is slower for a while leaves
// in all functions alike. The test is normal; Holm's procedure keeps the chance of any
// false change at Alpha.
func NewDiff(a, b []Capture, o DiffOptions) (*Diff, error) {
	if len(a) == 0 || len(b) == 0 {
		return nil, errors.New("compare profiles: there are none of one side")
	}
	basis, err := ParseBasis(string(o.Basis))
	if err != nil {
		return nil, fmt.Errorf("compare profiles: %w", err)
	}
	sa, err := newDiffSide(a, o.SampleType, basis)
	if err != nil {
		return nil, fmt.Errorf("compare profiles: A: %w", err)
	}
	sb, err := newDiffSide(b, o.SampleType, basis)
	if err != nil {
		return nil, fmt.Errorf("compare profiles: B: %w", err)
	}
	if a[0].Kind != b[0].Kind || sa.sampleType != sb.sampleType {
		return nil, fmt.Errorf("compare profiles: A is %s of %s, B %s of %s", sa.sampleType.Name, a[0].Kind, sb.sampleType.Name, b[0].Kind)
	}
	d := &Diff{
		Schema: DiffSchema, Kind: a[0].Kind, SampleType: sa.sampleType.Name, Unit: sa.sampleType.Unit, Basis: basis,
		A: sa.side, B: sb.side,
	}
	if d.values, err = valuesIn(d.Unit, ""); err != nil {
		return nil, err
	}
	if err := d.compare(sa, sb, cmp.Or(o.Alpha, 0.05)); err != nil {
		return nil, fmt.Errorf("compare profiles: %w", err)
	}
	words := make(map[string]Word, len(d.Rows))
	for _, r := range d.Rows {
		words[r.Function] = r.Word
	}
	d.Root = diffTree(sa, sb, words)
	return d, nil
}

// normal95 is half the width of a 95 % interval in standard errors.
const normal95 = 1.959963984540054

func (d *Diff) compare(a, b *diffSide, alpha float64) error {
	var p []float64
	for function := range union(a.functions, b.functions) {
		fa, fb := cmp.Or(a.functions[function], &diffFunction{}), cmp.Or(b.functions[function], &diffFunction{})
		delta := fb.flat - fa.flat
		se := math.Sqrt(a.variance(fa) + b.variance(fb))
		r := DiffRow{
			Function: function, A: fa.flat, B: fb.flat, Delta: delta, P: 1, Word: Same,
			Low: delta - normal95*se, High: delta + normal95*se,
			Share: 100 * delta / d.A.Total, CumA: fa.cum, CumB: fb.cum,
		}
		if delta != 0 { // without any noise it is certain
			r.P = math.Erfc(math.Abs(delta) / se / math.Sqrt2)
		}
		d.Rows = append(d.Rows, r)
	}
	// Functions that cost nothing themselves are no questions.
	asked := slices.DeleteFunc(slices.Clone(d.Rows), func(r DiffRow) bool { return r.A == 0 && r.B == 0 })
	for _, r := range asked {
		p = append(p, r.P)
	}
	adjusted, err := stats.Holm(p)
	if err != nil {
		return err
	}
	byName := make(map[string]float64, len(asked))
	for i, r := range asked {
		byName[r.Function] = adjusted[i]
	}
	for i := range d.Rows {
		r := &d.Rows[i]
		if q, ok := byName[r.Function]; ok {
			r.P = q
			r.Word = r.word(alpha)
		}
	}
	slices.SortFunc(d.Rows, func(x, y DiffRow) int {
		return cmp.Or(cmp.Compare(math.Abs(y.Delta), math.Abs(x.Delta)),
			cmp.Compare(max(y.CumA, y.CumB), max(x.CumA, x.CumB)), cmp.Compare(x.Function, y.Function))
	})
	return nil
}

func (r DiffRow) word(alpha float64) Word {
	switch {
	case r.P > alpha:
		return Same
	case r.CumA == 0:
		return Added
	case r.CumB == 0:
		return Gone
	case r.Delta > 0:
		return Dearer
	default:
		return Cheaper
	}
}

// Changed are the rows that are not the same.
func (d *Diff) Changed() []DiffRow {
	return slices.DeleteFunc(slices.Clone(d.Rows), func(r DiffRow) bool { return r.Word == Same })
}
