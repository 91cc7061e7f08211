package diff

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/internal/sampled"
	"github.com/gohone/hone/prof/symbol"
	"github.com/gohone/hone/stats"
)

// FunctionRatio is what a function costs per request, with what it calls, on both sides.
type FunctionRatio struct {
	// A and B are the costs per request, in the unit of Whole.
	A, B float64
	// LogRatio is the estimate of ln(B/A), Low ... High its interval.
	LogRatio, Low, High float64
	// P is the two-sided p-value of no change.
	P float64
	// SamplesA and SamplesB are how many samples of the profiles are of the function, AllA and
	// AllB how many there are. Starts is how many starts of each side the profiles are of.
	SamplesA, SamplesB, AllA, AllB float64
	Starts                         int
	// Dispersion is how much more the starts differ than drawing samples at random would make
	// them, as a factor of the variance; at least 1.
	Dispersion float64
}

// ErrNoSample says that no sample of either side is of the function.
var ErrNoSample = errors.New("no sample of either side is of the function")

// fewestStarts is how many starts of a side show how starts differ.
const fewestStarts = 2

// CompareFunction compares what a function costs per request on A and on B with what it calls
// (the stacks that it is on: pprof's cum), from CPU profiles of several starts of each. whole is
// the CPU time of a request, from the process's clock: a profile says only which share of it is the
// function's. The interval has the confidence 1-alpha.
//
// The unit is the start: of its n samples x are of the function. The ratio of the two shares has
// the interval of Katz et al. 1978 ("Obtaining confidence intervals for the risk ratio in cohort
// studies", Biometrics 34) on logarithms, with half a sample added so that none of a side is no
// infinite change (Walter 1975, Biometrika 62). Samples of one start are alike, and two starts of
// one program differ: so its variance is multiplied by the dispersion, Pearson's chi-square of the
// starts over its degrees of freedom, if that is over 1, and its quantile is Student's t with as many
// degrees (McCullagh & Nelder 1989, "Generalized linear models", section 4.5). A test of signs over the
// starts, as for other measures, would take logarithms of the few samples that one start has of a
// function, often of none. TestFunctionIntervalsCover holds the interval against simulated starts.
func CompareFunction(a, b []prof.Capture, function string, whole Whole, alpha float64) (FunctionRatio, error) {
	if !(whole.A > 0 && whole.B > 0) {
		return FunctionRatio{}, fmt.Errorf("compare function: costs per request of %v and %v", whole.A, whole.B)
	}
	var starts [2][]startCount
	matched := MatchClosures(a, b)
	function = matched.Name(function)
	for i, captures := range matched.Sides {
		counts, _, err := countFunction(captures, function)
		if err != nil {
			return FunctionRatio{}, fmt.Errorf("compare function: %c: %w", 'A'+rune(i), err)
		}
		starts[i] = counts
	}
	r, err := shareRatio(starts[0], starts[1], alpha, whole)
	if err != nil {
		return r, fmt.Errorf("compare function %s: %w", function, err)
	}
	return r, nil
}

// Functions are the functions on the stacks of CPU profiles, by name, sorted. Those of closures are
// the names of MatchClosures, and those of their copies.
func Functions(sides ...[]prof.Capture) ([]string, error) {
	all := map[string]bool{}
	matched := MatchClosures(sides...)
	for copied := range matched.names {
		all[copied] = true
	}
	for _, side := range matched.Sides {
		_, names, err := countFunction(side, "")
		if err != nil {
			return nil, fmt.Errorf("list functions: %w", err)
		}
		maps.Copy(all, names)
	}
	return slices.Sorted(maps.Keys(all)), nil
}

// startCount is the samples of one start: all, and those of the function.
type startCount struct{ of, all float64 }

// countFunction counts the samples of each start, those of the function among them, and the names
// of all functions.
func countFunction(captures []prof.Capture, function string) ([]startCount, map[string]bool, error) {
	if len(captures) == 0 {
		return nil, nil, errors.New("there are no profiles")
	}
	s, err := newDiffSide(captures, sideOptions{whole: 1, empty: true,
		groupsOf: func(g []group, _ []symbol.Frame) []group { return g }})
	if err != nil {
		return nil, nil, err
	}
	names, at := map[string]bool{}, map[int]*startCount{}
	var order []int
	for _, c := range captures {
		if at[c.Start] == nil {
			at[c.Start], order = &startCount{}, append(order, c.Start)
		}
	}
	s.walk(func(i int, sample *profile.Sample, _ float64, stack []symbol.Frame) {
		n := float64(sample.Value[max(0, sampled.CountColumn(captures[i].Profile))])
		count := at[captures[i].Start]
		count.all += n
		if slices.ContainsFunc(stack, func(f symbol.Frame) bool { return f.Function == function }) {
			count.of += n
		}
		for _, f := range stack {
			names[f.Function] = true
		}
	})
	var counts []startCount
	for _, start := range order {
		if at[start].all > 0 {
			counts = append(counts, *at[start])
		}
	}
	return counts, names, nil
}

// shareRatio is the ratio of the costs of a function, whose shares of all samples the starts show.
func shareRatio(a, b []startCount, alpha float64, whole Whole) (FunctionRatio, error) {
	r := FunctionRatio{Starts: min(len(a), len(b)), Low: math.Inf(-1), High: math.Inf(1), P: 1, Dispersion: 1}
	sumA, sumB := sumOfStarts(a), sumOfStarts(b)
	r.SamplesA, r.SamplesB, r.AllA, r.AllB = sumA.of, sumB.of, sumA.all, sumB.all
	if sumA.of+sumB.of == 0 {
		return r, ErrNoSample
	}
	r.A, r.B = whole.A*sumA.of/sumA.all, whole.B*sumB.of/sumB.all
	shareA, varA := logShare(sumA)
	shareB, varB := logShare(sumB)
	r.LogRatio = math.Log(whole.B/whole.A) + shareB - shareA
	if r.Starts < fewestStarts {
		return r, nil
	}
	df := len(a) + len(b) - 2
	r.Dispersion = max(1, (chiSquare(a, sumA)+chiSquare(b, sumB))/float64(df))
	stdErr := math.Sqrt(r.Dispersion*(varA+varB) + sampled.Square(whole.StdErr/whole.B))
	half := stats.StudentWidth(alpha, df) * stdErr
	r.Low, r.High = r.LogRatio-half, r.LogRatio+half
	if stdErr > 0 {
		r.P = stats.StudentP(r.LogRatio/stdErr, df)
	}
	return r, nil
}

func sumOfStarts(starts []startCount) (sum startCount) {
	for _, s := range starts {
		sum.of += s.of
		sum.all += s.all
	}
	return sum
}

// logShare is the logarithm of the share that a function has, and its variance.
func logShare(s startCount) (log, variance float64) {
	of, all := s.of+0.5, s.all+0.5
	return math.Log(of / all), 1/of - 1/all
}

// chiSquare is Pearson's: how far the starts are from the share that all of them have.
func chiSquare(starts []startCount, sum startCount) float64 {
	share := (sum.of + 0.5) / (sum.all + 1)
	total := 0.0
	for _, s := range starts {
		total += sampled.Square(s.of-share*s.all) / (s.all * share * (1 - share))
	}
	return total
}
