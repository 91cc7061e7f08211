package measure

import (
	"strings"

	"github.com/gohone/hone/judge"
)

// InstructionsUnit is what instructions are called in files of results.
const InstructionsUnit = "instructions/op"

// CPUUnit is what CPU time is called in files of results.
const CPUUnit = "cpu-ns/op"

var ofUnit = map[string]judge.Measure{"ns/op": OperationTime, CPUUnit: OperationCPU, "B/op": OperationBytes,
	"allocs/op": OperationAllocs, InstructionsUnit: OperationInstructions}

// OfUnit is the measure of a benchmark for a unit as go test prints it.
func OfUnit(unit string) judge.Measure {
	if m, known := ofUnit[unit]; known {
		return m
	}
	// A reported metric may be 0; the floor is below what any unit tells apart.
	return judge.Measure{Key: unit, Name: unit, Unit: unit, Better: BetterOf(unit), Level: judge.PerSlice, Floor: 1e-9}
}

// BetterOf is the direction of a unit that is not known: rates are better when higher.
func BetterOf(unit string) judge.Direction {
	if strings.HasSuffix(unit, "/s") || strings.HasSuffix(unit, "/sec") {
		return judge.Higher
	}
	return judge.Lower
}
