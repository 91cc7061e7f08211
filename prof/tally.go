package prof

import (
	"fmt"

	"github.com/google/pprof/profile"
)

// tally is a capture folded into sites.
type tally struct {
	column     int
	unit       string
	operations float64
	module     string
	by         Grouping
	total      float64 // per request, without the observer
	observer   float64 // per request
	buckets    map[bucketKey]*bucket
	functions  map[string]bool // all of the user's, on any stack
}

// bucketKey is what makes sites of two captures the same: lines move between
// variants. Function is empty when grouped by what alone.
type bucketKey struct{ what, function string }

// bucket is the samples of one site.
type bucket struct {
	value      float64 // per request
	variance   float64 // of value
	byFunction map[string]float64
	samples    []*profile.Sample
}

func (c Capture) tally(o ChangeOptions) (*tally, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	column, sampleType, err := c.column(o.SampleType)
	if err != nil {
		return nil, err
	}
	t := &tally{
		column: column, unit: sampleType.Unit, operations: float64(c.Operations),
		module: o.Module, by: o.By,
		buckets: map[bucketKey]*bucket{}, functions: map[string]bool{},
	}
	varianceOf := variance(c.Profile, column)
	d := folder{module: o.Module}
	for _, s := range c.Profile.Sample {
		switch v := s.Value[column]; {
		case v < 0:
			return nil, fmt.Errorf("negative %s: the profile is a difference", sampleType.Name)
		case v > 0:
			t.add(s, &d, varianceOf(s))
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
		b.variance *= by * by
		for function := range b.byFunction {
			b.byFunction[function] *= by
		}
	}
}

// perRequest is what a sample contributes.
func (t *tally) perRequest(s *profile.Sample) float64 {
	return float64(s.Value[t.column]) / t.operations
}

func (t *tally) add(s *profile.Sample, d *folder, variance float64) {
	v := t.perRequest(s)
	site, observer := d.fold(s)
	if observer {
		t.observer += v
		return
	}
	t.total += v
	for _, f := range d.frames {
		if isUser(f.function, t.module) {
			t.functions[f.function] = true
		}
	}
	key := bucketKey{what: site.What}
	if t.by == BySite {
		key.function = site.Function
	}
	b := t.buckets[key]
	if b == nil {
		b = &bucket{byFunction: map[string]float64{}}
		t.buckets[key] = b
	}
	b.value += v
	b.byFunction[site.Function] += v
	b.variance += variance / t.operations / t.operations
	b.samples = append(b.samples, s)
}
