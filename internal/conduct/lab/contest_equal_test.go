package lab

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/program/subject"
)

// A build against itself is neither faster nor slower, and fails no gate.
func TestABuildIsNotSlowerThanItself(t *testing.T) {
	for _, word := range []compare.Word{compare.Faster, compare.Slower, compare.Same, compare.Undecided} {
		c := &Contest{Word: word, Verdicts: []compare.Verdict{{Measure: compare.CPU, Word: word}}}
		gates := []compare.GateResult{{Outcome: compare.Failed, Reason: "change +2 ... +3 %"}, {Outcome: compare.Passed}}
		equalBuilds(c, gates)
		if c.Word == compare.Faster || c.Word == compare.Slower || !c.Equal || c.Verdicts[0].Word != word {
			t.Errorf("%s became %+v, want no difference, and the verdict as it was measured", word, c)
		}
		if gates[0].Outcome != compare.Open || !strings.HasSuffix(gates[0].Reason, "change +2 ... +3 %") || gates[1].Outcome != compare.Passed {
			t.Errorf("gates %+v, want the failed one undecided with its figures", gates)
		}
	}
}

func TestWhatRunsAlike(t *testing.T) {
	one := subject.Binary{BuildID: "a/b", Dir: "/d", Variant: subject.Variant{Name: "A", Args: []string{"-v"}}}
	same := one
	same.Variant.Name = "B"
	if !one.RunsLike(same) {
		t.Error("a build does not run like itself")
	}
	for what, change := range map[string]func(*subject.Binary){
		"another build":       func(b *subject.Binary) { b.BuildID = "a/c" },
		"no build ID":         func(b *subject.Binary) { b.BuildID = "" },
		"other files":         func(b *subject.Binary) { b.Dir = "/e" },
		"other arguments":     func(b *subject.Binary) { b.Variant.Args = nil },
		"another environment": func(b *subject.Binary) { b.Variant.Env = []string{"A=1"} },
		"one of the program":  func(b *subject.Binary) { b.Variant.RunEnv = []string{"A=1"} },
		"other preparations":  func(b *subject.Binary) { b.Variant.AfterStart = []string{"sh"} },
	} {
		other := same
		change(&other)
		if one.RunsLike(other) {
			t.Errorf("%s: taken for the same", what)
		}
	}
}
