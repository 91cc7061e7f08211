package stored

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/history"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/diff"
	"github.com/gohone/hone/stats"
)

// WithFunctions is a ledger as histories read it, which also knows what one function costs, with all that it calls.
// Allocations such as allocs(main.work) are those of the windows of a comparison in which every one was counted.
// Where there are none, and of CPU time, it is the measure of the run, times the function's share of the run's
// profile.
type WithFunctions struct {
	*ledger.Ledger
	Library *Library
}

var _ history.Reader = WithFunctions{}

// profiled is which profile and sample type a measure is of.
var profiled = map[string]struct{ kind, sampleType string }{
	measure.CPU.Key: {"cpu", "cpu"}, measure.Allocs.Key: {"allocs", "alloc_objects"},
	measure.Bytes.Key: {"allocs", "alloc_space"},
}

// Points lists runs with the measure of this name. A run without the profile has none of a function. A function that no
// profile has is fail.BadInput.
func (w WithFunctions) Points(name string, f ledger.RunFilter) ([]ledger.Point, error) {
	key, function := history.CutFunction(name)
	points, err := w.Ledger.Points(key, f)
	if err != nil || function == "" {
		return points, err
	}
	var seen []string
	newest := map[string][2][]prof.Capture{} // by package: a function has the name that it has in the newest run
	any := false
	for i := range points {
		p := &points[i]
		if p.Measure == nil {
			continue
		}
		whole := *p.Measure
		p.Measure = nil
		profiles, err := w.profiles(p.Run.ID, key)
		if err != nil {
			return nil, err
		}
		if n := newest[p.Run.Package]; len(n[windows])+len(n[pieces]) == 0 {
			newest[p.Run.Package] = profiles
		}
		of, functions, err := cost(profiles, newest[p.Run.Package], key, function, whole)
		if err != nil {
			return nil, fmt.Errorf("read the profiles of run %s: %w", p.Run.ID, err)
		}
		seen = append(seen, functions...)
		if functions == nil {
			continue
		}
		any = any || of.Value > 0
		of.Name, of.Unit = name, whole.Unit
		p.Measure = &of
	}
	if !any && len(seen) > 0 {
		if err := gate.UnknownFunction(fmt.Sprintf("measure %q", name), function, seen); err != nil {
			return nil, err
		}
	}
	return points, nil
}

// What profiles are of: windows in which every allocation was counted, and pieces that were sampled.
const windows, pieces = 0, 1

// profiles are those of a run that a measure is known by.
func (w WithFunctions) profiles(run, key string) (all [2][]prof.Capture, err error) {
	if key != measure.CPU.Key {
		if all[windows], err = w.Library.exactAllocs(run); err != nil {
			return all, err
		}
	}
	captures, _, err := w.Library.Captures(run, profiled[key].kind)
	all[pieces] = captures[profiled[key].kind]
	return all, err
}

// cost is what a function costs in a run of which the whole is known, and the functions that were seen; none where
// nothing was profiled.
func cost(of, newest [2][]prof.Capture, key, function string, whole ledger.MeasureValue) (value ledger.MeasureValue,
	functions []string, err error) {
	matched, named, functions, err := nameIn(of[windows], newest[windows], function)
	if err != nil || named != "" {
		return counted(matched, profiled[key].sampleType, named), functions, err
	}
	matched, named, functions, err = nameIn(of[pieces], newest[pieces], function)
	if err != nil || named == "" { // this version has no such function, or it was not sampled
		return value, functions, err
	}
	return shareOf(whole, sumUp(matched, profiled[key].sampleType, named)), functions, nil
}

// nameIn is the whole name of a function in profiles, empty if they do not have it, the profiles with the names of
// the newest run, and the names of all functions that both have.
func nameIn(captures, newest []prof.Capture, function string) (matched []prof.Capture, named string,
	functions []string, err error) {
	if len(captures) == 0 {
		return nil, "", nil, nil
	}
	if len(newest) == 0 { // the newest run has no profile of this kind
		newest = captures
	}
	if functions, err = diff.Functions(captures, newest); err != nil {
		return nil, "", nil, err
	}
	names := diff.MatchClosures(captures, newest)
	if named, err = gate.FunctionNamed(function, functions); err != nil {
		return nil, "", functions, nil
	}
	return names.Sides[0], names.Name(named), functions, nil
}

