package judge

import (
	"fmt"
	"math"
)

// Direction says which way a measure gets better.
type Direction string

// The directions.
const (
	Lower  Direction = "lower"
	Higher Direction = "higher"
)

// Level says how often a measure is observed.
type Level string

// The levels.
const (
	// PerSlice: every pair shows it; a block's value comes from its pairs.
	PerSlice Level = "slice"
	// PerStart: it is read once for each start of a process, so once for each variant of a block.
	PerStart Level = "start"
	// Pooled: it is a percentile of all the observations of a variant together.
	Pooled Level = "pool"
)

// Measure is something that is observed of both variants.
type Measure struct {
	// Key is the measure's key in a Sample, short and stable: it is stored.
	Key string `json:"key"`
	// Name is what reports call it, Unit the unit of its values.
	Name string `json:"name"`
	Unit string `json:"unit"`
	// Better is the direction in which B is faster; empty is Lower.
	Better Direction `json:"better"`
	Level  Level     `json:"level"`
	// Quantile of the latency, 0 to 1, where Level is Pooled.
	Quantile float64 `json:"quantile,omitempty"`
	// FirstByte says that the quantile is of the time to the first byte of answers that are streams.
	FirstByte bool `json:"first_byte,omitempty"`
	// Target is the one of several targets whose latency it is; empty for all together.
	Target string `json:"target,omitempty"`
	// Floor is the smallest value that is told apart, in Unit: anything below counts as Floor in ratios, so that none
	// out of none is not a change and a drop to none is a large one. 0: a value has to be over 0.
	Floor float64 `json:"floor,omitempty"`
}

// Sample is what was observed of one variant, by Measure.Key, in the measure's unit. A
// measure that was not observed is absent or NaN.
type Sample map[string]float64

// In is the measure in a sample, in its unit; ok is false where it was not observed. The error names a value that is infinite,
// negative, or 0 without a Floor.
func (m Measure) In(s Sample) (v float64, ok bool, err error) {
	v, ok = s[m.Key]
	switch {
	case !ok || math.IsNaN(v):
		return 0, false, nil
	case math.IsInf(v, 0) || v < 0:
		return 0, false, fmt.Errorf("%s is %v %s, want a finite number, not negative", m.Name, v, m.Unit)
	case v == 0 && m.Floor == 0:
		return 0, false, fmt.Errorf("%s is 0 %s, want a number over 0 (leave out what was not observed)", m.Name, m.Unit)
	}
	return v, true, nil
}

// better says whether a ratio B/A above or below 1, given by its logarithm, is an improvement.
func (m Measure) better(logRatio float64) bool {
	if m.Better == Higher {
		return logRatio > 0
	}
	return logRatio < 0
}
