package prof

import (
	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof/internal/calltree"
	"github.com/gohone/hone/prof/internal/sampled"
)

// allocations are the samples of the allocation profile that blame falls on, and the sum of their bytes.
func (p *packer) allocations() (all []*profile.Sample, bytes int64) {
	a := p.options.Allocs
	if a == nil || p.capture.Kind != "cpu" || sampled.Check(a.Profile) != nil {
		return nil, 0
	}
	column, err := sampled.Column(a.Profile, "alloc_space")
	if err != nil {
		return nil, 0
	}
	for _, s := range a.Profile.Sample {
		if v := s.Value[column]; v > 0 && !p.factsOf(s.Location).observer {
			one := &profile.Sample{Location: s.Location, Value: []int64{v}}
			all, bytes = append(all, one), bytes+v
		}
	}
	return all, bytes
}

// handOut divides the background work among allocations so that not a nanosecond is lost.
func (p *packer) handOut(work int64, allocated []*profile.Sample, bytes int64) {
	leaf := &profile.Location{}
	p.frames[leaf] = []calltree.Step{{Place: p.places[Place{Function: BlamedFrame}]}}
	given, seen := int64(0), int64(0)
	for _, s := range allocated {
		seen += s.Value[0]
		upTo := int64(float64(work) * (float64(seen) / float64(bytes)))
		if seen == bytes {
			upTo = work
		}
		var c packedCost
		c[mostTypes] = upTo - given
		given = upTo
		if c[mostTypes] != 0 {
			p.add(append([]*profile.Location{leaf}, s.Location...), c)
		}
	}
}
