package diff

import (
	"errors"
	"fmt"
	"math"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/internal/sampled"
	"github.com/gohone/hone/prof/symbol"
	"github.com/gohone/hone/stats"
)

// diffSide is the captures of one variant, counted by groups of stacks.
type diffSide struct {
	captures   []diffCapture
	sampleType prof.SampleType
	side       Side
	per        float64 // units of the basis over all captures
	groups     map[group]*groupCost
	samples    float64 // that the whole stands for: ticks of a CPU profile; +Inf if exact
	starts     int     // of the program that the captures are of
	// known says that the costs of a unit add up to what a better instrument measured, so
	// that the profile says only how they divide.
	known bool
	// excess is by how much groups scatter more between captures than sampling says,
	// drift the relative scatter of the whole beyond that; see New.
	excess, drift float64
}

type diffCapture struct {
	profile *profile.Profile
	column  int
	per     float64
}

// groupKind says what the stacks of a group have in common.
type groupKind byte

// The kinds of groups.
const (
	groupSelf  groupKind = iota // function is the leaf
	groupCum                    // function is on the stack
	groupOwner                  // function is the frame of the user's that it belongs to
	groupSite                   // the same, and it was doing what
	groupWhat                   // it was doing what, for whatever function
)

// group is a set of stacks that is compared between two sides.
type group struct {
	kind           groupKind
	function, what string
}

// groupCost is what a group costs per unit of the basis.
type groupCost struct {
	value float64
	// sampling is the variance of value that sampling explains.
	sampling float64
	pieces   []float64 // value in each capture
}

// add counts v of a sample of capture n, with the variance that sampling explains.
func (c *groupCost) add(s *diffSide, n int, v, variance float64) {
	c.value += v / s.per
	c.sampling += variance / s.per / s.per
	if s.captures[n].per > 0 {
		c.pieces[n] += v / s.captures[n].per
	}
}

// sideOptions say how to count one side.
type sideOptions struct {
	sampleType string
	basis      prof.Basis
	// whole is what all costs of a unit add up to, where that is known; else 0.
	whole float64
	// empty allows profiles without a sample of the subject's.
	empty bool
	// learn is the kind of groups from which the scatter between captures is learned.
	learn groupKind
	// groupsOf appends the groups that a stack, leaf first, is in, each once.
	groupsOf func(groups []group, stack []symbol.Frame) []group
}

// visit is called with each sample of a side, its value and its stack, leaf first. It must
// not keep the stack.
type visit func(capture int, s *profile.Sample, value float64, stack []symbol.Frame)

func newDiffSide(captures []prof.Capture, o sideOptions) (*diffSide, error) {
	s := &diffSide{groups: map[group]*groupCost{}, excess: 1, known: o.whole > 0}
	starts := map[int]bool{}
	for _, c := range captures {
		if err := s.add(c, captures[0].Kind, o); err != nil {
			return nil, err
		}
		starts[c.Start] = true
	}
	s.starts = len(starts)
	totals := make([]float64, len(captures))
	s.walk(func(i int, _ *profile.Sample, v float64, _ []symbol.Frame) { totals[i] += v })
	if s.known {
		if err := s.scale(totals, o); err != nil {
			return nil, err
		}
	}
	s.count(o)
	s.finish(totals, o.learn)
	return s, nil
}

// add checks a capture and keeps what is counted of it.
func (s *diffSide) add(c prof.Capture, kind string, o sideOptions) error {
	if c.Kind != kind {
		return fmt.Errorf("kinds %s and %s", kind, c.Kind)
	}
	if err := sampled.Check(c.Profile); err != nil {
		return err
	}
	column, st, err := c.ColumnOf(o.sampleType, o.basis == prof.Raw)
	if err != nil {
		return err
	}
	for _, sample := range c.Profile.Sample {
		if sample.Value[column] < 0 {
			return errors.New("it has negative values: it is a difference already")
		}
	}
	per := 1.0
	if o.whole <= 0 {
		if per, err = c.Divisor(o.basis); err != nil {
			return err
		}
	}
	s.sampleType = st
	s.captures = append(s.captures, diffCapture{c.Profile, column, per})
	s.per += per
	s.side.Captures++
	s.side.Operations += c.Operations
	s.side.Seconds += c.Duration.Seconds()
	return nil
}

// scale divides each capture so that its costs add up to what is known.
func (s *diffSide) scale(totals []float64, o sideOptions) error {
	ones := s.per
	s.per = 0
	for i := range s.captures {
		s.captures[i].per = totals[i] / o.whole
		s.per += s.captures[i].per
	}
	switch {
	case s.per == 0 && o.empty:
		s.per = ones
	case s.per == 0:
		return fmt.Errorf("the profile has no %s of the subject's own", s.sampleType.Name)
	}
	return nil
}