// counted is the mean of windows in which every allocation was counted, with its 95 % interval.
func counted(windows []prof.Capture, sampleType, function string) (of ledger.MeasureValue) {
	var values []float64
	for _, c := range windows {
		values = append(values, sumUp([]prof.Capture{c}, sampleType, function).inIt/float64(c.Operations))
	}
	n := len(values)
	if n == 0 {
		return of
	}
	for _, x := range values {
		of.Value += x / float64(n)
	}
	if n > 1 {
		half := stats.StdErr(values) * stats.StudentWidth(0.05, n-1)
		low, high := max(0, of.Value-half), of.Value+half
		of.Low, of.High = &low, &high
	}
	return of
}

// shareOf is the part of a measure that a function has in profiles. Its 95 % interval is that of the measure, and of
// the number of samples that the share rests on: the relative error of a share p of n samples is sqrt((1-p)/(n p)),
// by the binomial distribution.
func shareOf(whole ledger.MeasureValue, s sums) (of ledger.MeasureValue) {
	if s.all == 0 {
		return of
	}
	share := s.inIt / s.all
	of.Value = share * whole.Value
	if s.samples == 0 || of.Value <= 0 {
		return of
	}
	const wide = 1.96 // of a normal distribution, for 95 %
	down := wide * math.Sqrt((1-share)/s.samples)
	up := down
	if whole.Low != nil && *whole.Low > 0 {
		down, up = math.Hypot(down, math.Log(whole.Value / *whole.Low)),
			math.Hypot(up, math.Log(*whole.High/whole.Value))
	}
	low, high := of.Value*math.Exp(-down), of.Value*math.Exp(up)
	of.Low, of.High = &low, &high
	return of
}

// sums are what a function, with all that it calls, and the whole program have in profiles, and how many samples
// were in the function.
type sums struct{ inIt, all, samples float64 }

func sumUp(captures []prof.Capture, sampleType, function string) (of sums) {
	for _, c := range captures {
		column := func(name string) int {
			return slices.IndexFunc(c.Profile.SampleType, func(t *profile.ValueType) bool { return t.Type == name })
		}
		i, objects, space := column(sampleType), column("alloc_objects"), column("alloc_space")
		if i < 0 {
			continue
		}
		for _, s := range c.Profile.Sample {
			value := float64(s.Value[i])
			of.all += value
			if !calls(s, function) {
				continue
			}
			of.inIt += value
			switch {
			case objects < 0 && c.Profile.Period > 0: // CPU time, of which a period is a sample
				of.samples += value / float64(c.Profile.Period)
			case objects >= 0 && space >= 0 && s.Value[objects] > 0 && c.Profile.Period > 0:
				// An object of so many bytes was sampled with this chance (runtime/pprof, scaleHeapSample).
				size := float64(s.Value[space]) / float64(s.Value[objects])
				of.samples += float64(s.Value[objects]) * -math.Expm1(-size/float64(c.Profile.Period))
			}
		}
	}
	return of
}

// calls says whether a function is anywhere in the stack of a sample.
func calls(s *profile.Sample, function string) bool {
	for _, l := range s.Location {
		for _, line := range l.Line {
			if line.Function != nil && line.Function.Name == function {
				return true
			}
		}
	}
	return false
}

// exactAllocs are the windows of a run in which every allocation was counted; none of a run by itself.
func (l *Library) exactAllocs(run string) (windows []prof.Capture, err error) {
	artefacts, err := l.Ledger.Artefacts(run)
	if err != nil {
		return nil, err
	}
	byName := map[string]prof.Capture{}
	for _, a := range artefacts {
		if a.Kind == record.ExactAllocsArtefact {
			if byName[a.Name], err = l.capture(a); err != nil {
				return nil, err
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		windows = append(windows, byName[name])
	}
	return windows, nil
}
