package service

import (
	"time"

	"github.com/gohone/hone/internal/conduct/timed"
	"github.com/gohone/hone/internal/program/output"
	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/load"
)

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
func (s *start) endEffects(before effectsBefore, now usage.Reading, samples []timed.Sample) {
	output := outputSeen(s.process.Output()) - before.output
	e := &timed.Effects{Wall: time.Since(before.at), Shared: s.sharedBytes, Grown: now.RSS - before.resident}
	used, sliced := now.Since(before.counters), usage.Counters{}
	var by timed.Exchanged
	for _, one := range samples {
		e.Answered += one.Loaded.Answered
		e.Loaded += one.Loaded.Duration
		e.CPU += one.Counters.AllCPU()
		e.Idle += one.Idle
		e.Children += one.Counters.Children
		by.Sent, by.Received = by.Sent+one.Loaded.BytesSent, by.Received+one.Loaded.BytesReceived
		sliced.ReadBytes, sliced.WriteBytes = sliced.ReadBytes+one.Counters.ReadBytes,
			sliced.WriteBytes+one.Counters.WriteBytes
	}
	e.Sliced = timed.Moved(sliced, by)
	by.Output = output
	e.Timed = timed.Moved(used, by)
	s.timed.Effects, s.effects = append(s.timed.Effects, e), e
}

// endLife comes when the program is gone; counts are those of all load of the start.
func (s *start) endLife(life usage.Life, counts load.Counts) {
	if s.effects == nil || !life.Known || s.profiled {
		return
	}
	s.effects.Whole = &timed.WholeLife{
		CPU: life.CPU, Answered: counts.Answered, Left: life.Left,
		Moved: timed.Moved(life.Counters, timed.Exchanged{Sent: counts.BytesSent, Received: counts.BytesReceived,
			Output: outputSeen(s.latest.output)}),
	}
}
