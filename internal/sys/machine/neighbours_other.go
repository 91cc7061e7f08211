//go:build !linux

package machine

import "time"

// Neighbours watches the processes that are not the measurement's own; this system tells of none.
type Neighbours struct{}

// WatchNeighbours lists none.
func WatchNeighbours(int) *Neighbours { return &Neighbours{} }

// Next is nil.
func (*Neighbours) Next() map[int]time.Duration { return nil }

// Rest does nothing.
func (*Neighbours) Rest() {}

// Name is empty.
func (*Neighbours) Name(int) string { return "" }
