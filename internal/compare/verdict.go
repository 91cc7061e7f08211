package compare

import (
	"encoding/json"
	"math"
)

// Word is a verdict in one word.
type Word string

// The words. Invalid is never the outcome of Decide: a caller that knows the
// measurement to be bad says it in place of asking.
const (
	Faster    Word = "faster"
	Slower    Word = "slower"
	Same      Word = "same"
	Undecided Word = "undecided"
	Invalid   Word = "invalid"
)

// Verdict is what the pairs say about one measure. Ratios are B relative to A: 0.97
// is 3 % less.
type Verdict struct {
	Measure Measure `json:"measure"`
	Word    Word    `json:"verdict"`
	// Reason says why that word, for the user to read.
	Reason string `json:"reason"`
	// A and B are the medians of the variants' slices, in Measure.Unit. Their ratio
	// is not Ratio, which is estimated from pairs.
	A float64 `json:"a"`
	B float64 `json:"b"`
	// Ratio is the Hodges-Lehmann estimate of B/A; Low ... High is its interval with
	// the confidence Conf that is really achieved, at least 1-Alpha. With too few
	// pairs for any interval they are 0 and +Inf (null in JSON).
	Ratio float64 `json:"ratio"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Conf  float64 `json:"conf"`
	// P is the p-value of the signed-rank test of no difference.
	P float64 `json:"p"`
	// Pairs are those that count, Missing those that do not show the measure on both
	// sides; Starts is the number of processes per variant that the pairs come from.
	Pairs   int `json:"pairs"`
	Missing int `json:"missing,omitempty"`
	Starts  int `json:"starts"`
	// Alpha and Delta are the options in force; StartMargin is the fraction that the
	// luck of so many starts can explain.
	Alpha       float64 `json:"alpha"`
	Delta       float64 `json:"delta"`
	StartMargin float64 `json:"start_margin"`
	// Resolution is half the width of the interval, as a fraction: a difference
	// under it (and under StartMargin) could not have been seen. +Inf (null in JSON)
	// with too few pairs.
	Resolution float64 `json:"resolution"`
	// Need is what it would take to decide; nil unless undecided.
	Need *Need `json:"need,omitempty"`
}

// Need is an estimate, by the law that intervals shrink with the square root of the
// number of pairs, of what is missing to a decision.
type Need struct {
	// Pairs is how many more pairs it takes.
	Pairs int `json:"pairs"`
	// Factor is the time for all pairs, old and new, over the time for the old ones.
	Factor float64 `json:"factor"`
	// Starts is how many more starts per variant the pairs have to be spread over; 0
	// where the number of starts is not what is missing.
	Starts int `json:"starts,omitempty"`
}

// verdictFields has Verdict's fields without its methods; the named type keeps the
// JSON methods from calling themselves.
type verdictFields Verdict

// verdictJSON is a verdict as JSON writes it, where infinity has no number.
type verdictJSON struct {
	verdictFields
	High       *float64 `json:"high"`
	Resolution *float64 `json:"resolution"`
}

// MarshalJSON writes an infinite bound as null.
func (v Verdict) MarshalJSON() ([]byte, error) {
	return json.Marshal(verdictJSON{verdictFields(v), finite(v.High), finite(v.Resolution)})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (v *Verdict) UnmarshalJSON(text []byte) error {
	var j verdictJSON
	if err := json.Unmarshal(text, &j); err != nil {
		return err
	}
	*v = Verdict(j.verdictFields)
	v.High, v.Resolution = orInf(j.High), orInf(j.Resolution)
	return nil
}

func finite(f float64) *float64 {
	if math.IsInf(f, 0) {
		return nil
	}
	return &f
}

func orInf(f *float64) float64 {
	if f == nil {
		return math.Inf(1)
	}
	return *f
}
