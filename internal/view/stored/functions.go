package stored

import (
	"fmt"
	"slices"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/history"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/prof"
)

// WithFunctions is a ledger as histories read it, which also knows what one function costs, with all that it calls: a measure such as
// allocs(main.work) is the measure of the run, times the function's share of the run's profile.
type WithFunctions struct {
	*ledger.Ledger
	Library *Library
}

var _ history.Reader = WithFunctions{}

// profiled is which profile and sample type a measure is of.
var profiled = map[string]struct{ kind, sampleType string }{
	measure.CPU.Key: {"cpu", "cpu"}, measure.Allocs.Key: {"allocs", "alloc_objects"}, measure.Bytes.Key: {"allocs", "alloc_space"},
}

// Points lists runs with the measure of this name. A run without the profile has none of a function. A function that no profile has is
// fail.BadInput.
func (w WithFunctions) Points(name string, f ledger.RunFilter) ([]ledger.Point, error) {
	key, function := history.CutFunction(name)
	points, err := w.Ledger.Points(key, f)
	if err != nil || function == "" {
		return points, err
	}
	var seen []string
	newest := map[string][]prof.Capture{} // by package: a function has the name that it has in the newest run
	any := false
	for i := range points {
		p := &points[i]
		if p.Measure == nil {
			continue
		}
		whole := *p.Measure
		p.Measure = nil
		of := profiled[key]
		captures, _, err := w.Library.Captures(p.Run.ID, of.kind)
		if err != nil {
			return nil, err
		}
		if len(newest[p.Run.Package]) == 0 {
			newest[p.Run.Package] = captures[of.kind]
		}
		share, functions, err := share(captures[of.kind], newest[p.Run.Package], of.sampleType, function)
		if err != nil {
			return nil, fmt.Errorf("read the profiles of run %s: %w", p.Run.ID, err)
		}
		seen = append(seen, functions...)
		if functions == nil {
			continue
		}
		any = any || share > 0
		p.Measure = &ledger.MeasureValue{Name: name, Unit: whole.Unit, Value: share * whole.Value}
	}
	if !any && len(seen) > 0 {
		if err := gate.UnknownFunction(fmt.Sprintf("measure %q", name), function, seen); err != nil {
			return nil, err
		}
	}
	return points, nil
}

// share is a function's part of a run's profiles, 0 to 1, and the functions that they and those of the newest run have;
// none where the run has no profile.
func share(captures, newest []prof.Capture, sampleType, function string) (part float64, functions []string, err error) {
	if len(captures) == 0 {
		return 0, nil, nil
	}
	if functions, err = prof.Functions(captures, newest); err != nil {
		return 0, nil, err
	}
	matched := prof.MatchClosures(captures, newest)
	named, err := gate.FunctionNamed(function, functions)
	if err != nil {
		return 0, functions, nil // this version has no such function, or it was not sampled
	}
	named = matched.Name(named)
	var inIt, all float64
	for _, c := range matched.Sides[0] {
		i := slices.IndexFunc(c.Profile.SampleType, func(t *profile.ValueType) bool { return t.Type == sampleType })
		if i < 0 {
			continue
		}
		for _, s := range c.Profile.Sample {
			all += float64(s.Value[i])
			if calls(s, named) {
				inIt += float64(s.Value[i])
			}
		}
	}
	if all == 0 {
		return 0, functions, nil
	}
	return inIt / all, functions, nil
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
