// Package spec is what a user asks for: the program, the load, the test, and what to observe. Each option is one row of
// a table (Rows), from which come the flags of the commands, the keys of --set and of the plans in hone.yaml, the help,
// the reference, and what of a command line is printed again. A new option is a field, its row, and its use.
package spec

// Spec is what is asked for, in the user's words: nothing in it was read from a file or found out.
type Spec struct {
	Program
	Load
	Sending
	Test
	Observe
	Output
}

// Rows are all options, in the order of the help: the most used of a group first.
var Rows = concat(loadRows, requestRows, protocolRows, scheduleRows, programRows, testRows, observeRows, outputRows)

func concat[T any](parts ...[]T) (all []T) {
	for _, part := range parts {
		all = append(all, part...)
	}
	return all
}
