// Package progress is how a measurement tells its observer what it is doing.
package progress

import (
	"time"

	"github.com/gohone/hone/internal/text/vitals"
)

// Sink hears about a measurement while it runs. It is called from one goroutine.
type Sink interface {
	// Phase says what begins and how long it should take; 0 means unknown.
	Phase(name string, expected time.Duration)
	// Tick says what the latest slice saw.
	Tick(t Tick)
	// Warn says what the user should know although the measurement goes on.
	Warn(text string)
}

// Named is a Sink that wants to know the permanent name of what is measured.
type Named interface {
	// Named says the id of the run, or of the comparison that it belongs to, as soon as the ledger has it.
	Named(id string)
}

// Tell tells a sink the permanent name of what is measured, if it wants to know.
func Tell(s Sink, id string) {
	if n, ok := s.(Named); ok {
		n.Named(id)
	}
}

// Tick is the state after a slice.
type Tick struct {
	// Variant is the letter of the variant in a comparison, else empty.
	Variant string
	// Done and Total are the timed load so far and planned; Total 0 means unknown.
	Done, Total time.Duration
	// RatePerSec is the right answers per second in this slice, AskedPerSec the
	// requests per second that an open loop called for; 0 in a closed loop.
	RatePerSec, AskedPerSec float64
	// P99 is the latency of this slice that 99 % of its answers stayed below.
	P99 time.Duration
	// Errors counts failed requests so far, of all variants.
	Errors uint64
	// NoLoad says that there is no load: rate, latency and errors mean nothing.
	NoLoad bool
	// Note is what a comparison shows so far; empty before its first look.
	Note string
	// Vitals tells what program and generator did in the slice, for who shows it: asked for
	// before the next Tick. Nil where there is nothing to tell.
	Vitals func() vitals.Reading `json:"-"`
	// Lately adds to a reading what the program did in the latest seconds. It takes long,
	// and is asked for when something is drawn, from the goroutine that calls Tick. Nil where
	// there is nothing to add.
	Lately func(*vitals.Reading) `json:"-"`
}
