package gobench

import (
	"math"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
)

// instructionsUnit is what instructions are called in files of results.
const instructionsUnit = "instructions/op"

// cpuUnit is what CPU time is called in files of results.
const cpuUnit = "cpu-ns/op"

var measureOfUnit = map[string]judge.Measure{"ns/op": measure.OperationTime, cpuUnit: measure.OperationCPU,
	"B/op": measure.OperationBytes, "allocs/op": measure.OperationAllocs,
	instructionsUnit: measure.OperationInstructions}

// measureOf is the measure for a unit as go test prints it.
func measureOf(unit string) judge.Measure {
	if m, known := measureOfUnit[unit]; known {
		return m
	}
	// A reported metric may be 0; the floor is below what any unit tells apart.
	return judge.Measure{Key: unit, Name: unit, Unit: unit, Better: betterOf(unit), Level: judge.PerSlice, Floor: 1e-9}
}

// betterOf is the direction of a unit that is not known: rates are better when higher.
func betterOf(unit string) judge.Direction {
	if strings.HasSuffix(unit, "/s") || strings.HasSuffix(unit, "/sec") {
		return judge.Higher
	}
	return judge.Lower
}

// printedUnit is the value and unit as go test printed them; benchfmt turns ns into sec.
func printedUnit(v benchfmt.Value) (float64, string) {
	if v.OrigUnit != "" {
		return v.OrigValue, v.OrigUnit
	}
	return v.Value, v.Unit
}

// sampleOf takes the values of a result that can be compared: ratios want finite numbers
// of at least 0.
func sampleOf(r *benchfmt.Result) (s judge.Sample, units []string) {
	s = judge.Sample{}
	for _, v := range r.Values {
		value, unit := printedUnit(v)
		if math.IsNaN(value) || math.IsInf(value, 0) || value < 0 {
			continue
		}
		s[measureOf(unit).Key] = value
		units = append(units, unit)
	}
	return s, units
}
