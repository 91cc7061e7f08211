package main

import (
	"slices"

	"github.com/gohone/hone/internal/text/fail"
)

// argsFlag ends the flags of hone bench: what follows goes to the test binaries.
const argsFlag = "--args"

// endFlagsAtArgs gives a command line of hone bench the meaning that go test gives to -args:
// whatever follows is no flag of hone's. Other command lines, and what stands after --, stay.
func endFlagsAtArgs(args []string) []string {
	if len(args) == 0 || args[0] != "bench" {
		return args
	}
	for i, arg := range args {
		switch arg {
		case "--":
			return args
		case argsFlag, "-args":
			return slices.Concat(args[:i], []string{argsFlag, "--"}, args[i+1:])
		}
	}
	return args
}

// split takes the arguments of the test binaries, which stand after --args or --, from the
// packages. dash is where they begin, under 0 if there are none.
func (f *benchFlags) split(args []string, dash int) (packages []string, err error) {
	if dash < 0 {
		return args, nil
	}
	f.Args = args[dash:]
	if len(f.Args) == 0 {
		return nil, fail.New(fail.BadInput, "there is nothing after %s", argsFlag).
			WithHint("put the arguments of the test binaries after it: hone bench ./... --vs main --args -size=large")
	}
	return args[:dash], nil
}
