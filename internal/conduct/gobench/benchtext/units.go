package benchtext

import (
	"math"
	"slices"

	"golang.org/x/perf/benchfmt"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
)

// PrintedValue is the value and unit as go test printed them; benchfmt turns ns into sec.
func PrintedValue(v benchfmt.Value) (float64, string) {
	if v.OrigUnit != "" {
		return v.OrigValue, v.OrigUnit
	}
	return v.Value, v.Unit
}

// SampleOf takes the values of a result that can be compared: ratios want finite numbers
// of at least 0.
func SampleOf(r *benchfmt.Result) (s judge.Sample, units []string) {
	s = judge.Sample{}
	for _, v := range r.Values {
		value, unit := PrintedValue(v)
		if math.IsNaN(value) || math.IsInf(value, 0) || value < 0 {
			continue
		}
		s[measure.OfUnit(unit).Key] = value
		units = append(units, unit)
	}
	return s, units
}

// Nanos is the time of one operation in a result; 0 where the benchmark hides it.
func Nanos(r *benchfmt.Result) float64 {
	for _, v := range r.Values {
		if value, unit := PrintedValue(v); unit == "ns/op" {
			return value
		}
	}
	return 0
}

// InsertCPU puts CPU time per operation, in ns, behind the time.
func InsertCPU(r *benchfmt.Result, ns float64) {
	r.Values = slices.Insert(r.Values, min(1, len(r.Values)),
		benchfmt.Value{Value: ns / 1e9, Unit: "cpu-sec/op", OrigValue: ns, OrigUnit: measure.CPUUnit})
}
