// Package seriestest makes series for tests.
package seriestest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/gohone/hone/internal/store/series"
)

// stepAt is the part of the nights after which every hundredth benchmark gets slower by 8 %.
const stepAt = 0.55

// Nights are the points of a branch that was tracked each night, the same each time. A night measures a tenth of the
// benchmarks: the others execute nothing that changed.
func Nights(nights, benchmarks int) (points []series.Point) {
	rng := rand.New(rand.NewPCG(59, 3))
	began := time.Date(2024, 11, 1, 3, 0, 0, 0, time.UTC)
	var base *series.Commit
	for night := range nights {
		c := series.Commit{Hash: fmt.Sprintf("%016x%024x", rng.Uint64(), night), Time: began.AddDate(0, 0, night), Author: "Ada",
			Subject: fmt.Sprintf("change %d of the parser", night)}
		p := series.Point{ID: fmt.Sprint(night), Branch: "main", Subject: "bench", Commit: c, Base: base}
		for i := range benchmarks {
			if base == nil {
				break
			}
			slower := night == int(stepAt*float64(nights)) && i%100 == 0
			v := series.Value{Name: fmt.Sprintf("example.com/app/part%d.Work/case%d", i/20, i), Measure: "time",
				State: series.Unchanged}
			if (night+i)%10 == 0 || slower {
				v.State, v.Ratio, v.Confidence = series.Measured, math.Exp(0.004*rng.NormFloat64()), 0.95
				if slower {
					v.Ratio, v.Verdict, v.Confirmed = 1.08, "slower", true
				}
				v.Low, v.High = v.Ratio*0.99, v.Ratio*1.01
			}
			p.Values = append(p.Values, v)
		}
		points, base = append(points, p), &c
	}
	return points
}
