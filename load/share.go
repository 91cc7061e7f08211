package load

import (
	"fmt"
	"slices"
)

// Share is the part of an open loop's schedule that one of several generators sends. The requests of the whole schedule
// are numbered from 0; the share has those whose number, divided by Of, leaves one of Classes. Shares whose classes are
// together 0 to Of-1, each once, send exactly the whole schedule: each request once, at its moment. Requests of a
// Poisson process have no number: each share is a process of its part of the rate, and together they are one of the
// whole rate.
//
// The zero value is the whole schedule.
type Share struct {
	// Of is how many classes there are, Classes which of them belong to the share, in ascending order.
	Of      int   `json:"of"`
	Classes []int `json:"classes"`
}

// maxClasses bounds Share.Of, and so what a share takes to write down.
const maxClasses = 1 << 16

// whole says that all requests belong to the share.
func (s Share) whole() bool { return s.Of == 0 }

// validate says what is wrong with the share.
func (s Share) validate() error {
	if s.whole() && len(s.Classes) == 0 {
		return nil
	}
	if s.Of < 1 || s.Of > maxClasses {
		return fmt.Errorf("a share is of %d classes, want 1 to %d", s.Of, maxClasses)
	}
	if len(s.Classes) == 0 || !slices.IsSorted(s.Classes) ||
		len(slices.Compact(slices.Clone(s.Classes))) < len(s.Classes) ||
		s.Classes[0] < 0 || s.Classes[len(s.Classes)-1] >= s.Of {
		return fmt.Errorf("the classes of a share are %v, want some of 0 to %d in ascending order", s.Classes, s.Of-1)
	}
	return nil
}

// number is that of the share's request k in the whole schedule.
func (s Share) number(k uint64) uint64 {
	if s.whole() {
		return k
	}
	c := uint64(len(s.Classes))
	return k/c*uint64(s.Of) + uint64(s.Classes[k%c])
}

// count is how many of the first n requests of the whole schedule belong to the share.
func (s Share) count(n uint64) uint64 {
	if s.whole() {
		return n
	}
	of := uint64(s.Of)
	rest, _ := slices.BinarySearch(s.Classes, int(n%of))
	return n/of*uint64(len(s.Classes)) + uint64(rest)
}

// part is the share as a fraction of the whole.
func (s Share) part() float64 {
	if s.whole() {
		return 1
	}
	return float64(len(s.Classes)) / float64(s.Of)
}

// Own is the schedule without its share, with the rates, requests and moments that belong to it: what this generator
// sends by itself. Those of all shares add up to the whole.
func (s Schedule) Own() Schedule {
	share := s.Share
	if share.whole() {
		return s
	}
	own := s
	own.Share = Share{}
	own.Stages = slices.Clone(s.Stages)
	for i := range own.Stages {
		own.Stages[i].From *= share.part()
		own.Stages[i].To *= share.part()
	}
	own.Requests = share.count(s.Requests)
	own.Replay = SharedOut(share, s.Replay)
	return own
}

// SharedOut are the elements that belong to a share, of a list with one element for each request of the whole schedule.
func SharedOut[T any](s Share, all []T) []T {
	if s.whole() || len(all) == 0 {
		return all
	}
	own := make([]T, 0, s.count(uint64(len(all))))
	for k := range uint64(cap(own)) {
		own = append(own, all[s.number(k)])
	}
	return own
}
