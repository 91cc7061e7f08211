package judge

import (
	"encoding/json"
	"math"

	"github.com/gohone/hone/stats"
)

// Word is a verdict in one word.
type Word string

// The words. Same: a change is not larger than the tolerance. NoChange: it is not larger than Verdict.Excluded, which
// is more. Decide says neither NoChange nor Invalid: a caller says the one at the end of a comparison, and the other of a bad measurement.
const (
	Faster    Word = "faster"
	Slower    Word = "slower"
	Same      Word = "same"
	NoChange  Word = "no change"
	Undecided Word = "undecided"
	Invalid   Word = "invalid"
)

// Different says that the word is a difference.
func (w Word) Different() bool { return w == Faster || w == Slower }

// Alike says that the word excludes a difference.
func (w Word) Alike() bool { return w == Same || w == NoChange }

// Method is how an interval came about.
type Method string

// The methods.
const (
	// SignFlip: exact sign-flip test over starts, in several looks, and its inversion.
	SignFlip Method = "sign-flip over starts"
	// Student: Student's t over few starts.
	Student Method = "Student's t over starts"
	// Bootstrap: percentiles of pooled slices, resampled by start.
	Bootstrap Method = "bootstrap over starts"
	// SlowShare: the requests beyond a threshold of both sides, by slices. Ratio and its interval are the percentile's.
	SlowShare Method = "slowest requests over slices"
	// Ranks: two samples that were not taken together, by their ranks.
	Ranks Method = "ranks of two samples"
)

