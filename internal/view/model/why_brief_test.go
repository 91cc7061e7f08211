package model

import (
	"slices"
	"testing"
)

// The end of a comparison shows three causes and what they leave open; all else shows all.
func TestThreeCauses(t *testing.T) {
	all := []string{"why: a", "why: b", "but: c", "why: d", notExplainedBy + "1 %", "why allocs: e"}
	m := Comparison{Contests: []Contest{{B: 1, Why: all}}, Show: "hone show 12"}
	if got := m.Why(); !slices.Equal(got, all) {
		t.Errorf("in full: %q", got)
	}
	m.brief = true
	want := []string{"why: a", "why: b", "but: c", notExplainedBy + "1 %", "why: 2 more causes: hone show 12"}
	if got := m.Why(); !slices.Equal(got, want) {
		t.Errorf("in brief: %q, want %q", got, want)
	}
}
