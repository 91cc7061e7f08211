package spec

// Spec is what is asked for, in the user's words: nothing in it was read from a file or found out.
type Spec struct {
	Program
	Load
	Sending
	Test
	Observe
	Output
	Bench   Bench
	Bisect  Bisect
	Advise  Advise
	Profile Profile
	Pull    Pull
	History History
	Tail    Tail
}

// Rows are all options, in the order of the help: the most used of a group first.
var Rows = concat(loadRows, requestRows, protocolRows, scheduleRows, programRows, testRows, observeRows, benchRows, bisectRows, adviseRows, pullRows, profileRows, historyRows, outputRows)

func concat[T any](parts ...[]T) (all []T) {
	for _, part := range parts {
		all = append(all, part...)
	}
	return all
}
