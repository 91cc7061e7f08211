package spec

// Spec is what is asked for: the user's words and, once package read has read them, what they mean.
type Spec struct {
	Parts
	Sending
	Output
	Bench   Bench
	Bisect  Bisect
	Advise  Advise
	Profile Profile
	Pull    Pull
	History History
	Track   Track
	Tail    Tail
}

// Parts are what a measurement of programs is asked for. The conductors take them, the ledger stores them, and a stored
// run that is measured again has them once more.
type Parts struct {
	Program `json:"program"`
	Load    `json:"load"`
	Test    `json:"test"`
	Observe `json:"observe"`
}

// Rows are all options, in the order of the help: the most used of a group first.
var Rows = concat(loadRows, requestRows, protocolRows, scheduleRows, programRows, testRows, observeRows, benchRows,
	bisectRows, adviseRows, pullRows, profileRows, historyRows, trackRows, outputRows)

func concat[T any](parts ...[]T) (all []T) {
	for _, part := range parts {
		all = append(all, part...)
	}
	return all
}
