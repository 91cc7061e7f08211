package series

import (
	"context"
	"strconv"
)

// Store is a place of points and of the reports beside them. Two jobs may write at the same time: nothing is lost, and
// nothing is there twice.
type Store interface {
	// Append adds points, all or none of them, and gives each its schema and its ID. A point that is there already, by
	// its ID, is not written again; nor is a report. When Append returns nil, the points survive a kill and a loss of
	// power. Only where the process is killed meanwhile, a Dir may have some of them: to append again adds the rest.
	Append(ctx context.Context, points []Point, reports map[string][]byte) error
	// Read returns all points that can be read, in the order in which they were written for each branch and subject, and
	// what cannot. A store that is not there yet has no points.
	Read(ctx context.Context) (Content, error)
	// Report reads a report.
	Report(ctx context.Context, name string) ([]byte, error)
	// String names the place for messages.
	String() string
}

// Content is what a store has.
type Content struct {
	Points []Point
	// Faults say what could not be read, and where.
	Faults []Fault
}

// Fault is what is wrong with a file of a store: a line that is no point, or a point that is doubtful. Its texts may
// have a stranger's words.
type Fault struct {
	File string
	// Line counts from 1; 0 stands for the file.
	Line   int
	Reason string
	// Kept says that the line is among Content.Points: the point can be shown, with this doubt.
	Kept bool
}

// Text says it to the reader of a series: whether the line is shown, and what is wrong with it.
func (f Fault) Text() string {
	if f.Kept {
		return "in doubt: " + f.String()
	}
	return "not read: " + f.String()
}

// String is FILE:LINE: REASON.
func (f Fault) String() string {
	if f.Line == 0 {
		return f.File + ": " + f.Reason
	}
	return f.File + ":" + strconv.Itoa(f.Line) + ": " + f.Reason
}
