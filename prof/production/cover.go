package production

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/diff"
	"github.com/gohone/hone/prof/internal/sampled"
	"github.com/gohone/hone/prof/symbol"
	"github.com/gohone/hone/stats"
)

// Options say how to compare a load with production.
type Options struct {
	// Code says which code is the user's own.
	Code prof.Code
	// TagFocus keeps the samples of production with a label that matches, TagIgnore those without.
	TagFocus, TagIgnore profile.TagMatch
}

// Schema is the schema of Coverage as JSON.
const Schema = "hone.cover/1"

// Coverage says how much of production's CPU time a load exercises.
type Coverage struct {
	Schema     string      `json:"schema"`
	Production CoveredSide `json:"production"`
	Run        CoveredSide `json:"run"`
	// ByFunction is the overlap of the functions' shares, ByLine that of their lines. Lines are the same only in builds
	// of one source.
	ByFunction Overlap `json:"by_function"`
	ByLine     Overlap `json:"by_line"`
	// Functions are all of either side, those first of which the run has less than production.
	Functions []CoveredFunction `json:"functions"`
}

// CoveredSide is one of the two distributions.
type CoveredSide struct {
	SampleType string `json:"sample_type"`
	Unit       string `json:"unit"`
	// Samples is how many the values stand for.
	Samples float64 `json:"samples"`
}

// Overlap is how much of production's CPU time the run has, too, in percent; see stats.Overlap.
type Overlap struct {
	// Overlap is the estimate, Low ... High its 95 % interval, of sampling alone.
	Overlap float64 `json:"overlap_percent"`
	Low     float64 `json:"low_percent"`
	High    float64 `json:"high_percent"`
	// Observed is the overlap of the profiles as they are, Ceiling what two profiles of one load of this size would
	// show.
	Observed float64 `json:"observed_percent"`
	Ceiling  float64 `json:"ceiling_percent"`
}

// CoveredFunction is what a function takes of each side, with what it calls in the standard library.
type CoveredFunction struct {
	Function string `json:"function"`
	// File and Line are where the side with the larger share spends most of it; File is below the main module.
	File string `json:"file,omitempty"`
	Line int64  `json:"line,omitempty"`
	// Production and Run are shares of the CPU time, in percent.
	Production float64 `json:"production_percent"`
	Run        float64 `json:"run_percent"`
	// Beyond says that the shares differ by more than chance moves them apart.
	Beyond bool `json:"beyond_noise,omitempty"`
}

// Name is the function without the directories of its package.
func (f CoveredFunction) Name() string { return symbol.Short(f.Function) }

// Missing are the functions that production spends more on than the run, by more than chance, the largest difference
// first; at most most if that is over 0.
func (c *Coverage) Missing(most int) []CoveredFunction {
	return c.beyond(most, func(f CoveredFunction) bool { return f.Production > f.Run })
}

// Extra are those that the run spends more on.
func (c *Coverage) Extra(most int) []CoveredFunction {
	last := slices.Clone(c.Functions)
	slices.Reverse(last)
	return (&Coverage{Functions: last}).beyond(most, func(f CoveredFunction) bool { return f.Run > f.Production })
}

func (c *Coverage) beyond(most int, side func(CoveredFunction) bool) (some []CoveredFunction) {
	for _, f := range c.Functions {
		if f.Beyond && side(f) && (most <= 0 || len(some) < most) {
			some = append(some, f)
		}
	}
	return some
}

// coverRounds is how many pairs of profiles are drawn; coverSeed makes the answer the same each time.
const (
	coverRounds = 400
	coverSeed   = 1
)

