package diff

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/internal/quantity"
	"github.com/gohone/hone/prof/symbol"
)

// Options say how to compare two variants' profiles. The zero value is useful.
type Options struct {
	// SampleType is what to compare; empty means the default of the kind.
	SampleType string
	Basis      prof.Basis
	// Alpha is the chance of anything being called changed where nothing did; 0 means 5 %.
	Alpha float64
	// Code says which functions are the user's; if empty, all but the standard library's.
	Code prof.Code
}

// Diff is what changed from A to B: as a whole, by places in the user's code, and function
// by function.
type Diff struct {
	Schema     string     `json:"schema"`
	Kind       string     `json:"kind"`
	SampleType string     `json:"sample_type"`
	Unit       string     `json:"unit"`
	Basis      prof.Basis `json:"basis"`
	// A and B are the sums over all functions.
	A Side `json:"a"`
	B Side `json:"b"`
	// Whole is the change of the sum. Of its share Explained is what lies in the places and
	// functions of the user, and in the work of the runtime, that changed beyond the noise;
	// Unexplained is the rest. Both are in percent of A's total, of B's if A has none.
	Whole       Difference `json:"whole"`
	Explained   float64    `json:"explained_percent"`
	Unexplained float64    `json:"unexplained_percent"`
	// Places divide the whole by the user's frames, the largest change first. Each stack is
	// in the place of one function and in one of its parts.
	Places []Place `json:"places"`
	// Rows are all functions that either side has, the largest change of the function's
	// own cost first.
	Rows []Row `json:"rows"`
	// Root is the flame graph of both sides.
	Root *Frame `json:"root"`

	values quantity.Scale
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

// Difference is a change of a cost, in Unit per unit of the basis.
type Difference struct {
	Word Word `json:"word"`
	// Delta is B - A, Low ... High its 95 % interval, P the p-value of there being no
	// change, adjusted for all that was asked.
	A     float64 `json:"a"`
	B     float64 `json:"b"`
	Delta float64 `json:"delta"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	P     float64 `json:"p"`
	// Share is Delta relative to A's total, to B's if A has none; in percent.
	Share float64 `json:"share_percent"`
}

// Place is one of the user's functions with what it calls in libraries, or one of the
// things that it was doing there; or work of the runtime's own, which has no function. The
// line is the one that costs most on the dearer side.
type Place struct {
	prof.Site
	// Path is File below the main module, or with the import path of its package.
	Path string `json:"path,omitempty"`
	// Part says that it is one of several things that the function does.
	Part bool `json:"part,omitempty"`
	Difference
}

// Row is one function, by itself and with what it calls.
type Row struct {
	Function string `json:"function"`
	// Difference is that of what the function itself costs.
	Difference
	// CumA and CumB are with what it calls.
	CumA float64 `json:"cum_a"`
	CumB float64 `json:"cum_b"`
	// Cum is the change of that.
	Cum Difference `json:"cum"`
	// Own says whether it is the user's.
	Own bool `json:"own,omitempty"`
}

// Frame is a place in the flame graph of both sides.
type Frame struct {
	Function string   `json:"function"`
	Word     Word     `json:"word"` // of the function
	A        float64  `json:"a"`
	B        float64  `json:"b"`
	Children []*Frame `json:"children,omitempty"`
}

// Schema is the schema of Diff as JSON.
const Schema = "hone.profile-diff/2"

// New compares the captures of A with those of B, all of one kind. With several short
// captures on each side (in turns, if they can be) the threshold is the noise between
// them; with one on each side it is that of sampling alone, which is less than there is.
//
// A group of stacks (a function by itself, with what it calls, a place) has a rate r with
// the variance f v + (c r)^2: v is that of sampling (ticks arrive like a Poisson process;
// see the heap profiler's formula at sampled.Variance), f >= 1 is by how much the captures of one
// side scatter more than that, the median over the functions, and c is the scatter of the
// side's whole, which a machine that is slower for a while leaves in all functions alike.
// It is wider for a group whose own captures scatter more. The test is normal; Holm's
// procedure keeps the chance of any false change at Alpha, half of which is for the user's
// own code.
func New(a, b []prof.Capture, o Options) (*Diff, error) {
	if len(a) == 0 || len(b) == 0 {
		return nil, errors.New("compare profiles: there are none of one side")
	}
	basis, err := prof.ParseBasis(string(o.Basis))
	if err != nil {
		return nil, fmt.Errorf("compare profiles: %w", err)
	}
	name, err := prof.SharedType(a[0], b[0], o.SampleType)
	if err != nil {
		return nil, fmt.Errorf("compare profiles: %w", err)
	}
	sides := MatchClosures(a, b).Sides
	code := o.Code.Reader()
	groups := func(groups []group, stack []symbol.Frame) []group { return diffGroups(code, groups, stack) }
	count := sideOptions{sampleType: name, basis: basis, learn: groupSelf, groupsOf: groups}
	sa, err := newDiffSide(sides[0], count)
	if err != nil {
		return nil, fmt.Errorf("compare profiles: A: %w", err)
	}
	sb, err := newDiffSide(sides[1], count)
	if err != nil {
		return nil, fmt.Errorf("compare profiles: B: %w", err)
	}
	if !sameThings(a[0].Kind, b[0].Kind) {
		return nil, fmt.Errorf("compare profiles: A is %s of %s, B %s of %s", sa.sampleType.Name, a[0].Kind,
			sb.sampleType.Name, b[0].Kind)
	}
	d := &Diff{
		Schema: Schema, Kind: cmp.Or(a[0].Kind, b[0].Kind), SampleType: sa.sampleType.Name,
		Unit: sa.sampleType.Unit, Basis: basis,
		A: sa.side, B: sb.side,
	}
	if d.values, err = quantity.In(d.Unit, ""); err != nil {
		return nil, err
	}
	t := newDiffTest(sa, sb, code)
	if err := t.decide(cmp.Or(o.Alpha, 0.05)); err != nil {
		return nil, fmt.Errorf("compare profiles: %w", err)
	}
	d.Whole = t.changes[group{}]
	d.Rows, d.Places = t.rows(), t.places()
	d.Explained = t.explained()
	d.Unexplained = d.Whole.Share - d.Explained
	words := make(map[string]Word, len(d.Rows))
	for _, r := range d.Rows {
		words[r.Function] = r.Word
	}
	d.Root = diffTree(sa, sb, words)
	return d, nil
}

// sameThings says whether profiles of two kinds with the same sample type count the same things. heap and allocs are
// one profile that is shown in two ways; those of other tools have no kind.
func sameThings(a, b string) bool {
	ofHeap := func(kind string) bool { return kind == "heap" || kind == "allocs" }
	return a == b || a == "" || b == "" || ofHeap(a) && ofHeap(b)
}

// normal95 is half the width of a 95 % interval in standard errors.
const normal95 = 1.959963984540054

// Changed are the rows that are not the same.
func (d *Diff) Changed() []Row {
	return slices.DeleteFunc(slices.Clone(d.Rows), func(r Row) bool { return r.Word == Same })
}
