package commits

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/commitsearch"
	"github.com/gohone/hone/judge"
)

// A search follows one measure. What else differs between the ends is said with the part that the commit explains, so
// that a slow-down does not hide behind a larger difference of another measure.
func TestASearchSaysWhatIsLeftOfOtherMeasures(t *testing.T) {
	of := func(m judge.Measure) commitsearch.Target {
		return commitsearch.Target{Package: "p", Benchmark: "Parse", Measure: m}
	}
	verdict := func(m judge.Measure, ratio float64) judge.Verdict { return judge.Verdict{Measure: m, Ratio: ratio} }
	allocs, bytes, time := measure.OperationAllocs, measure.OperationBytes, measure.OperationTime
	target := of(allocs)
	for name, test := range map[string]struct {
		step []judge.Verdict
		want string
	}{
		"another commit made the time": {
			step: []judge.Verdict{verdict(allocs, 4), verdict(bytes, 2.05), verdict(time, 1.002)},
			want: "also differ: allocated per operation of Parse +100 % (by this commit), time per operation of Parse " +
				"+8.0 % (+0.20 % by this commit, so other commits make the rest); --measure time follows time per " +
				"operation of Parse",
		},
		"this commit made all": {
			step: []judge.Verdict{verdict(allocs, 4), verdict(bytes, 2), verdict(time, 1.078)},
			want: "also differ: allocated per operation of Parse +100 % (by this commit), time per operation of Parse " +
				"+8.0 % (by this commit)",
		},
		"it took a part of it back": {
			step: []judge.Verdict{verdict(bytes, 2), verdict(time, 0.95)},
			want: "also differ: allocated per operation of Parse +100 % (by this commit), time per operation of Parse " +
				"+8.0 % (-5.0 % by this commit, so other commits make the rest); --measure time follows time per " +
				"operation of Parse",
		},
		"nothing is known of it": {
			want: "also differ: allocated per operation of Parse +100 %, time per operation of Parse +8.0 %; " +
				"--measure bytes follows allocated per operation of Parse",
		},
	} {
		r := &commitsearch.Result{
			Target: &target,
			Whole: &commitsearch.Whole{Others: []commitsearch.TargetVerdict{
				{Target: of(bytes), Verdict: verdict(bytes, 2)}, {Target: of(time), Verdict: verdict(time, 1.08)}}},
			Steps: []commitsearch.Step{{Benchmark: &benchmarks.Benchmark{Package: "p", Name: "Parse",
				Verdicts: test.step}}},
		}
		if under := BisectOf(r).Under; len(under) == 0 || under[0] != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, strings.Join(under, "\n"), test.want)
		}
	}
}