// Cover compares where two loads of a program spend CPU time: of the same part of the whole, not of the same amount. It
// adds up the smaller of both shares over the functions. A stack belongs to the frame nearest the leaf that is not the
// standard library's, as in Site; the collector's work is one function, and so is each other work of the runtime's own.
// A closure is a function, see MatchClosures. hone's probe and the profiler are left out. Captures of one side are
// added up.
//
// Both have to be CPU profiles; those of other tools may count samples or time (see cpuColumn). An error says what is
// wrong with which side.
func Cover(production, run []prof.Capture, o Options) (*Coverage, error) {
	sides := diff.MatchClosures(production, run).Sides
	p, err := newCoverSide(sides[0], o.Code, prof.Selection{TagFocus: o.TagFocus, TagIgnore: o.TagIgnore})
	if err != nil {
		return nil, fmt.Errorf("cover: production: %w", err)
	}
	r, err := newCoverSide(sides[1], o.Code, prof.Selection{})
	if err != nil {
		return nil, fmt.Errorf("cover: run: %w", err)
	}
	if err := enough(p.side.Samples, r.side.Samples, production, run); err != nil {
		return nil, fmt.Errorf("cover: %w", err)
	}
	c := &Coverage{Schema: Schema, Production: p.side, Run: r.side}
	places, of, err := overlapOf(p, r, p.functions, r.functions, cmp.Compare)
	if err != nil {
		return nil, fmt.Errorf("cover: %w", err)
	}
	_, ofLines, err := overlapOf(p, r, p.lines, r.lines, prof.CompareSites)
	if err != nil {
		return nil, fmt.Errorf("cover: %w", err)
	}
	c.ByFunction, c.ByLine = inPercent(of), inPercent(ofLines)
	c.Functions = coveredFunctions(p, r, places, of.Real)
	return c, nil
}

// errNoSample says that nothing is left of a profile.
var errNoSample = errors.New("no sample of the program's own is left")

// FewestCovered is how many samples each side has to have. With fewer, chance alone moves a third of the shares and
// more, and the interval of the overlap does not hold the truth any more.
const FewestCovered = 50

// TooFewSamples says that a profile is too short.
type TooFewSamples struct {
	// Side is "production" or "run".
	Side    string
	Samples float64
	// Took is how long it was taken; 0 if that is not known.
	Took time.Duration
}

func (e *TooFewSamples) Error() string {
	return fmt.Sprintf("the CPU profile of %s has %.0f samples, and it takes %d", e.Side, e.Samples, FewestCovered)
}

// Enough is for how long to take the profile instead, with half as much again for chance; 0 if that is not known.
func (e *TooFewSamples) Enough() time.Duration {
	if e.Took <= 0 || e.Samples <= 0 {
		return 0
	}
	return (time.Duration(1.5*FewestCovered/e.Samples*float64(e.Took)) + time.Second - 1).Truncate(time.Second)
}

// enough refuses sides with too few samples.
func enough(ofProduction, ofRun float64, production, run []prof.Capture) error {
	for _, side := range []struct {
		name     string
		samples  float64
		captures []prof.Capture
	}{{"production", ofProduction, production}, {"run", ofRun, run}} {
		if side.samples >= FewestCovered {
			continue
		}
		e := &TooFewSamples{Side: side.name, Samples: side.samples}
		for _, c := range side.captures {
			e.Took += cmp.Or(c.Duration, time.Duration(c.Profile.DurationNanos))
		}
		return e
	}
	return nil
}

// coverSide is one distribution while it is counted.
type coverSide struct {
	side      CoveredSide
	total     float64
	functions map[string]float64
	lines     map[prof.Site]float64 // What is empty
}

func newCoverSide(captures []prof.Capture, code prof.Code, some prof.Selection) (*coverSide, error) {
	if len(captures) == 0 {
		return nil, errors.New("there is no profile")
	}
	s := &coverSide{functions: map[string]float64{}, lines: map[prof.Site]float64{}}
	noise := 0.0
	for _, c := range captures {
		column, err := prof.CpuColumn(c)
		if err != nil {
			return nil, err
		}
		if s.side.Unit != "" && s.side.Unit != c.Profile.SampleType[column].Unit {
			return nil, fmt.Errorf("profiles in %s and in %s", s.side.Unit, c.Profile.SampleType[column].Unit)
		}
		s.side.SampleType, s.side.Unit = c.Profile.SampleType[column].Type, c.Profile.SampleType[column].Unit
		of, err := some.Select(c.Profile)
		if err != nil {
			return nil, err
		}
		added, err := s.add(of, column, code)
		if err != nil {
			return nil, err
		}
		noise += added
	}
	if s.total == 0 {
		return nil, errNoSample
	}
	s.side.Samples = s.total * s.total / noise
	return s, nil
}

