package prof

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Grouping says which sites of two captures are the same.
type Grouping int

const (
	// BySite matches What and Function. Where the variants do the same work in
	// functions of different names, one site vanishes and another appears.
	BySite Grouping = iota
	// ByWhat matches What alone, across all functions: the net change.
	ByWhat
)

// noiseStdErrs is how many standard errors a change must reach to be shown. Two is
// the usual 5 % two-sided level of a single normal test; with some fifty sites two
// or three pass by chance, which their small share betrays.
const noiseStdErrs = 2

// ChangeOptions say how to compare two captures. The zero value is useful.
type ChangeOptions struct {
	// Module is the subject's main module, needed when its path has no dot in the
	// first element (myservice/foo), which else passes for the standard library.
	Module string
	// SampleType is what to compare; empty means the default of the kind.
	SampleType string
	// By says which sites are the same.
	By Grouping
}

// Change is how the cost of one site changed per request from capture A to B.
type Change struct {
	// Site has the line that costs most on the dearer side. Grouped ByWhat, function
	// and line are those where the variants part: the frame nearest the leaf whose
	// function only the dearer side has, if there is one.
	Site
	// A and B are the costs per request, Delta is B - A, and StdErr the standard
	// error of Delta from sampling alone; all in Unit. It does not hold what differs
	// between two starts of the same binary.
	A      float64 `json:"a"`
	B      float64 `json:"b"`
	Delta  float64 `json:"delta"`
	StdErr float64 `json:"std_err"`
	Unit   string  `json:"unit"`
	// Share is Delta relative to A's total per request, in percent. Shares over all
	// sites add up to the relative change of the total.
	Share float64 `json:"share_percent"`
}

// String is the line of a verdict:
//
//	-71 % Syscall under net.(*conn).Read  framed/raw.go:41
func (c Change) String() string {
	format := "%+.0f %% %s"
	if math.Abs(c.Share) < 9.95 {
		format = "%+.1f %% %s"
	}
	line := fmt.Sprintf(format, c.Share, c.What)
	if c.File != "" {
		line += fmt.Sprintf("  %s:%d", ShortFile(c.File), c.Line)
	}
	return line
}

// Changes compares two captures of one kind, folds every stack into its Site, and
// returns the sites whose cost per request changed by at least two standard errors,
// the largest change first. It errs on captures that cannot be divided or compared:
// no operations, no samples, unlike kinds, a sample type that is a state (inuse_*).
func Changes(a, b Capture, o ChangeOptions) ([]Change, error) {
	if a.Kind != b.Kind {
		return nil, fmt.Errorf("compare profiles: kinds %q and %q", a.Kind, b.Kind)
	}
	ta, err := a.tally(o)
	if err != nil {
		return nil, fmt.Errorf("fold profile A: %w", err)
	}
	tb, err := b.tally(o)
	if err != nil {
		return nil, fmt.Errorf("fold profile B: %w", err)
	}
	var changes []Change
	for key := range union(ta.buckets, tb.buckets) {
		c := change(ta, tb, key)
		if !c.significant() {
			continue
		}
		dearer, cheaper := ta, tb
		if c.Delta > 0 {
			dearer, cheaper = tb, ta
		}
		c.Site = locate(dearer, cheaper, key)
		changes = append(changes, c)
	}
	slices.SortFunc(changes, func(x, y Change) int {
		return cmp.Or(cmp.Compare(math.Abs(y.Delta), math.Abs(x.Delta)), compareSites(x.Site, y.Site))
	})
	return changes, nil
}

// whyLines is how many changes explain a verdict.
const whyLines = 3

// Why returns the changes that explain a verdict, grouped ByWhat whatever o.By says:
// the three largest that go its way (down, if lower), and between them the largest that
// goes against it, if it is no smaller than they are. The largest comes first.
//
// A verdict asks what the requests no longer pay for. Variants are often two
// functions by design (a loop with a buffer beside one without), and BySite then
// reports the whole cost of the old one as saved and that of the new one as added,
// though most of it has only moved. ByWhat gives the net: it names the system call
// or library function that is called less, at the line of the dearer side where the
// variants part. Its price is that two functions which change in opposite ways
// cancel; BySite has them.
func Why(a, b Capture, lower bool, o ChangeOptions) ([]Change, error) {
	o.By = ByWhat
	all, err := Changes(a, b, o)
	if err != nil {
		return nil, err
	}
	var why []Change
	with, against := 0, 0
	end := 0                // behind the last change that goes its way
	for _, c := range all { // the largest first
		switch goesItsWay := (c.Delta < 0) == lower; {
		case with == whyLines:
			return why[:end], nil
		case goesItsWay:
			with++
			why = append(why, c)
			end = len(why)
		case against == 0:
			against++
			why = append(why, c)
		}
	}
	if with == 0 {
		return why, nil // all there is
	}
	return why[:end], nil
}

func union[K comparable, V any](a, b map[K]V) map[K]struct{} {
	keys := make(map[K]struct{}, len(a)+len(b))
	for k := range a {
		keys[k] = struct{}{}
	}
	for k := range b {
		keys[k] = struct{}{}
	}
	return keys
}

// change compares a site that at least one of the captures has; its Site is not yet
// known.
func change(ta, tb *tally, key bucketKey) Change {
	a, b := cmp.Or(ta.buckets[key], &bucket{}), cmp.Or(tb.buckets[key], &bucket{})
	delta := b.value - a.value
	return Change{
		A: a.value, B: b.value, Delta: delta,
		StdErr: math.Sqrt(a.variance + b.variance),
		Unit:   ta.unit,
		Share:  100 * delta / ta.total,
	}
}

func (c Change) significant() bool {
	return c.Delta != 0 && math.Abs(c.Delta) >= noiseStdErrs*c.StdErr
}
