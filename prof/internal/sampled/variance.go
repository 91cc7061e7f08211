package sampled

import (
	"math"

	"github.com/google/pprof/profile"
)

// Variance returns a function that gives the sampling variance of one sample's
// value in column i, in the square of its unit.
//
// A CPU profile ticks about as a Poisson process: a value v of n ticks stands for
// n * (v/n), and n has the variance n, so v has v^2/n. Contention profiles are
// treated alike with their contentions as n; as these are scaled up by a sampling
// rate that the profile does not tell, that is a lower bound.
//
// The heap profiler samples an object of size s with probability p = 1-exp(-s/R),
// where R is the profile's period, and scales counts up by 1/p (runtime/mprof.go,
// runtime/pprof/protomem.go). The scaled count N then has the binomial variance
// N(1-p)/p = N/(exp(s/R)-1): nil for large objects, N R/s for small ones.
func Variance(p *profile.Profile, i int) func(*profile.Sample) float64 {
	if objects, space, ok := pairedColumns(p, i); ok {
		return func(s *profile.Sample) float64 {
			one := heapSample{objects: float64(s.Value[objects]), bytes: float64(s.Value[space])}
			return one.variance(float64(p.Period), i == space)
		}
	}
	ticks := CountColumn(p)
	if ticks < 0 {
		return uncounted(p, i)
	}
	return func(s *profile.Sample) float64 {
		v, n := float64(s.Value[i]), float64(s.Value[ticks])
		if n <= 0 {
			n = 1
		}
		return v * v / n
	}
}

// uncounted is the variance of a profile of another tool that does not say how many samples its values stand for: each
// stands for a period, if the period is in the values' unit. Else the values are taken as they are.
func uncounted(p *profile.Profile, i int) func(*profile.Sample) float64 {
	period := 0.0
	if p.PeriodType != nil && p.PeriodType.Unit == p.SampleType[i].Unit {
		period = float64(p.Period)
	}
	return func(s *profile.Sample) float64 { return math.Abs(float64(s.Value[i])) * period }
}

// heapSample is what a sample of a heap profile says: so many objects that have so many bytes together.
type heapSample struct{ objects, bytes float64 }

// variance is that of the number of objects, or of bytes, at a sampling rate in bytes.
func (s heapSample) variance(rate float64, ofBytes bool) float64 {
	if s.objects <= 0 || s.bytes <= 0 || rate <= 1 { // at a rate of 1 every object is sampled
		return 0
	}
	size := s.bytes / s.objects
	v := s.objects / math.Expm1(size/rate)
	if ofBytes {
		v *= size * size
	}
	return v
}

// pairedColumns returns the columns of the objects and bytes, allocated or live, if column i
// is one of them.
func pairedColumns(p *profile.Profile, i int) (objects, space int, ok bool) {
	for _, of := range []string{"alloc", "inuse"} {
		objects, err1 := Column(p, of+"_objects")
		space, err2 := Column(p, of+"_space")
		if err1 == nil && err2 == nil && (i == objects || i == space) {
			return objects, space, true
		}
	}
	return 0, 0, false
}
