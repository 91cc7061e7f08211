package model

import (
	"fmt"
	"math"

	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
)

// leastPercent is the smallest share of slow requests that is told apart, in per cent.
const leastPercent = 0.01

// slowRequests is a verdict that rests on the requests beyond a threshold (judge.SlowShare) as one on their share:
// "requests over 3.1 ms", 1.0 -> 5.8 %. The percentile itself does not show what the verdict says.
func slowRequests(v judge.Verdict) judge.Verdict {
	v.Measure.Name, v.Measure.Unit = "requests over "+units.Nanos(v.Tail.Threshold), "%"
	v.Measure.Floor = leastPercent
	v.A, v.B = 100*v.Tail.A, 100*v.Tail.B
	v.Ratio, v.Low, v.High = max(v.B, leastPercent)/max(v.A, leastPercent), 0, math.Inf(1)
	return v
}

// slowText is a tail in words: "requests over 3.10 ms 1.00 -> 5.80 %".
func slowText(m judge.Measure, t judge.Tail) string {
	v := slowRequests(judge.Verdict{Measure: m, Tail: &t})
	return v.Measure.Name + " " + ValuesOf(v).String()
}

// chance is how often chance does what a verdict rests on.
func chance(v judge.Verdict) string { return fmt.Sprintf("p = %.1g", v.P) }
