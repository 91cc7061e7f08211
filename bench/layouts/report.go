package layouts

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/judge"
)

// The goals that the results are held against.
const (
	coverageGoal = 0.95
	fast, slow   = 100e-9, 1e-6 // seconds per operation, below and above which there are goals of the half-width
	fastGoal     = 0.015
	slowGoal     = 0.007
)

// spread is the variance of the logarithms.
func spread(values [][]float64) figures.Variance {
	logs := make([][]float64, len(values))
	for i, group := range values {
		logs[i] = figures.Column(group, math.Log)
	}
	return figures.OneWay(logs)
}

// document makes the result of the records.
func document(res *bed.Result, records []record) {
	scatter(res, records)
	verdicts(res, records)
}

// scatter has what the order does to each subject.
func scatter(res *bed.Result, records []record) {
	t := res.Table("Scatter of repeated starts", "subject", "orders", "starts of each", "time", "order, %", "within, %",
		"share", "aligned: order, %", "within, %", "share", "aligned over plain")
	t.Say("Standard deviations of the logarithm, by a one-way analysis of variance: of the orders, and of starts within one. The share is the part of the variance that is the order's. " +
		"Aligned: functions begin at multiples of 64 bytes.")
	var plain, aligned []float64
	for _, s := range subjects {
		for _, r := range like(records, s.name(), starts) {
			a, b := spread(r.Plain), spread(r.Aligned)
			plain, aligned = append(plain, 100*a.Share()), append(aligned, 100*b.Share())
			t.Row(append([]string{s.name(), fmt.Sprint(len(r.Plain)), fmt.Sprint(len(r.Plain[0])), duration(r.Plain)},
				append(append(deviations(a), deviations(b)...),
					fmt.Sprintf("%.4f",
						figures.Median(slices.Concat(r.Aligned...))/figures.Median(slices.Concat(r.Plain...))))...)...)
		}
	}
	if len(plain) > 0 {
		res.Claim("share of the link order in the variance of one start of a benchmark or a service",
			"%s %%; functions at multiples of 64 bytes: %s %%", figures.Spread("%.0f", plain),
			figures.Spread("%.0f", aligned))
	}
}

func deviations(v figures.Variance) []string {
	return []string{fmt.Sprintf("%.2f", 100*math.Sqrt(v.Between)), fmt.Sprintf("%.2f", 100*math.Sqrt(v.Within)),
		fmt.Sprintf("%.2f", v.Share())}
}

func duration(values [][]float64) string {
	return fmt.Sprintf("%s ns", figures.Rounded(1e9*figures.Median(slices.Concat(values...))))
}

// perOperation is the time of a subject; 0 where it was not measured.
func perOperation(records []record, name string) float64 {
	var all []float64
	for _, r := range records {
		if r.Subject == name {
			all = append(append(all, slices.Concat(r.Plain...)...), r.A...)
		}
	}
	if len(all) == 0 {
		return 0
	}
	return figures.Median(all)
}

// verdicts holds hone's words and intervals against each other, against the long run and against the goals.
func verdicts(res *bed.Result, records []record) {
	t := res.Table("Verdicts on a commit that changes nothing", "subject", "n", "words", "long run (orders)",
		"intervals that hold it", "half-width, %", "in more time, %", "seconds")
	var alarms, others, held, apart bed.Share
	turned, n := 0, 0
	var halfFast, halfSlow bed.Share
	for _, s := range subjects {
		some, more := like(records, s.name(), verdict), like(records, s.name(), long)
		if len(some)+len(more) == 0 {
			continue
		}
		n++
		words := map[judge.Word]int{}
		truth, orders := longRun(records, s.name())
		var holds bed.Share
		for _, r := range slices.Concat(some, more) {
			words[r.Said.Word]++
			alarms.Add(r.Said.Alarm())
			others.Add(len(r.Said.Different) > 0)
			if truth.Bounded() && r.Said.High > 0 && r.Kind == verdict {
				holds.Add(r.Said.Low <= truth.Value && truth.Value <= r.Said.High)
				apart.Add(r.Said.High < truth.Low || truth.High < r.Said.Low)
			}
		}
		if words[judge.Faster] > 0 && words[judge.Slower] > 0 ||
			(words[judge.Faster]+words[judge.Slower] > 0 && words[judge.Same]+words[judge.NoChange]+words[judge.Undecided] > 0) {
			turned++
		}
		held.Of, held.N = held.Of+holds.Of, held.N+holds.N
		if half := figures.Median(halves(some)); s.Benchmark != "" && len(halves(some)) > 0 {
			switch time := perOperation(records, s.name()); {
			case time > 0 && time < fast:
				halfFast.Add(half <= 100*fastGoal)
			case time > slow:
				halfSlow.Add(half <= 100*slowGoal)
			}
		}
		t.Row(s.name(), fmt.Sprint(len(some)+len(more)), counted(words), fmt.Sprintf("%v (%d)", truth, orders),
			holds.String(), figures.Spread("%.2f", halves(some)),
			figures.Spread("%.2f", halves(more)), figures.Spread("%.0f",
				figures.Column(some, func(r record) float64 { return r.Said.Seconds })))
	}
	if n == 0 {
		return
	}
	res.Claim("hone on one commit that changes nothing, again and again with other link orders: subjects with verdicts "+
		"that contradict each other", "%d of %d; false alarms %s, of any measure %s", turned, n, alarms, others).
		Want("none", turned == 0)
	res.Goal("hone: intervals that hold the mean over a long run of link orders", held, bed.AtLeast, coverageGoal)
	res.Claim("hone: intervals that lie apart from the interval of that long run", "%s", apart)
	for _, g := range []struct {
		what  string
		goal  float64
		share bed.Share
	}{{"under 100 ns", fastGoal, halfFast}, {"over 1 us", slowGoal, halfSlow}} {
		if g.share.N > 0 {
			res.Goal(fmt.Sprintf("hone bench over link orders: median half-width at most %.1f %% for benchmarks of %s",
				100*g.goal, g.what), g.share, bed.AtLeast, 1)
		}
	}
}

// longRun is B over A in all rounds of a subject, and how many there are.
func longRun(records []record, name string) (figures.Ratio, int) {
	var a, b []float64
	for _, r := range like(records, name, rounds) {
		a, b = append(a, r.A...), append(b, r.B...)
	}
	ratio, err := figures.Paired(a, b)
	if err != nil {
		return figures.Ratio{}, 0
	}
	return ratio, len(a)
}

// halves are the half-widths of the intervals, in %.
func halves(records []record) (all []float64) {
	for _, r := range records {
		if s := *r.Said; s.High > 0 {
			all = append(all, half(s))
		}
	}
	return all
}

func half(s honecli.Said) float64 { return 50 * (s.High - s.Low) }

func counted(words map[judge.Word]int) string {
	var text []string
	for _, w := range slices.Sorted(maps.Keys(words)) {
		text = append(text, fmt.Sprintf("%d %s", words[w], w))
	}
	return strings.Join(text, ", ")
}