// walk visits all samples that are the subject's own.
func (s *diffSide) walk(see visit) {
	var frames []symbol.Frame
	for i, c := range s.captures {
		for _, sample := range c.profile.Sample {
			v := float64(sample.Value[c.column])
			if v == 0 {
				continue
			}
			frames = symbol.AppendFrames(frames[:0], sample)
			if symbol.IsObserver(frames) {
				continue
			}
			see(i, sample, v, frames)
		}
	}
}

// count adds up the groups.
func (s *diffSide) count(o sideOptions) {
	variances := s.variances()
	var of []group
	sampling := 0.0
	s.walk(func(i int, sample *profile.Sample, v float64, stack []symbol.Frame) {
		s.side.Total += v
		noise := variances[i](sample)
		sampling += noise
		of = o.groupsOf(of[:0], stack)
		for _, g := range of {
			c := s.groups[g]
			if c == nil {
				c = &groupCost{pieces: make([]float64, len(s.captures))}
				s.groups[g] = c
			}
			c.value += v
			c.sampling += noise
			c.pieces[i] += v
		}
	})
	s.samples = math.Inf(1)
	if sampling > 0 {
		s.samples = sampled.Square(s.side.Total) / sampling
	}
	s.side.Total /= s.per
}

// variances are the functions that give the variance of a sample, of each capture.
func (s *diffSide) variances() []func(*profile.Sample) float64 {
	all := make([]func(*profile.Sample) float64, len(s.captures))
	for i, c := range s.captures {
		all[i] = sampled.Variance(c.profile, c.column)
	}
	return all
}

// finish turns sums into rates and learns how the captures scatter.
func (s *diffSide) finish(totals []float64, learn groupKind) {
	sampling := 0.0
	for g, c := range s.groups {
		c.value /= s.per
		c.sampling /= s.per * s.per
		for i := range c.pieces {
			if s.captures[i].per > 0 {
				c.pieces[i] /= s.captures[i].per
			}
		}
		if g.kind == learn {
			sampling += c.sampling
		}
	}
	if len(s.captures) < 2 || s.side.Total == 0 {
		return
	}
	for i := range totals {
		if s.captures[i].per > 0 {
			totals[i] /= s.captures[i].per
		}
	}
	if !s.known {
		// Of the whole: what scatters beyond sampling is the machine's.
		s.drift = math.Sqrt(max(0, varianceOfMean(totals)-sampling)) / s.side.Total
	}
	var ratios []float64
	for g, c := range s.groups {
		if g.kind == learn && c.sampling > 0 {
			ratios = append(ratios, varianceOfMean(c.pieces)/s.model(c, c.value, 1))
		}
	}
	if m, err := stats.Median(ratios); err == nil {
		// With few captures the median of a variance is under its mean: that of chi-square
		// over its degrees of freedom, to Wilson and Hilferty (1931).
		df := float64(len(s.captures) - 1)
		s.excess = max(1, m/math.Pow(1-2/(9*df), 3))
	}
}

// model is the variance of a group of that cost by sampling and the drift of the whole.
func (s *diffSide) model(c *groupCost, value, excess float64) float64 {
	return excess*c.sampling*s.divided(value) + sampled.Square(s.drift*value)
}

// divided is by how much the variance of sampling is smaller where the whole is known: a
// share of it then is binomial.
func (s *diffSide) divided(value float64) float64 {
	if !s.known || s.side.Total == 0 {
		return 1
	}
	return max(1/s.samples, 1-value/s.side.Total) // of n samples, one more could have been elsewhere
}

// of is what a group costs, nothing if no stack is in it.
func (s *diffSide) of(g group) *groupCost {
	if c := s.groups[g]; c != nil {
		return c
	}
	return &groupCost{pieces: make([]float64, len(s.captures))}
}

// part is a group's share of the whole.
func (s *diffSide) part(c *groupCost) float64 {
	if s.side.Total == 0 {
		return 0
	}
	return c.value / s.side.Total
}

// varianceOfMean is the variance of the mean of x, from its scatter.
func varianceOfMean(x []float64) float64 {
	mean, n := 0.0, float64(len(x))
	for _, v := range x {
		mean += v / n
	}
	sum := 0.0
	for _, v := range x {
		sum += sampled.Square(v - mean)
	}
	return sum / (n - 1) / n
}
