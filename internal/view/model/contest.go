package model

import (
	"slices"
	"strings"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
)

// Variant is one side of a comparison.
type Variant struct {
	Letter string `json:"letter"`
	Label  string `json:"label"`
	// Run is the id of its run; empty for benchmarks.
	Run    string `json:"run,omitempty"`
	Commit string `json:"commit,omitempty"`
	// Source is the text in brackets of the terminal: commit, toolchain, layouts, run.
	Source string `json:"source"`
}

// Contest is variant B against variant A.
type Contest struct {
	// A and B are indices of the variants.
	A    int    `json:"a"`
	B    int    `json:"b"`
	Word string `json:"word"`
	Tone Tone   `json:"tone"`
	// Confidence is that of the intervals: "95 %".
	Confidence string `json:"-"`
	// Tolerance is delta: within +-Tolerance variants count as the same; 0.01 is 1 %.
	Tolerance float64 `json:"tolerance"`
	// Measures are the rows of the terminal's table: measures of a service, or benchmarks.
	Measures []MeasureRow `json:"measures"`
	// Shared says of measures that are undecided, though their intervals lie on one side of zero, why that proves nothing.
	Shared string `json:"shared,omitempty"`
	// Pairs are the pairs of slices in the order of time, of the gated measure. Blocks are the fresh starts around
	// them.
	Pairs  []Pair  `json:"pairs,omitempty"`
	Blocks []Block `json:"blocks,omitempty"`
	// PairsNote says which pairs are left out.
	PairsNote string `json:"pairs_note,omitempty"`
	// Findings are those that came, went or changed from A to B.
	Findings []FindingChange `json:"findings,omitempty"`
	// Waterfalls lead from A's costs per request to B's, then from A's latencies to B's, for the typical and the slow
	// request, as far as they were traced.
	Waterfalls []Waterfall `json:"waterfalls,omitempty"`
	// Functions are the changes of functions between the CPU profiles, the largest first.
	Functions []FunctionRow `json:"functions,omitempty"`
	// FunctionsNote says of functions that did not change what that means.
	FunctionsNote string `json:"functions_note,omitempty"`
	// Why are the lines of the terminal that say what Findings and Waterfalls show.
	Why []string `json:"-"`

	lead    string // key of the measure that the verdict is of
	oneFact bool   // throughput and median latency are told once
}

// fewMeasures are those that a few lines are about, unless they get worse: users feel them.
var fewMeasures = []string{measure.CPU.Key, measure.Throughput.Key, "p50", "p99", measure.Allocs.Key,
	measure.PeakRSS.Key}

// Others are the measures besides that of the verdict, a line for each outcome:
//
//	better: throughput +259 %, p99 latency -75.3 %
//	worse: peak resident memory +7.0 %
//
// Of a closed loop throughput has its median latency in brackets: "throughput +60.5 % (p50 latency -36.6 %)".
func (c Contest) Others() (lines []string) {
	for _, outcome := range []struct {
		name string
		is   func(MeasureRow) bool
	}{
		{"better", func(m MeasureRow) bool { return m.Tone == Better && slices.Contains(fewMeasures, m.Key) }},
		{"worse", func(m MeasureRow) bool { return m.Tone == Worse }},
		{"the same", func(m MeasureRow) bool {
			return m.Word == string(judge.Same) && slices.Contains(fewMeasures, m.Key)
		}},
		{"no change", func(m MeasureRow) bool { return m.bound != "" && slices.Contains(fewMeasures, m.Key) }},
		{"undecided", func(m MeasureRow) bool {
			return m.Word == string(judge.Undecided) && slices.Contains(fewMeasures, m.Key)
		}},
	} {
		var names []string
		for _, m := range c.Measures {
			if m.Key == c.lead || !outcome.is(m) || c.oneFact && m.Key == "p50" {
				continue
			}
			names = append(names, m.changed()+c.fact(m))
		}
		if names != nil {
			lines = append(lines, outcome.name+": "+strings.Join(names, ", "))
		}
	}
	return lines
}

// fact is what is told in brackets after a measure, since it is the same fact.
func (c Contest) fact(m MeasureRow) string {
	if !c.oneFact || m.Key != measure.Throughput.Key {
		return ""
	}
	for _, other := range c.Measures {
		if other.Key == "p50" {
			return " (" + other.changed() + ")"
		}
	}
	return ""
}

