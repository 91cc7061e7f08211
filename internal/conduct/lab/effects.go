package lab

import (
	"time"

	"github.com/gohone/hone/internal/program/output"
	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/load"
)

// effects are what one start of a comparison did besides answering.
type effects struct {
	answered uint64        // by timed load
	wall     time.Duration // from the first slice to the last, those of other variants included
	loaded   time.Duration // own slices
	cpu      time.Duration // of the slices
	idle     time.Duration // between slices
	children time.Duration // short-lived ones, from the first slice to the last
	timed    bytesMoved    // from the first slice to the last
	sliced   bytesMoved    // in the slices, without the output
	// memory of files and the like that came while it was started and loaded, since the comparison began
	shared int64

	grown int64 // resident memory, from the first slice to the last

	whole *wholeLife // nil where it is not known
}

// bytesMoved are bytes besides those of requests and answers.
type bytesMoved struct {
	written float64 // to anything but the output
	read    float64
	output  float64 // standard output and standard error
	stored  float64 // on disks, in whole pages
}

// wholeLife is what a start did from its exec to its exit.
type wholeLife struct {
	cpu      time.Duration
	moved    bytesMoved
	answered uint64 // by all load
	left     usage.Files
}

// moved takes what hone sent and received off what a program read and wrote. Of a program that answers with send and
// takes requests with recv, which the system does not count, nothing is to be taken off.
func moved(c usage.Counters, sent, received, output uint64) bytesMoved {
	off := func(all, part uint64) float64 {
		if all < part {
			return float64(all)
		}
		return float64(all - part)
	}
	return bytesMoved{
		written: off(c.WriteBytes-min(c.WriteBytes, output), received), read: off(c.ReadBytes, sent),
		output: float64(output), stored: float64(c.StoredBytes),
	}
}

// effectsBefore is the reading before the first slice.
type effectsBefore struct {
	at       time.Time
	counters usage.Counters
	resident int64
	output   uint64
}

// outputSeen is how many bytes the program has written to its output.
func outputSeen(o output.Streams) uint64 { return o.Stdout.Written + o.Stderr.Written }

// beginEffects comes after all that hone itself asks of the program before the first slice.
func (s *start) beginEffects() (effectsBefore, error) {
	u, err := s.process.Usage()
	if err != nil {
		return effectsBefore{}, s.or(err)
	}
	return effectsBefore{at: time.Now(), counters: u.Counters, resident: u.RSS, output: outputSeen(s.process.Output())},
		nil
}

// endEffects comes before anything else is asked of the program.
func (s *start) endEffects(before effectsBefore, now usage.Reading, samples []sample) {
	output := outputSeen(s.process.Output()) - before.output
	e := &effects{wall: time.Since(before.at), shared: s.sharedBytes, grown: now.RSS - before.resident}
	used, sliced := now.Since(before.counters), usage.Counters{}
	var sent, received uint64
	for _, one := range samples {
		e.answered += one.slice.Answered
		e.loaded += one.slice.Duration
		e.cpu += one.counters.AllCPU()
		e.idle += one.idle
		e.children += one.counters.Children
		sent, received = sent+one.slice.BytesSent, received+one.slice.BytesReceived
		sliced.ReadBytes, sliced.WriteBytes = sliced.ReadBytes+one.counters.ReadBytes,
			sliced.WriteBytes+one.counters.WriteBytes
	}
	e.timed, e.sliced = moved(used, sent, received, output), moved(sliced, sent, received, 0)
	s.timed.did, s.doing = append(s.timed.did, e), e
}

// endLife comes when the program is gone; counts are those of all load of the start.
func (s *start) endLife(life usage.Life, counts load.Counts) {
	if s.doing == nil || !life.Known || s.profiled {
		return
	}
	s.doing.whole = &wholeLife{
		cpu: life.CPU, answered: counts.Answered, left: life.Left,
		moved: moved(life.Counters, counts.BytesSent, counts.BytesReceived, outputSeen(s.latest.output)),
	}
}

// both are the effects of A and B in the blocks that have them, B beside A.
func bothDid(a, b *service) (ofA, ofB []*effects) {
	n := min(len(a.timed.did), len(b.timed.did))
	for i := range n {
		if a.timed.did[i].answered > 0 && b.timed.did[i].answered > 0 {
			ofA, ofB = append(ofA, a.timed.did[i]), append(ofB, b.timed.did[i])
		}
	}
	return ofA, ofB
}
