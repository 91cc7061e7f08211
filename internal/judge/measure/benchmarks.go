package measure

import (
	"github.com/gohone/hone/judge"
)

// The measures of every benchmark. What a benchmark reports by b.ReportMetric and
// b.SetBytes is measured with them, under its unit as the key.
var (
	// OperationTime decides. The floor is the last digit that go test prints.
	OperationTime = judge.Measure{Key: "time", Name: "time per operation", Unit: "ns", Better: judge.Lower,
		Level: judge.PerSlice, Floor: 1e-4}
	// OperationCPU is the CPU time of the whole process on all CPUs for each operation: of a turn less what it
	// takes beside its operations, and of a process less that of a start of the same binary.
	OperationCPU = judge.Measure{Key: "cpu", Name: "CPU time per operation", Unit: "ns", Better: judge.Lower,
		Level: judge.PerSlice}
	// OperationBytes and OperationAllocs are whole numbers, as go test prints them.
	OperationBytes = judge.Measure{Key: "bytes", Name: "allocated per operation", Unit: "B", Better: judge.Lower,
		Level: judge.PerSlice, Floor: 1}
	OperationAllocs = judge.Measure{Key: "allocs", Name: "allocations per operation", Unit: "allocs",
		Better: judge.Lower, Level: judge.PerSlice, Floor: 0.01}
)

// The measures of counted instructions: those of an operation, and of one function with what it
// calls. Less than half an instruction for each operation is none.
var (
	OperationInstructions = judge.Measure{Key: "instructions", Name: "instructions per operation", Unit: "instructions",
		Better: judge.Lower, Level: judge.PerStart, Floor: 0.5}
	FunctionInstructions = judge.Measure{Key: "func", Name: "instructions per operation", Unit: "instructions",
		Better: judge.Lower, Level: judge.PerStart, Floor: 0.5}
	OfInstructions = []judge.Measure{OperationInstructions, FunctionInstructions}
)

// OfBenchmarks are those that every benchmark has, the deciding one first.
var OfBenchmarks = []judge.Measure{OperationTime, OperationCPU, OperationBytes, OperationAllocs}
