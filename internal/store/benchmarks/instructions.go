package benchmarks

// InstructionCounter is what counted the instructions.
type InstructionCounter struct {
	// Valgrind is its version.
	Valgrind string `json:"valgrind"`
	// Settings are what the benchmarks of A and B had in their environment because of it.
	Settings [2][]string `json:"settings"`
}

// InstructionCount is how the instructions of a benchmark were counted.
type InstructionCount struct {
	// Few and Many are the iterations of the two processes of a run.
	Few  int `json:"few"`
	Many int `json:"many"`
	// A and B are the instructions per operation of each run.
	A []float64 `json:"a"`
	B []float64 `json:"b"`
	// Scatter is by how much the runs of a side differ at most, as a fraction; of the side
	// where that is more.
	Scatter float64 `json:"scatter"`
	// Functions are those that executed instructions, by symbol, the largest change of their own
	// first. Those of the runtime that work in the background are among them.
	Functions []FunctionCount `json:"functions"`
	// Left is how many functions are left out here, because they are small and changed little.
	Left int `json:"functions_left_out,omitempty"`
}

// FunctionCount is the instructions per operation of one function on both sides.
type FunctionCount struct {
	Function string `json:"function"`
	// SelfA and SelfB are without what the function calls. Those of all functions add up to the whole.
	SelfA float64 `json:"self_a"`
	SelfB float64 `json:"self_b"`
	// InclusiveA and InclusiveB are with what it calls: computed from Self and the numbers of
	// calls, where each call of a function costs the same (see package callgrind).
	InclusiveA float64 `json:"inclusive_a"`
	InclusiveB float64 `json:"inclusive_b"`
	// Share is the change of Self in percent of all instructions of A.
	Share float64 `json:"share_percent"`
	// Shown says that the change of Self is more than the runs of either side differ in it.
	Shown bool `json:"shown"`
}
