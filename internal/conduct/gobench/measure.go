package gobench

import (
	"math"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/gohone/hone/judge"
)

// The measures of every benchmark. What a benchmark reports by b.ReportMetric and
// b.SetBytes is measured with them, under its unit as the key.
var (
	// Time decides. The floor is the last digit that go test prints.
	Time = judge.Measure{Key: "time", Name: "time per operation", Unit: "ns", Better: judge.Lower, Level: judge.PerSlice, Floor: 1e-4}
	// CPU is CPU time of the whole process on all CPUs for each operation: of a turn less what it
	// takes beside its operations, and of a process less that of a start of the same binary.
	CPU = judge.Measure{Key: "cpu", Name: "CPU time per operation", Unit: "ns", Better: judge.Lower, Level: judge.PerSlice}
	// Bytes and Allocs are whole numbers, as go test prints them.
	Bytes  = judge.Measure{Key: "bytes", Name: "allocated per operation", Unit: "B", Better: judge.Lower, Level: judge.PerSlice, Floor: 1}
	Allocs = judge.Measure{Key: "allocs", Name: "allocations per operation", Unit: "allocs", Better: judge.Lower, Level: judge.PerSlice, Floor: 0.01}
)

// The measures of Request.Instructions: those of an operation, and of one function with what it
// calls. Less than half an instruction for each operation is none.
var (
	Instructions         = judge.Measure{Key: "instructions", Name: "instructions per operation", Unit: "instructions", Better: judge.Lower, Level: judge.PerStart, Floor: 0.5}
	functionInstructions = judge.Measure{Key: "func", Name: "instructions per operation", Unit: "instructions", Better: judge.Lower, Level: judge.PerStart, Floor: 0.5}
	InstructionMeasures  = []judge.Measure{Instructions, functionInstructions}
)

// instructionsUnit is what instructions are called in files of results.
const instructionsUnit = "instructions/op"

// Measures are those that every benchmark has, the deciding one first.
var Measures = []judge.Measure{Time, CPU, Bytes, Allocs}

// cpuUnit is what CPU time is called in files of results.
const cpuUnit = "cpu-ns/op"

var measureOfUnit = map[string]judge.Measure{"ns/op": Time, cpuUnit: CPU, "B/op": Bytes, "allocs/op": Allocs, instructionsUnit: Instructions}

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
