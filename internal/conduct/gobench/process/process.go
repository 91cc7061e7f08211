package process

import (
	"context"
	"strings"
	"time"
)

// Program is a test binary and how it is run.
type Program struct {
	Path string
	Dir  string   // of the package, where go test runs it
	Env  []string // whole
	// Plain runs it as a shell would: the process has no mark of hone, and its parent is a shell. If hone is killed
	// it goes on to its end.
	Plain bool
}

// Ending is what a process left behind.
type Ending struct {
	Stdout, Stderr string
	Wall           time.Duration
	CPU            time.Duration // user and system time, with that of children that were waited for
	Left           time.Duration // CPU time of what was left in its group
	Written        Written
	Why            string // of a failure: its exit status, or the time limit
}

// Written is what a process wrote from its start to its end, with children that were waited for.
type Written struct {
	Bytes  uint64 // by write calls: to files, to other programs, to its output
	Stored uint64 // that disks were asked for, in whole pages
	Known  bool   // on Linux
}

// Run runs the program to its end. The process is in a group of its own, and nothing of
// that group outlives the call; if hone is killed, the process is killed too, and the
// next hone ends what it leaves (on Linux).
// When ctx is done the group is killed and the error is ctx's. Otherwise the error is an
// *exec.ExitError, with the ending valid, or says why nothing could be started.
func (p Program) Run(ctx context.Context, args ...string) (Ending, error) {
	started, err := p.Start(ctx, nil, args...)
	if err != nil {
		return Ending{}, err
	}
	e, err := started.Wait()
	if ctx.Err() != nil {
		return e, ctx.Err()
	}
	return e, err
}

// shownLines is how much of the output of a build or a benchmark an error shows.
const shownLines = 20

// LastWords are the lines of an ending that tell why: the failure report on standard
// output, and standard error from the panic on, whose trace may be long.
func (e Ending) LastWords() string {
	out, why := LastLines(e.Stdout), LastLines(e.Stderr)
	for _, mark := range []string{"panic: ", "fatal error: "} {
		if at := strings.Index(e.Stderr, mark); at >= 0 {
			lines := strings.Split(strings.TrimSpace(e.Stderr[at:]), "\n")
			why = strings.Join(lines[:min(len(lines), shownLines)], "\n")
			break
		}
	}
	return strings.TrimSpace(out + "\n" + why)
}

// LastLines is the end of an output.
func LastLines(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-shownLines):], "\n")
}
