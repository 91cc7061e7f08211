package timed

import (
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/judge"
)

// Consumption is what the subject used up while it served timed slices.
type Consumption struct {
	Voluntary, Involuntary uint64 // context switches
	Reads, Writes          uint64 // calls
	ReadBytes, WriteBytes  uint64 // by these calls
	Answered               uint64
	GCCycles               uint64
	AllocBytes, Allocs     uint64 // from the probe
	Read                   uint64 // requests answered while the runtime was read
}

func (c *Consumption) Add(o Consumption) {
	c.Voluntary += o.Voluntary
	c.Involuntary += o.Involuntary
	c.Reads += o.Reads
	c.Writes += o.Writes
	c.ReadBytes += o.ReadBytes
	c.WriteBytes += o.WriteBytes
	c.Answered += o.Answered
	c.GCCycles += o.GCCycles
	c.AllocBytes += o.AllocBytes
	c.Allocs += o.Allocs
	c.Read += o.Read
}

// Sample is what a start shows as a whole; probed says that the probe saw all of the program.
func (c Consumption) Sample(u usage.Reading, probed bool) judge.Sample {
	s := judge.Sample{}
	per := func(m judge.Measure, n, requests uint64, known bool) {
		if known && requests > 0 {
			s[m.Key] = float64(n) / float64(requests)
		}
	}
	per(measure.ReadCalls, c.Reads, c.Answered, c.Reads > 0)
	per(measure.WriteCalls, c.Writes, c.Answered, c.Writes > 0)
	per(measure.Bytes, c.AllocBytes, c.Read, probed)
	per(measure.Allocs, c.Allocs, c.Read, probed)
	if u.PeakRSS > 0 {
		s[measure.PeakRSS.Key] = float64(u.PeakRSS)
	}
	if u.RSS > 0 {
		s[measure.Resident.Key] = float64(u.RSS)
	}
	return s
}
