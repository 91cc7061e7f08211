package report

import (
	"slices"
	"testing"

	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/prof/diff"
)

func TestWhyLines(t *testing.T) {
	slower := verdictOf(measure.CPU, judge.Slower, 13_900, 1.1, 1.14)
	same := verdictOf(measure.CPU, judge.Same, 13_900, 0.999, 1.001)
	for name, c := range map[string]struct {
		contest record.Contest
		verdict judge.Verdict
		want    []string
	}{
		"no profiles": {record.Contest{}, slower, nil},
		"too few samples": {
			record.Contest{Why: &diff.Explanation{Total: 12, Unexplained: 12, SamplesA: 29, SamplesB: 31,
				TooFew: true}},
			slower, []string{"not explained by functions: +12 %: the profiles have only 29 and 31 samples: take longer ones with --profile-time"},
		},
		"nothing beyond the noise": {
			record.Contest{Why: &diff.Explanation{Total: 12, Unexplained: 12, SamplesA: 290, SamplesB: 310, Asked: 20}},
			slower, []string{"not explained by functions: +12 %: none of 20 places changed beyond the noise of the profiles (290 and 310 samples)"},
		},
		"no difference, whatever moved": {
			record.Contest{Why: &diff.Explanation{Total: 0.06, Unexplained: 5, SamplesA: 290, SamplesB: 310, Asked: 20,
				Changes: fewerAllocations().Changes},
				WhyAllocs: fewerAllocations(), Findings: []advice.Change{{Word: advice.Gone, Measure: advice.CPU}}},
			same, nil,
		},
		"beyond the difference": {
			record.Contest{Why: &diff.Explanation{Total: 12, Unexplained: 12, SamplesA: 290, SamplesB: 310, Asked: 20,
				Contradict: true}},
			slower, nil,
		},
		"findings": {
			record.Contest{Findings: []advice.Change{
				{Rule: "fmt-hot", Title: "fmt.Sprintf formats for each request",
					Place: code.Place{Function: "main.f", File: "/s/f.go", Line: 3}, Word: advice.New,
					Measure: advice.CPU, Delta: 1500},
				{Rule: "goroutine-leak", Title: "1 goroutines per request do not end",
					Place: code.Place{Function: "main.g", File: "/s/f.go", Line: 9}, Word: advice.Gone,
					Measure: advice.Growing},
			}},
			slower, []string{
				"why: finding new: f.go:3 main.f: fmt.Sprintf formats for each request: +1.50 us (rule fmt-hot)",
				"growth, gone in B: f.go:9 main.g: 1 goroutines per request do not end (goroutine-leak)",
			},
		},
		"fewer allocations": {
			record.Contest{WhyAllocs: fewerAllocations()}, verdictOf(measure.Allocs, judge.Faster, 10, 0.7, 0.9),
			[]string{"why allocations per request: framed.decode (framed/decode.go:9) allocates less: -2.00 of -2.01"},
		},
	} {
		c.contest.Verdicts = []judge.Verdict{c.verdict}
		if got := model.ComparisonOf(&record.Comparison{Contests: []record.Contest{c.contest}}, nil,
			model.Brief).Contests[0].Why; !slices.Equal(got, c.want) {
			t.Errorf("%s: got\n%q, want\n%q", name, got, c.want)
		}
	}
}
