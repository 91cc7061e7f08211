package report

import (
	"slices"
	"testing"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/prof"
)

func TestWhyLines(t *testing.T) {
	slower := verdictOf(compare.CPU, compare.Slower, 13_900, 1.1, 1.14)
	same := verdictOf(compare.CPU, compare.Same, 13_900, 0.999, 1.001)
	for name, c := range map[string]struct {
		contest lab.Contest
		verdict compare.Verdict
		want    []string
	}{
		"no profiles": {lab.Contest{}, slower, nil},
		"too few samples": {
			lab.Contest{Why: &prof.Explanation{Total: 12, Unexplained: 12, SamplesA: 29, SamplesB: 31, TooFew: true}},
			slower, []string{"not explained by functions: +12 %: the profiles have 29 and 31 samples, too few for any claim; --profile-time takes longer ones"},
		},
		"nothing beyond the noise": {
			lab.Contest{Why: &prof.Explanation{Total: 12, Unexplained: 12, SamplesA: 290, SamplesB: 310, Asked: 20}},
			slower, []string{"not explained by functions: +12 %: none of 20 places changed beyond the noise of the profiles (290 and 310 samples)"},
		},
		"no difference and nothing beyond the noise": {
			lab.Contest{Why: &prof.Explanation{Total: 0.06, Unexplained: 0.06, SamplesA: 290, SamplesB: 310, Asked: 20}}, same, nil,
		},
		"fewer allocations": {
			lab.Contest{WhyAllocs: fewerAllocations()}, slower,
			[]string{"but: -2.00 allocations per request framed/decode.go:9 framed.decode: allocation (runtime.mallocgc)"},
		},
	} {
		if got := whyLines(c.contest, c.verdict); !slices.Equal(got, c.want) {
			t.Errorf("%s: got\n%q, want\n%q", name, got, c.want)
		}
	}
}
