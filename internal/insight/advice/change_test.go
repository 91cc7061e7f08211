package advice

import (
	"testing"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/insight/facts"
)

// said is a run with a finding of CPU time for each share, in functions f0, f1 and so on; 0 for none.
func said(samples int64, shares ...float64) *Findings {
	f := &Findings{Samples: samples}
	for i, share := range shares {
		if share > 0 {
			f.Findings = append(f.Findings, Finding{Rule: "fmt-hot", Costs: Costs{Measure: CPU, Explained: share},
				Place: code.Place{Function: "main.f" + string(rune('0'+i))}})
		}
	}
	return f
}

func TestChangesExplainOnlyWhatTheDifferenceCarries(t *testing.T) {
	for name, c := range map[string]struct {
		a, b *Findings
		cpu  [2]float64
		want []ChangeWord
	}{
		"gone":                      {said(1000, 0.4), said(1000), [2]float64{100, 62}, []ChangeWord{Gone}},
		"new":                       {said(1000), said(1000, 0.4), [2]float64{60, 100}, []ChangeWord{New}},
		"cheaper":                   {said(1000, 0.4), said(1000, 0.2), [2]float64{100, 75}, []ChangeWord{Moved}},
		"under the threshold of A":  {said(1000), said(1000, 0.035), [2]float64{100, 104}, nil},
		"within the error":          {said(20, 0.4), said(20, 0.2), [2]float64{100, 75}, nil},
		"against the difference":    {said(1000), said(1000, 0.4), [2]float64{100, 80}, nil},
		"far beyond the difference": {said(1000, 0.4), said(1000), [2]float64{100, 99}, nil},
		"two that are beyond it":    {said(5000, 0.3, 0.3), said(5000), [2]float64{100, 80}, nil},
		"one of two that it carries": {said(5000, 0.3, 0.2), said(5000, 0, 0.3), [2]float64{100, 70},
			[]ChangeWord{Gone}},
		"without a profile": {nil, said(1000), [2]float64{100, 80}, nil},
	} {
		all := Changes(c.a, c.b, c.cpu)
		if len(all) != len(c.want) || len(all) > 0 && all[0].Word != c.want[0] {
			t.Errorf("%s: %+v, want %v", name, all, c.want)
		}
	}
}

// Where a byte costs the collector more in B, its settings differ, and who allocates is not the reason.
func TestAnotherCollectorIsNoNewFinding(t *testing.T) {
	a, b := said(1000, 0), said(1000, 0.3)
	a.PerByte, b.PerByte, b.Findings[0].Worked = 0.0001, 0.0001, 0.02
	if all := Changes(a, b, [2]float64{100, 140}); len(all) != 1 {
		t.Errorf("the same collector: %+v", all)
	}
	b.PerByte = 0.0003
	if all := Changes(a, b, [2]float64{100, 140}); len(all) != 0 {
		t.Errorf("another collector: %+v", all)
	}
}

func TestGrowthThatOnlyOneHas(t *testing.T) {
	leak := Finding{Rule: "goroutine-leak", Costs: Costs{Measure: Growing}, Place: code.Place{Function: "main.f"}}
	a := &Findings{Findings: []Finding{leak}, Growth: facts.Growth{Goroutines: 1}}
	b := &Findings{Growth: facts.Growth{Goroutines: 0.001}}
	if all := Changes(a, b, [2]float64{100, 100}); len(all) != 1 || all[0].Word != Gone || all[0].Delta != 0 {
		t.Errorf("fixed: %+v", all)
	}
	if all := Changes(b, a, [2]float64{100, 90}); len(all) != 1 || all[0].Word != New {
		t.Errorf("new: %+v", all)
	}
	b.Growth.Goroutines = 0.9
	if all := Changes(a, b, [2]float64{100, 100}); len(all) != 0 {
		t.Errorf("as much growth on both sides: %+v", all)
	}
}
