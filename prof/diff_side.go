package prof

import (
	"errors"
	"fmt"
	"math"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/stats"
)

// diffSide is the captures of one variant, counted by function.
type diffSide struct {
	captures   []diffCapture
	sampleType SampleType
	side       Side
	per        float64 // units of the basis over all captures
	functions  map[string]*diffFunction
	// excess is by how much functions scatter more between captures than sampling says,
	// drift the relative scatter of the whole beyond that; see NewDiff.
	excess, drift float64
}

type diffCapture struct {
	profile *profile.Profile
	column  int
	per     float64
}

// diffFunction is what a function costs per unit of the basis.
type diffFunction struct {
	flat, cum float64
	// sampling is the variance of flat that sampling explains.
	sampling float64
	flats    []float64 // in each capture
}

func newDiffSide(captures []Capture, sampleType string, basis Basis) (*diffSide, error) {
	s := &diffSide{functions: map[string]*diffFunction{}, excess: 1}
	for i, c := range captures {
		if c.Kind != captures[0].Kind {
			return nil, fmt.Errorf("kinds %s and %s", captures[0].Kind, c.Kind)
		}
		if c.Profile == nil {
			return nil, errors.New("no profile")
		}
		if err := c.Profile.CheckValid(); err != nil {
			return nil, err
		}
		column, st, err := c.column(sampleType)
		if err != nil {
			return nil, err
		}
		per, err := c.divisor(basis)
		if err != nil {
			return nil, err
		}
		s.sampleType = st
		s.captures = append(s.captures, diffCapture{c.Profile, column, per})
		s.per += per
		s.side.Captures++
		s.side.Operations += c.Operations
		s.side.Seconds += c.Duration.Seconds()
		if err := s.count(i, len(captures)); err != nil {
			return nil, err
		}
	}
	if basis == Raw {
		s.per = float64(len(captures)) // the mean capture
	}
	s.finish()
	return s, nil
}

// count adds up capture i of so many.
func (s *diffSide) count(i, captures int) error {
	c := s.captures[i]
	varianceOf := variance(c.profile, c.column)
	var frames []frame
	counted := map[string]int{} // the sample that last counted in cum
	for n, sample := range c.profile.Sample {
		v := float64(sample.Value[c.column])
		if v < 0 {
			return errors.New("it has negative values: it is a difference already")
		}
		frames = appendFrames(frames[:0], sample)
		if v == 0 || isObserver(frames) {
			continue
		}
		s.side.Total += v
		for k, f := range frames {
			fn := s.functions[f.function]
			if fn == nil {
				fn = &diffFunction{flats: make([]float64, captures)}
				s.functions[f.function] = fn
			}
			if k == 0 {
				fn.flat += v
				fn.flats[i] += v
				fn.sampling += varianceOf(sample)
			}
			if last, ok := counted[f.function]; !ok || last != n {
				counted[f.function] = n
				fn.cum += v
			}
		}
	}
	return nil
}

// finish turns sums into rates and learns how the captures scatter.
func (s *diffSide) finish() {
	s.side.Total /= s.per
	totals := make([]float64, len(s.captures))
	sampling := 0.0
	for _, f := range s.functions {
		f.flat /= s.per
		f.cum /= s.per
		f.sampling /= s.per * s.per
		sampling += f.sampling
		for i := range f.flats {
			f.flats[i] /= s.captures[i].per
			totals[i] += f.flats[i]
		}
	}
	if len(s.captures) < 2 || s.side.Total == 0 {
		return
	}
	// Of the whole: what scatters beyond sampling is the machine's.
	beyond := max(0, varianceOfMean(totals)-sampling)
	s.drift = math.Sqrt(beyond) / s.side.Total
	var ratios []float64
	for _, f := range s.functions {
		if f.sampling > 0 {
			explained := f.sampling + square(s.drift*f.flat)
			ratios = append(ratios, varianceOfMean(f.flats)/explained)
		}
	}
	if m, err := stats.Median(ratios); err == nil {
		// With few captures the median of a variance is under its mean: that of chi-square
		// over its degrees of freedom, to Wilson and Hilferty (1931).
		df := float64(len(s.captures) - 1)
		s.excess = max(1, m/math.Pow(1-2/(9*df), 3))
	}
}

// variance is that of a function's rate.
func (s *diffSide) variance(f *diffFunction) float64 {
	if f.sampling == 0 && len(f.flats) > 1 { // large objects: each is in the profile
		return varianceOfMean(f.flats)
	}
	return s.excess*f.sampling + square(s.drift*f.flat)
}

// varianceOfMean is the variance of the mean of x, from its scatter.
func varianceOfMean(x []float64) float64 {
	mean, n := 0.0, float64(len(x))
	for _, v := range x {
		mean += v / n
	}
	sum := 0.0
	for _, v := range x {
		sum += square(v - mean)
	}
	return sum / (n - 1) / n
}

func square(x float64) float64 { return x * x }
