package conclusion

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
)

// A build against itself is neither faster nor slower, and fails no gate.
func TestABuildIsNotSlowerThanItself(t *testing.T) {
	for _, word := range []judge.Word{judge.Faster, judge.Slower, judge.Same, judge.Undecided} {
		c := &record.Contest{Word: word, Verdicts: []judge.Verdict{{Measure: measure.CPU, Word: word}}}
		gates := []gate.Result{{Outcome: gate.Failed, Reason: "change +2 ... +3 %"}, {Outcome: gate.Passed}}
		EqualBuilds(c, gates)
		if c.Word == judge.Faster || c.Word == judge.Slower || !c.Equal || c.Verdicts[0].Word != word {
			t.Errorf("%s became %+v, want no difference, and the verdict as it was measured", word, c)
		}
		if gates[0].Outcome != gate.Open || !strings.HasSuffix(gates[0].Reason, "change +2 ... +3 %") ||
			gates[1].Outcome != gate.Passed {
			t.Errorf("gates %+v, want the failed one undecided with its figures", gates)
		}
	}
}

func TestWhatRunsAlike(t *testing.T) {
	one := build.Binary{BuildID: "a/b", Dir: "/d", Variant: build.Variant{Name: "A", Args: []string{"-v"}}}
	same := one
	same.Variant.Name = "B"
	if !one.RunsLike(same) {
		t.Error("a build does not run like itself")
	}
	for what, change := range map[string]func(*build.Binary){
		"another build":       func(b *build.Binary) { b.BuildID = "a/c" },
		"no build ID":         func(b *build.Binary) { b.BuildID = "" },
		"other files":         func(b *build.Binary) { b.Dir = "/e" },
		"other arguments":     func(b *build.Binary) { b.Variant.Args = nil },
		"another environment": func(b *build.Binary) { b.Variant.Env = []string{"A=1"} },
		"one of the program":  func(b *build.Binary) { b.Variant.RunEnv = []string{"A=1"} },
		"other preparations":  func(b *build.Binary) { b.Variant.AfterStart = []string{"sh"} },
	} {
		other := same
		change(&other)
		if one.RunsLike(other) {
			t.Errorf("%s: taken for the same", what)
		}
	}
}
