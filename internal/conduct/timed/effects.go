package timed

import (
	"math"
	"time"

	"github.com/gohone/hone/internal/program/usage"
)

// Effects are what one start of a comparison did besides answering.
type Effects struct {
	Answered uint64        // by timed load
	Wall     time.Duration // from the first slice to the last, those of other variants included
	Loaded   time.Duration // own slices
	CPU      time.Duration // of the slices
	Idle     time.Duration // between slices
	Children time.Duration // short-lived ones, from the first slice to the last
	Timed    BytesMoved    // from the first slice to the last
	Sliced   BytesMoved    // in the slices, without the output
	// memory of files and the like that came while it was started and loaded, since the comparison began
	Shared int64

	Grown int64 // resident memory, from the first slice to the last

	Whole *WholeLife // nil where it is not known
}

// BytesMoved are bytes besides those of requests and answers.
type BytesMoved struct {
	Written float64 // to anything but the output
	Read    float64
	Output  float64 // standard output and standard error
	Stored  float64 // on disks, in whole pages
}

// WholeLife is what a start did from its exec to its exit.
type WholeLife struct {
	CPU      time.Duration
	Moved    BytesMoved
	Answered uint64 // by all load
	Left     usage.Files
}

// Exchanged are the bytes that hone exchanged with a program: as its load, and as its output.
type Exchanged struct{ Sent, Received, Output uint64 }

// Moved takes what hone sent and received off what a program read and wrote. Of a program that answers with send and
// takes requests with recv, which the system does not count, nothing is taken off.
func Moved(c usage.Counters, by Exchanged) BytesMoved {
	off := func(all, part uint64) float64 {
		if all < part {
			return float64(all)
		}
		return float64(all - part)
	}
	return BytesMoved{
		Written: off(c.WriteBytes-min(c.WriteBytes, by.Output), by.Received), Read: off(c.ReadBytes, by.Sent),
		Output: float64(by.Output), Stored: float64(c.StoredBytes),
	}
}

// BothDid are the effects of A and B in the blocks that have them, B beside A.
func BothDid(a, b *Load) (ofA, ofB []*Effects) {
	n := min(len(a.Effects), len(b.Effects))
	for i := range n {
		if a.Effects[i].Answered > 0 && b.Effects[i].Answered > 0 {
			ofA, ofB = append(ofA, a.Effects[i]), append(ofB, b.Effects[i])
		}
	}
	return ofA, ofB
}

// Outside is the CPU time of a start that belongs to no request, in nanoseconds; NaN where it is not known.
func (e *Effects) Outside() float64 {
	if e.Whole == nil {
		return math.NaN()
	}
	perRequest := float64(e.CPU) / float64(e.Answered)
	return float64(e.Whole.CPU-e.CPU-e.Idle) - perRequest*(float64(e.Whole.Answered)-float64(e.Answered))
}
