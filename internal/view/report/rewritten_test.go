package report

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/judge"
)

func TestRewritten(t *testing.T) {
	verdict := func(low, ratio, high float64) *judge.Verdict {
		return &judge.Verdict{Measure: measure.CPU, Ratio: ratio, Low: low, High: high, Conf: 0.95, Starts: 6,
			Word: judge.Undecided}
	}
	patch := "diff --git a/main.go b/main.go\n"
	base := tuning.Rewritten{Run: "abc", Place: "main.go:12 main.isWord", Does: "makes it once", Patch: patch,
		Tested: true, Comparison: "def"}
	for name, c := range map[string]struct {
		change func(*tuning.Rewritten)
		want   []string
		not    string
	}{
		"pays": {func(r *tuning.Rewritten) { r.Claim, r.Decides = tuning.Less, verdict(0.85, 0.877, 0.9) },
			[]string{"the patch pays: CPU per request -12.3 % (95 % interval -15.0 ... -10.0 %)", patch,
				"nothing is written; --apply", "tests of the package pass", "hone show def"}, "written: main.go"},
		"written": {func(r *tuning.Rewritten) {
			r.Claim, r.Decides, r.Wrote, r.Tested, r.NotTested = tuning.Less, verdict(0.85, 0.877, 0.9),
				[]string{"main.go"}, false, "the package has no tests"
		}, []string{"written: main.go", "not tested: the package has no tests"}, "nothing is written"},
		"no gain": {func(r *tuning.Rewritten) { r.Claim, r.Decides = tuning.None, verdict(0.98, 0.99, 1.01) },
			[]string{"does not pay as far as can be shown", "covers 0", patch}, "--apply"},
		"costs": {func(r *tuning.Rewritten) { r.Claim, r.Decides = tuning.More, verdict(1.01, 1.05, 1.1) },
			[]string{"it costs: CPU per request +5.0 %"}, "--apply"},
		"not known": {func(r *tuning.Rewritten) { r.Claim = tuning.NotKnown }, []string{"is not known", "--budget"},
			"pays:"},
		"answers": {func(r *tuning.Rewritten) { r.Different, r.Claim = "100 % other content", tuning.NotKnown },
			[]string{"changes the answers", "100 % other content"}, patch},
	} {
		r := base
		c.change(&r)
		var b strings.Builder
		if err := Rewritten(&b, &r); err != nil {
			t.Fatal(err)
		}
		for _, want := range append(c.want, "tried: main.go:12 main.isWord: makes it once\n") {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: no %q in\n%s", name, want, b.String())
			}
		}
		if strings.Contains(b.String(), c.not) {
			t.Errorf("%s: %q in\n%s", name, c.not, b.String())
		}
	}
}
