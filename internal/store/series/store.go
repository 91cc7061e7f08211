package series

import "context"

// Store is a place of points and of the reports beside them. Two jobs may write at the same time: nothing is lost, and
// nothing is there twice.
type Store interface {
	// Append adds points, all or none of them.
	Append(ctx context.Context, points []Point, reports map[string][]byte) error
	// Read returns all points that can be read, in the order in which they were written, and what cannot.
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

// Fault is a line of a store that is no point.
type Fault struct {
	File   string
	Line   int
	Reason string
}