// add counts a profile, and returns the variance that sampling gives the sum.
func (s *coverSide) add(p *profile.Profile, column int, code prof.Code) (noise float64, err error) {
	d, varianceOf := prof.SiteFolder{Module: code.Module}, sampled.Variance(p, column)
	for _, sample := range p.Sample {
		v := float64(sample.Value[column])
		if v < 0 {
			return 0, errors.New("it has negative values: it is a difference")
		}
		site, observer := d.Fold(sample)
		if observer || v == 0 {
			continue
		}
		at := prof.Site{Function: site.Function, File: code.Path(site), Line: site.Line}
		switch {
		case site.Function != "":
		case symbol.CollectorOf(d.Frames) != symbol.NotCollector:
			at.Function = "garbage collector"
		default:
			at.Function = site.What
		}
		s.total += v
		s.functions[at.Function] += v
		s.lines[at] += v
		// Values of which it is not known how many samples they stand for are one each.
		noise += cmp.Or(varianceOf(sample), v*v)
	}
	return noise, nil
}

// overlapOf compares two distributions over the same places, which it returns in order.
func overlapOf[K comparable](p, r *coverSide, ofP, ofR map[K]float64, order func(x, y K) int) ([]K, stats.OverlapResult,
	error) {
	all := maps.Clone(ofP)
	maps.Copy(all, ofR)
	places := slices.SortedFunc(maps.Keys(all), order) // the draws depend on the order
	a, b := make([]float64, len(places)), make([]float64, len(places))
	for i, at := range places {
		a[i], b[i] = ofP[at], ofR[at]
	}
	o, err := stats.Overlap(stats.Weighted{Weights: a, Observations: p.side.Samples},
		stats.Weighted{Weights: b, Observations: r.side.Samples}, 0.95, coverRounds, rand.New(rand.NewPCG(coverSeed, 0)))
	return places, o, err
}

func inPercent(o stats.OverlapResult) Overlap {
	return Overlap{Overlap: 100 * o.Overlap, Low: 100 * o.Low, High: 100 * o.High, Observed: 100 * o.Observed,
		Ceiling: 100 * o.Ceiling}
}

func coveredFunctions(p, r *coverSide, names []string, differ []bool) []CoveredFunction {
	rows := []CoveredFunction{}
	inP, inR := heaviestOf(p.lines), heaviestOf(r.lines)
	for i, name := range names {
		f := CoveredFunction{
			Function: name, Production: 100 * p.functions[name] / p.total, Run: 100 * r.functions[name] / r.total,
			Beyond: differ[i],
		}
		at := inP[name]
		if f.Run > f.Production {
			at = inR[name]
		}
		f.File, f.Line = at.File, at.Line
		rows = append(rows, f)
	}
	slices.SortFunc(rows, func(x, y CoveredFunction) int {
		return cmp.Or(cmp.Compare(y.Production-y.Run, x.Production-x.Run), cmp.Compare(x.Function, y.Function))
	})
	return rows
}

// heaviestOf finds the line of each function that costs most.
func heaviestOf(lines map[prof.Site]float64) map[string]prof.Site {
	of := map[string]map[prof.Site]float64{}
	for at, v := range lines {
		if of[at.Function] == nil {
			of[at.Function] = map[prof.Site]float64{}
		}
		of[at.Function][at] = v
	}
	most := map[string]prof.Site{}
	for name, some := range of {
		most[name] = sampled.Heaviest(some, prof.CompareSites)
	}
	return most
}
