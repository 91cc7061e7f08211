package compare

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/stats"
)

// Targets that the load tells apart have verdicts and gates of their own; a gate may name a target by its path.
func TestTargetsHaveTheirOwnVerdicts(t *testing.T) {
	rng := rand.New(rand.NewPCG(22, 2))
	var blocks []judge.Block
	for range 8 {
		var b judge.Block
		for range 6 {
			same := latencies(rng, 800, 60)
			b.Pairs = append(b.Pairs, judge.Pair{
				LatencyA: same, LatencyB: same,
				TargetsA: map[string]stats.Distribution{"GET /items": same, "GET /search": latencies(rng, 800, 40)},
				TargetsB: map[string]stats.Distribution{"GET /items": same, "GET /search": latencies(rng, 800, 60)},
			})
		}
		blocks = append(blocks, b)
	}
	names := []string{"GET /items", "GET /search"}
	var gates []gate.Gate
	for _, text := range []string{"p50{/search}<+5%", "p50{GET /items}<+5%", "p90{/items}<+5%"} {
		g, err := gate.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		gates = append(gates, g)
	}
	r := NewReferee(Question{Gated: measure.CPU, Measures: measure.All, Gates: gates, Variants: []string{"B"},
		Options: judge.Options{Alpha: 0.05}})
	for range 2 { // each start says it again
		if told, err := r.TellApart(names); err != nil || !slices.Equal(told, names) {
			t.Fatalf("%q, %v", told, err)
		}
	}
	ruling, err := r.Rule(0, blocks)
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]judge.Word{}
	for _, v := range ruling.Verdicts {
		words[v.Measure.Key] = v.Word
	}
	if words["p50{GET /search}"] != judge.Slower || words["p50{GET /items}"] == judge.Slower ||
		words["p50"] == judge.Slower {
		t.Errorf("%v: only /search is slower", words)
	}
	for i, want := range []gate.Outcome{gate.Failed, gate.Passed, gate.Passed} {
		if g := ruling.Gates[i]; g.Outcome != want {
			t.Errorf("%s: %s (%s), want %s", g.Gate.Text, g.Outcome, g.Reason, want)
		}
	}
	if gates[0].Measure.Key != "p50" {
		t.Error("the caller's gates were changed")
	}
	if _, err := NewReferee(Question{Gates: gates}).TellApart([]string{"GET /other",
		"GET /more"}); fail.KindOf(err) != fail.BadInput {
		t.Errorf("a gate on an unknown target: %v", err)
	}
	for _, text := range []string{"cpu{/items}<+5%", "ttfb-p50{/items}<+5%", "p99{/items<+5%"} {
		if _, err := gate.Parse(text); fail.KindOf(err) != fail.BadInput || fail.HintOf(err) == "" {
			t.Errorf("%s: %v (%s)", text, err, fail.HintOf(err))
		}
	}
}
