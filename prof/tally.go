package prof

import (
	"errors"
	"fmt"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof/internal/sampled"
)

// tally is a capture folded into sites.
type tally struct {
	column     int
	unit       string
	operations float64
	module     string
	total      float64 // per request, without the observer
	observer   float64 // per request
	buckets    map[bucketKey]*bucket
}

// bucketKey is what a site's lines have in common.
type bucketKey struct{ what, function string }

// bucket is what a site costs per request.
type bucket struct {
	value   float64
	lines   map[Site]float64
	samples []*profile.Sample
}

func (c Capture) tally(o CostOptions) (*tally, error) {
	if err := sampled.Check(c.Profile); err != nil {
		return nil, err
	}
	if c.Operations == 0 {
		return nil, errors.New("no operations were served while it was taken")
	}
	column, sampleType, err := c.column(o.SampleType)
	if err != nil {
		return nil, err
	}
	t := &tally{
		column: column, unit: sampleType.Unit, operations: float64(c.Operations),
		module: o.Module, buckets: map[bucketKey]*bucket{},
	}
	d := SiteFolder{Module: o.Module}
	for _, s := range c.Profile.Sample {
		switch v := s.Value[column]; {
		case v < 0:
			return nil, fmt.Errorf("negative %s: the profile is a difference", sampleType.Name)
		case v > 0:
			t.add(s, &d)
		}
	}
	if t.total == 0 {
		return nil, fmt.Errorf("the profile has no %s of the subject's own", sampleType.Name)
	}
	if c.PerRequest > 0 {
		t.scale(c.PerRequest / t.total)
	}
	return t, nil
}

// scale multiplies all costs.
func (t *tally) scale(by float64) {
	t.operations /= by
	t.total *= by
	t.observer *= by
	for _, b := range t.buckets {
		b.value *= by
		for line := range b.lines {
			b.lines[line] *= by
		}
	}
}

// perRequest is what a sample contributes.
func (t *tally) perRequest(s *profile.Sample) float64 {
	return float64(s.Value[t.column]) / t.operations
}

func (t *tally) add(s *profile.Sample, d *SiteFolder) {
	v := t.perRequest(s)
	site, observer := d.Fold(s)
	if observer {
		t.observer += v
		return
	}
	t.total += v
	key := bucketKey{site.What, site.Function}
	b := t.buckets[key]
	if b == nil {
		b = &bucket{lines: map[Site]float64{}}
		t.buckets[key] = b
	}
	b.value += v
	b.lines[site] += v
	b.samples = append(b.samples, s)
}
