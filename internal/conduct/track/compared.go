package track

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/store/series"
	"github.com/gohone/hone/judge"
)

// Compared is what a comparison with an earlier commit has shown.
type Compared struct {
	// ID is its name in the ledger; empty if it is not there.
	ID string
	// Machine is what it was measured on.
	Machine string
	// Values have a verdict. Others have none, and one state for all measures of them that the chain knows.
	Values []series.Value
	Others []Other
	// Notes say what else a reader should know of it.
	Notes []string
	// NoBase says why the earlier commit cannot be measured any more; empty where it was.
	NoBase string
}

// Other is a benchmark, with those below it, or a service, whose name is empty, that has no verdict.
type Other struct {
	Name  string
	State series.State
}

// OfBenchmarks is what a comparison of benchmarks has shown.
func OfBenchmarks(r *benchmarks.Result) *Compared {
	c := &Compared{ID: r.ID, Machine: r.CPU}
	for _, b := range r.Benchmarks {
		for _, v := range b.Verdicts {
			c.Values = append(c.Values, valueOf(nameOf(b.Package, b.Name), v, len(b.Changed) > 0))
		}
	}
	for _, u := range r.Unchanged {
		c.Others = append(c.Others, Other{nameOf(u.Package, u.Name), series.Unchanged})
	}
	for _, gone := range r.Gone() {
		c.Others = append(c.Others, Other{nameOf(gone.Package, gone.Name), series.Removed})
	}
	for _, f := range r.Failures {
		if f.Name != "" {
			c.Others = append(c.Others, Other{nameOf(f.Package, f.Name), series.Failed})
		}
	}
	return c
}

// OfService is what a comparison of a service with an earlier commit has shown. It has a verdict: see
// record.Comparison.Refusal.
func OfService(out *record.Outcome) *Compared {
	contest := out.Comparison.Contests[0]
	c := &Compared{ID: out.Comparison.ID, Machine: out.Runs[contest.B].Environment.CPUModel}
	if contest.NothingChanged() {
		c.Others = []Other{{State: series.Unchanged}}
		return c
	}
	for _, v := range contest.Verdicts {
		c.Values = append(c.Values, valueOf("", v, false))
	}
	if a := contest.Answers; a != nil && a.Compared > 0 && !a.Same {
		c.Notes = append(c.Notes, "the service answers otherwise than at the base: "+a.How())
	}
	if less := contest.OtherWork(); less != "" {
		c.Notes = append(c.Notes, "the service does not do the same work as at the base: "+less)
	}
	return c
}

// nameOf names a benchmark in a series, on whatever number of CPUs it ran.
func nameOf(pkg, name string) string { return pkg + "." + benchmarks.WithoutProcs(name) }

// valuesIn are the values of a point. known are the measures in the chain of each name: what was not measured, since
// it executes nothing that changed, has the value of the base in each of them.
func (c *Compared) valuesIn(known map[string][]series.Value) []series.Value {
	all := slices.Clone(c.Values)
	measured := map[string]bool{}
	for _, v := range all {
		measured[v.Name] = true
	}
	for _, other := range c.Others {
		for one, measures := range known {
			if one != other.Name && !strings.HasPrefix(one, other.Name+"/") || measured[one] {
				continue
			}
			for _, v := range measures {
				all = append(all, series.Value{Name: one, Measure: v.Measure, Unit: v.Unit, State: other.State})
			}
		}
	}
	slices.SortFunc(all, func(a, b series.Value) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Measure, b.Measure))
	})
	return all
}

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
		value.State, value.Verdict = series.Unknown, ""
	default:
		value.Ratio, value.Low, value.High, value.Confidence = v.Ratio, v.Low, v.High, v.Conf
	}
	return value
}

// changed says whether a value shows a difference.
func changed(values []series.Value) bool {
	return slices.ContainsFunc(values, func(v series.Value) bool { return judge.Word(v.Verdict).Different() })
}
