package track

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/series"
	"github.com/gohone/hone/judge"
)

// valuesOf is what a comparison of benchmarks says of each measure. known are the measures of the benchmarks in the
// chain: of those that were not measured, since they execute nothing that changed, each has the value of the base.
func valuesOf(r *benchmarks.Result, known map[string][]series.Value) (all []series.Value) {
	for _, b := range r.Benchmarks {
		for _, v := range b.Verdicts {
			all = append(all, valueOf(nameOf(b.Package, b.Name), v, len(b.Changed) > 0))
		}
	}
	measured := map[string]bool{}
	for _, v := range all {
		measured[v.Name] = true
	}
	each := func(name string, state series.State) {
		for one, measures := range known {
			if one != name && !strings.HasPrefix(one, name+"/") || measured[one] {
				continue
			}
			for _, v := range measures {
				all = append(all, series.Value{Name: one, Measure: v.Measure, Unit: v.Unit, State: state})
			}
		}
	}
	for _, u := range r.Unchanged {
		each(nameOf(u.Package, u.Name), series.Unchanged)
	}
	for _, gone := range r.Gone() {
		each(nameOf(gone.Package, gone.Name), series.Removed)
	}
	for _, f := range r.Failures {
		if f.Name != "" {
			each(nameOf(f.Package, f.Name), series.Failed)
		}
	}
	slices.SortFunc(all, func(a, b series.Value) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Measure, b.Measure))
	})
	return all
}

// nameOf names a benchmark in a series, on whatever number of CPUs it ran.
func nameOf(pkg, name string) string { return pkg + "." + benchmarks.WithoutProcs(name) }

// valueOf is a verdict as a value. A benchmark that itself changed begins anew, and so does a count that was 0.
func valueOf(name string, v judge.Verdict, itself bool) series.Value {
	value := series.Value{Name: name, Measure: v.Measure.Key, Unit: v.Measure.Unit, State: series.Measured,
		Verdict: string(v.Word), Confirmed: v.Confirmed() || v.Method == compare.Exact && v.Word.Different(), Absolute: v.B}
	switch {
	case itself:
		value.State, value.Verdict = series.Begins, ""
	case !(v.Ratio > 0) || math.IsInf(v.Ratio, 1):
		value.State = series.Begins
	case math.IsInf(v.High, 1):
		value.State, value.Verdict = series.Failed, ""
	default:
		value.Ratio, value.Low, value.High, value.Confidence = v.Ratio, v.Low, v.High, v.Conf
	}
	return value
}

// changed says whether a value shows a difference.
func changed(values []series.Value) bool {
	return slices.ContainsFunc(values, func(v series.Value) bool { return judge.Word(v.Verdict).Different() })
}
