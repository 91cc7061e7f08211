package measure

import (
	"testing"

	"github.com/gohone/hone/judge"
)

func TestMeasuresAreWellFormed(t *testing.T) {
	keys, names := map[string]bool{}, map[string]bool{}
	for _, m := range All {
		if m.Key == "" || m.Name == "" || m.Unit == "" || m.Floor < 0 ||
			(m.Better != judge.Lower && m.Better != judge.Higher) ||
			(m.Level != judge.PerSlice && m.Level != judge.PerStart && m.Level != judge.Pooled) ||
			(m.Level == judge.Pooled) != (m.Quantile > 0) {
			t.Errorf("incomplete: %+v", m)
		}
		if keys[m.Key] || names[m.Name] {
			t.Errorf("twice: %+v", m)
		}
		keys[m.Key], names[m.Name] = true, true
	}
	if All[0] != CPU {
		t.Errorf("the gated measure is %s, want CPU per request first", All[0].Name)
	}
}