// Verdict is what the blocks say about one measure. Ratios are B relative to A: 0.97 is 3 % less.
type Verdict struct {
	Measure Measure `json:"measure"`
	Word    Word    `json:"verdict"`
	// Reason says why that word, for the user to read.
	Reason string `json:"reason"`
	// A and B are the variants' values in Measure.Unit. A is the median of what was observed, and B is where Ratio
	// leads from there (LedTo), so that the three agree. Of a percentile both are the percentile of all slices.
	A float64 `json:"a"`
	B float64 `json:"b"`
	// Ratio is the estimate of B/A; Low ... High is its interval with the confidence Conf, over all looks. With too few
	// starts for any interval they are 0 and +Inf (null in JSON).
	Ratio float64 `json:"ratio"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Conf  float64 `json:"conf"`
	// EquivalenceLow ... EquivalenceHigh is the interval that has to lie within +-Delta for
	// "the same": that of two one-sided tests at Alpha each, with the confidence 1-2 Alpha.
	// 0 and +Inf (null in JSON) with too few starts; absent in verdicts of older documents.
	EquivalenceLow  float64 `json:"equivalence_low"`
	EquivalenceHigh float64 `json:"equivalence_high"`
	// Excluded is the least change, as a fraction, that is excluded: the further end of that interval. 0 for other words.
	Excluded float64 `json:"excluded,omitempty"`
	// P is the p-value of no difference as if this were the only look; Level is what it
	// had to be at or under, given the looks before.
	P     float64 `json:"p"`
	Level float64 `json:"level"`
	// Looks is how many looks there were, this one included.
	Looks  int    `json:"looks"`
	Method Method `json:"method"`
	// Starts is the number of processes per variant that count, or of layouts that they ran, Pairs the number of
	// pairs of slices from them, Missing the pairs that do not show the measure on both
	// sides. Pairs is Starts for what is read once for each.
	Starts  int `json:"starts"`
	Pairs   int `json:"pairs"`
	Missing int `json:"missing,omitempty"`
	// Alpha and Delta are the options in force.
	Alpha float64 `json:"alpha"`
	Delta float64 `json:"delta"`
	// Resolution is half the width of the interval, as a fraction. Detectable is the smallest difference, as a
	// fraction, that would have been shown in four of five such comparisons. +Inf (null in JSON) with too few starts.
	Resolution float64 `json:"resolution"`
	Detectable float64 `json:"detectable"`
	// Indicative says that the two sides were not taken together, so that whatever
	// changed on the machine in between is in the difference.
	Indicative bool `json:"indicative,omitempty"`
	// Need is what it would take to decide; nil unless undecided.
	Need *Need `json:"need,omitempty"`
	// Disturbed is the share of the pairs that something else on the machine disturbed.
	Disturbed float64 `json:"disturbed,omitempty"`
	// OnlyDisturbed says how pairs that nothing disturbed contradict a difference that all pairs show. The word is not a difference
	// then, and no gate fails by it.
	OnlyDisturbed string `json:"only_disturbed,omitempty"`
	// Scatter is the variance of a unit, a start or a link order, as a log ratio: what later comparisons may know of it.
	Scatter stats.Scatter `json:"scatter,omitzero"`
	// Width says where the width of the interval comes from; nil where it is as narrow as the tolerance, and where nobody
	// looked: see power.WidthOf.
	Width *Width `json:"width,omitempty"`
	// Modes are the groups into which the starts fall; nil where they are one, and where nobody looked: see power.ModesOf.
	Modes *Modes `json:"modes,omitempty"`
	// Tail is how many requests of each side are among the slowest; nil but for high percentiles.
	Tail *Tail `json:"tail,omitempty"`
	// First is what the first stage saw, where the verdict is that of the second one: see DecideInStages.
	First *FirstStage `json:"first,omitempty"`

	prior stats.Prior // that it rests on
	again stats.Prior // that its second stage rests on
	// withoutCalm is how many blocks show a difference though nothing was calm: see Options.NeverCalm.
	withoutCalm int
	calmP       float64   // of the test of the calm pairs, where there are disturbed ones
	blocks      []float64 // the changes of its blocks, in the order of time
}

// Settled says whether the verdict shows a difference, or that the change is below a tolerance, a fraction.
func (v Verdict) Settled(delta float64) bool {
	return v.Word.Different() || v.EquivalenceLow >= 1/(1+delta) && v.EquivalenceHigh <= 1+delta
}

// LedTo is the value of B to which Ratio leads from A: the ratio comes from pairs, and the medians of both sides by
// themselves need not agree with it. observed is B's own median, which tells what lies below the floor.
func (v Verdict) LedTo(observed float64) float64 {
	b := max(v.A, v.Measure.Floor) * v.Ratio
	switch {
	case v.A == observed && v.Ratio == 1:
		return observed
	case b <= v.Measure.Floor*(1+1e-9): // but for the rounding of the product
		return min(observed, v.Measure.Floor)
	}
	return b
}

// OfRuns is the verdict with the figures that its runs have elsewhere. The ratio is theirs then, and the interval
// holds it.
func (v Verdict) OfRuns(a, b float64) Verdict {
	if max(a, v.Measure.Floor) <= 0 || max(b, v.Measure.Floor) <= 0 {
		return v
	}
	v.A, v.B, v.Ratio = a, b, max(b, v.Measure.Floor)/max(a, v.Measure.Floor)
	if v.Bounded() {
		v.Low, v.High = min(v.Low, v.Ratio), max(v.High, v.Ratio)
	}
	return v
}

// Bounded says whether there is an interval with two ends: there were enough starts for one.
func (v Verdict) Bounded() bool { return v.Low > 0 && !math.IsInf(v.High, 1) }

// Need is an estimate, by the law that intervals shrink with the square root of the
// number of starts, of what is missing to a decision.
type Need struct {
	// Starts is how many more of each variant it takes.
	Starts int `json:"starts"`
	// Factor is the time for all starts, old and new, over the time for the old ones.
	Factor float64 `json:"factor"`
}

// verdictFields has Verdict's fields without its methods, so that the JSON methods do not call themselves.
type verdictFields Verdict

// verdictJSON is a verdict as JSON writes it, where infinity has no number.
type verdictJSON struct {
	verdictFields
	High            Bound `json:"high"`
	EquivalenceHigh Bound `json:"equivalence_high"`
	Resolution      Bound `json:"resolution"`
	Detectable      Bound `json:"detectable"`
}

// MarshalJSON writes infinite numbers as null.
func (v Verdict) MarshalJSON() ([]byte, error) {
	return json.Marshal(verdictJSON{verdictFields(v), Bound(v.High), Bound(v.EquivalenceHigh), Bound(v.Resolution), Bound(v.Detectable)})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (v *Verdict) UnmarshalJSON(text []byte) error {
	null := Bound(math.Inf(1)) // also what is missing
	j := verdictJSON{High: null, EquivalenceHigh: null, Resolution: null, Detectable: null}
	if err := json.Unmarshal(text, &j); err != nil {
		return err
	}
	*v = Verdict(j.verdictFields)
	if led := v.LedTo(v.B); v.Ratio > 0 && math.Abs(led-v.B) > 1e-3*led { // it is B's own median, in a document of an earlier hone
		v.B = led
	}
	v.High, v.EquivalenceHigh, v.Resolution, v.Detectable = float64(j.High), float64(j.EquivalenceHigh), float64(j.Resolution), float64(j.Detectable)
	return nil
}
