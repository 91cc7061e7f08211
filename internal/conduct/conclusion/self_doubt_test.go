package conclusion

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
)

// A gate on time does not pass where a side differs from itself. One on what is counted does, and so does one on
// another variant.
func TestAGateDoesNotPassWhereASideDiffersFromItself(t *testing.T) {
	clean := &compare.SelfCheckResult{Low: 0.99, High: 1.01, Clean: true}
	other := &compare.SelfCheckResult{Low: 1.02, High: 1.04}
	for what, c := range map[string]struct {
		gate   string
		was    gate.Outcome
		checks []*compare.SelfCheckResult
		want   gate.Outcome
	}{
		"clean":           {"cpu<+2%", gate.Passed, []*compare.SelfCheckResult{clean, clean, clean}, gate.Passed},
		"A differs":       {"cpu<+2%", gate.Passed, []*compare.SelfCheckResult{other, clean, clean}, gate.Open},
		"B differs":       {"p99<+4%", gate.Passed, []*compare.SelfCheckResult{clean, other, clean}, gate.Open},
		"A, far within":   {"cpu<+6%", gate.Passed, []*compare.SelfCheckResult{other, clean, clean}, gate.Passed},
		"B, far within":   {"cpu<+900%", gate.Passed, []*compare.SelfCheckResult{clean, other, clean}, gate.Passed},
		"C differs":       {"cpu<+2%", gate.Passed, []*compare.SelfCheckResult{clean, clean, other}, gate.Passed},
		"allocations":     {"allocs<=0", gate.Passed, []*compare.SelfCheckResult{other, other, other}, gate.Passed},
		"it failed":       {"cpu<+2%", gate.Failed, []*compare.SelfCheckResult{other, other, other}, gate.Failed},
		"B has no check":  {"cpu<+2%", gate.Passed, []*compare.SelfCheckResult{clean, nil, clean}, gate.Passed},
		"B alone has one": {"cpu<+2%", gate.Passed, []*compare.SelfCheckResult{nil, other, nil}, gate.Open},
	} {
		g, err := gate.Parse(c.gate)
		if err != nil {
			t.Fatal(err)
		}
		result := gate.Result{Gate: g, Variant: "B", Outcome: c.was, Reason: "change -0.1 ... +0.1 %"}
		doc := record.Comparison{Gates: []gate.Result{result}}
		doc.Contests = []record.Contest{{B: 1, Verdicts: []judge.Verdict{{Measure: g.Measure, Ratio: 1, Low: 0.999,
			High: 1.001}}}}
		DoubtGates(&doc, c.checks)
		got := doc.Gates[0]
		said := strings.Contains(got.Reason, "differs from itself (+2.0 ... +4.0 %)")
		if got.Outcome != c.want || said != (c.want != c.was) {
			t.Errorf("%s: %+v, want %s", what, got, c.want)
		}
	}
}
