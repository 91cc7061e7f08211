package optimise

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/judge"
)

// The score is the part of the merged commit's gain, by logarithms. What is not confirmed, doubted or a cheat has none.
func TestConclude(t *testing.T) {
	said := func(word judge.Word, ratio float64, caveats ...caveat) *answer {
		return &answer{Benchmarks: []measured{{Name: "Join", Word: word, Ratio: ratio, Caveats: caveats}}}
	}
	first := caveat{Name: benchmarks.CaveatFirst, Text: "B keeps something"}
	for name, c := range map[string]struct {
		said, reference *answer
		want            outcome
		why             string
		score           float64
	}{
		"half":      {said(judge.Faster, 0.5), said(judge.Faster, 0.25), faster, "", 0.5},
		"more":      {said(judge.Faster, 0.125), said(judge.Faster, 0.5), faster, "", 3},
		"undecided": {said(judge.Undecided, 0.5), nil, nothing, "", 0},
		"slower":    {said(judge.Slower, 1.5), nil, slower, "", 0},
		"same code": {&answer{Unmeasured: honecli.SameCode}, nil, nothing, honecli.SameCode, 0},
		"no rival":  {said(judge.Faster, 0.5), said(judge.Undecided, 0.5), unscored, "not confirmed", 0},
		"keeps":     {said(judge.Faster, 0.5, first), said(judge.Faster, 0.5), doubted, "keeps something", 0},
		"both keep": {said(judge.Faster, 0.5, first), said(judge.Faster, 0.5, first), faster, "", 1},
		"moved": {said(judge.Undecided, 0.5, caveat{benchmarks.CaveatMoved, "it moved", true}), nil, refused,
			"it moved", 0},
		"more CPU": {said(judge.Undecided, 0.5, caveat{benchmarks.CaveatCPU, "more CPU", true}), nil, nothing,
			"more CPU", 0},
		"another": {&answer{Fault: "the benchmark itself differs"}, nil, refused, "itself differs", 0},
	} {
		got, why, score := conclude(c.said, c.reference)
		if got != c.want || !strings.Contains(why, c.why) || math.Abs(score-c.score) > 1e-9 {
			t.Errorf("%s: %s (%s), score %g, want %s (%s), %g", name, got, why, score, c.want, c.why, c.score)
		}
	}
}

// What hone prints is read with its caveats and faults.
func TestRead(t *testing.T) {
	const verdict = `{"measure": {"key": "time"}, "verdict": "faster", "ratio": 0.5, "low": 0.4, "high": 0.6}`
	for text, want := range map[string]answer{
		`{"benchmarks": [{"name": "Join-2", "verdicts": [` + verdict + `],
			"caveats": [{"name": "start", "text": "x"}]}]}`: {
			Benchmarks: []measured{{"Join-2", judge.Faster, 0.5, 0, 0, []caveat{{Name: "start", Text: "x"}}}}},
		`{"benchmarks": [{"name": "Join-2", "verdicts": [], "changed": ["sink"]}]}`: {
			Benchmarks: []measured{{Name: "Join-2", Word: judge.Undecided}}, Fault: "itself differs: sink"},
		`{"unchanged": [{"name": "Join", "reason": ""}]}`:                      {Unmeasured: honecli.SameCode},
		`{"untimed": [{"name": "Join"}]}`:                                      {Fault: "does not grow"},
		`{"failures": [{"side": "B", "text": "it ended", "output": "panic"}]}`: {Fault: "it ended: panic"},
		`{"one_sided": [{"name": "Join"}]}`:                                    {Fault: "one side"},
		`{}`:                                                                   {Fault: "no benchmark"},
	} {
		var a answer
		if err := a.read([]byte(text)); err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if !strings.Contains(a.Fault, want.Fault) || (a.Fault == "") != (want.Fault == "") ||
			a.Unmeasured != want.Unmeasured || len(a.Benchmarks) != len(want.Benchmarks) {
			t.Errorf("%s: %+v, want %+v", text, a, want)
		}
		for i, m := range a.Benchmarks {
			w := want.Benchmarks[i]
			if m.Name != w.Name || m.Word != w.Word || m.Ratio != w.Ratio || !slices.Equal(m.Caveats, w.Caveats) {
				t.Errorf("%s: %+v, want %+v", text, m, w)
			}
		}
	}
	for _, bad := range []string{"nothing", `{"failures": [{"side": "A", "text": "it ended"}]}`} {
		if (&answer{}).read([]byte(bad)) == nil {
			t.Errorf("%s was read", bad)
		}
	}
}