// changed is the name of a measure and, where it differs, its change, or the bound of one.
func (m MeasureRow) changed() string {
	switch {
	case m.Tone == Better || m.Tone == Worse:
		return m.Name + " " + m.Change.Text
	case m.bound != "":
		return m.Name + " over " + m.bound
	}
	return m.Name
}

// MeasureRow is one measure of both sides.
type MeasureRow struct {
	RowName
	// A and B have their values in Unit, and their texts in the unit that fits. B is A times the ratio of the pairs.
	A Number `json:"a"`
	B Number `json:"b"`
	Difference
	// Word is the verdict as it reads for the measure: faster, slower, more, less, same, no change over 1.9 %,
	// undecided.
	Word string `json:"word"`
	Tone Tone   `json:"tone"`
	// Gated says that the verdict of the contest is on this one.
	Gated bool   `json:"gated,omitempty"`
	Note  string `json:"note,omitempty"`
	// Excluded is the least change that is excluded, as a fraction; 0 where there is no such bound.
	Excluded float64 `json:"excluded,omitempty"`
	// Cells are the texts of a table.
	Cells Cells `json:"-"`

	bound string // Excluded with its unit, where the word is that there is no change over it
}

// RowName says which measure a row is of.
type RowName struct {
	Key  string `json:"key"`
	Name string `json:"name"`
	// Group is the measure of a row of a benchmark, Benchmark the rest of its name.
	Group     string `json:"group,omitempty"`
	Benchmark string `json:"benchmark,omitempty"`
	Unit      string `json:"unit"`
	// Better is lower, higher or empty.
	Better string `json:"better"`
}

// Difference is how B differs from A.
type Difference struct {
	// Change is B/A - 1; Low ... High is its interval, where Bounded.
	Change   Number  `json:"change"`
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
	Bounded  bool    `json:"bounded"`
	Interval string  `json:"interval"`
}

// Cells are the texts of one line of a table. A and B are in Unit, without it.
type Cells struct{ Name, Unit, A, B, Change, Interval, Word string }

// All are the cells in their order.
func (c Cells) All() []string {
	return []string{c.Name, c.Unit, c.A, c.B, c.Change, c.Interval, c.Word}
}

// Pair is one slice of A and one of B, one right after the other.
type Pair struct {
	// Seconds since the beginning of the comparison, Block the number of the start.
	Seconds float64 `json:"seconds"`
	Block   int     `json:"block"`
	// Change is B/A - 1 of CPU per request.
	Change float64 `json:"change"`
	// Steal says that the host took CPU time meanwhile, Collector that a collection ended in one of the slices.
	Steal     bool `json:"steal,omitempty"`
	Collector bool `json:"collector,omitempty"`
	Disturbed bool `json:"disturbed,omitempty"`
}

// Block is one fresh start of both variants.
type Block struct {
	From   float64 `json:"from"`
	To     float64 `json:"to"`
	Pairs  int     `json:"pairs"`
	Middle float64 `json:"middle"` // of the changes of its pairs
}

// Waterfall leads from one total to another by steps that add up.
type Waterfall struct {
	// Title says of what: "CPU per request", "p99 latency".
	Title string          `json:"title"`
	From  Number          `json:"from"`
	To    Number          `json:"to"`
	Steps []WaterfallStep `json:"steps"`
	// Note says what else there is to know; without steps, why nothing is explained.
	Note string `json:"note,omitempty"`
}

// WaterfallStep is one cause. Kind is function, collector, waiting, smaller or unexplained.
type WaterfallStep struct {
	Kind  string `json:"kind"`
	Name  string `json:"name"`
	Delta Number `json:"delta"`
	// Share is Delta relative to From, as text, and Interval its 95 % interval; empty where there is none.
	Share    string `json:"share,omitempty"`
	Interval string `json:"interval,omitempty"`
	Place    *Place `json:"place,omitempty"`
}

// FunctionRow is a function's own cost per request on both sides.
type FunctionRow struct {
	Name     string `json:"name"`
	A        Number `json:"a"`
	B        Number `json:"b"`
	Delta    Number `json:"delta"`
	Interval string `json:"interval,omitempty"`
	// OneSided says that the interval is clear of zero.
	OneSided bool `json:"-"`
	// Word is added, gone, dearer, cheaper or same (within the noise).
	Word string `json:"word"`
	Tone Tone   `json:"tone"`
}
