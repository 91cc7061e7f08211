package conclusion

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/program/decisions"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/diff"
	"github.com/gohone/hone/prof/symbol"
)

// Compiler says what the compiler decided about packages in the build of a side, 0 or 1.
type Compiler func(ctx context.Context, side int, packages []string) (decisions.Listing, error)

const (
	// longAsking ends questions that take longer than the answer is worth.
	longAsking = 2 * time.Minute
	// mostPackages and mostClauses bound what is compiled again, and said of one change.
	mostPackages, mostClauses = 12, 2
	// leastOnStack is the part of a profile from which on a function around a change is asked about.
	leastOnStack = 0.01
)

// Measured are the explanations of differences that were measured, nil of others, and the verdicts that they explain.
type Measured struct {
	CPU, Allocs *diff.Explanation
	Verdicts    []judge.Verdict
}

// AskCompiler adds to explanations of a measured difference what the compiler decided otherwise about the functions
// that changed. It compiles nothing where no function changed, and says nothing where it cannot know.
func AskCompiler(ctx context.Context, ask Compiler, code prof.Code, sides [2][]prof.Capture, m Measured) {
	explained := []*diff.Explanation{m.CPU, m.Allocs}
	q := asking{code: code, called: [2]map[string]bool{{}, {}}, about: map[string]map[string]bool{}}
	for _, e := range explained {
		for _, c := range e.Claims() {
			if c.Function != "" && symbol.IsUser(c.Function, code.Module) {
				q.about[c.Function] = map[string]bool{}
			}
		}
	}
	if len(q.about) == 0 {
		return
	}
	packages := q.read(sides)
	ctx, done := context.WithTimeout(ctx, longAsking)
	defer done()
	var both [2]decisions.Listing
	for side := range both {
		var err error
		if both[side], err = ask(ctx, side, packages); err != nil {
			return // it is a reason beside those that are measured
		}
	}
	builds := decisions.Builds{A: both[0], B: both[1],
		Called: func(side int, function string) bool { return q.called[side][function] }}
	x := explaining{Measured: m, Builds: builds, said: map[string]bool{}}
	for _, e := range explained {
		for i := range e.Claims() {
			x.explain(&e.Changes[i], q.about[e.Changes[i].Function], e == m.Allocs)
		}
	}
}

// Remembering asks for the same decisions once: several benchmarks are of one build.
func (ask Compiler) Remembering() Compiler {
	type question struct {
		side     int
		packages string
	}
	known := map[question]decisions.Listing{}
	return func(ctx context.Context, side int, packages []string) (decisions.Listing, error) {
		q := question{side, strings.Join(slices.Sorted(slices.Values(packages)), " ")}
		if found, ok := known[q]; ok {
			return found, nil
		}
		found, err := ask(ctx, side, packages)
		if err == nil {
			known[q] = found
		}
		return found, err
	}
}

// asking is what the profiles say of the functions that changed.
type asking struct {
	code prof.Code
	// called has, of each side, the functions that are not inlined wherever they are called, by their decisions.Name.
	called [2]map[string]bool
	// about has for each changed function those that it calls, itself among them, by their decisions.Name.
	about map[string]map[string]bool
}

// read returns the packages of the functions that changed, and then those of the functions that are on stacks with
// them, the most expensive first.
func (q *asking) read(sides [2][]prof.Capture) []string {
	weight := map[string]float64{}
	for function := range q.about {
		weight[symbol.PackagePath(function)] = math.MaxFloat64 // also where its samples are of allocations only
	}
	for side, captures := range sides {
		below := map[[2]string]float64{} // by the changed function and one that it calls
		total := 0.0
		for _, c := range captures {
			for _, s := range c.Profile.Sample {
				v := float64(s.Value[len(s.Value)-1])
				total += v
				q.stack(side, s, v, weight, below)
			}
		}
		for pair, v := range below {
			if v >= leastOnStack*total {
				q.about[pair[0]][pair[1]] = true
			}
		}
	}
	packages := slices.SortedFunc(maps.Keys(weight), func(p, q string) int {
		return cmp.Or(cmp.Compare(weight[q], weight[p]), cmp.Compare(p, q))
	})
	return packages[:min(len(packages), mostPackages)]
}

// stack counts one sample.
func (q *asking) stack(side int, s *profile.Sample, v float64, weight map[string]float64, below map[[2]string]float64) {
	frames := symbol.AppendFrames(nil, s) // the leaf first
	for _, l := range s.Location {
		if n := len(l.Line); n > 0 && l.Line[n-1].Function != nil {
			q.called[side][decisions.Name(l.Line[n-1].Function.Name)] = true
		}
	}
	changed := false
	for i, f := range frames {
		if q.about[f.Function] == nil {
			continue
		}
		changed = true
		counted := map[string]bool{}
		for _, inner := range frames[:i+1] {
			if name := decisions.Name(inner.Function); !counted[name] && symbol.IsUser(inner.Function, q.code.Module) {
				counted[name] = true
				below[[2]string{f.Function, name}] += v
			}
		}
	}
	if !changed {
		return
	}
	counted := map[string]bool{}
	for _, f := range frames {
		p := symbol.PackagePath(f.Function)
		if p != "" && !counted[p] && symbol.IsUser(f.Function, q.code.Module) && !symbol.IsProbe(f.Function) {
			counted[p] = true
			weight[p] += v
		}
	}
}
