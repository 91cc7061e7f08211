package diff

import (
	"fmt"
	"testing"

	"github.com/gohone/hone/internal/testkit/proftest"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/internal/capturetest"
)

// A closure became a method, as dear as it was; what got faster is somewhere else.
func TestWhyLeavesOutWhatOnlyMoved(t *testing.T) {
	a := capturetest.CPU(proftest.BuildCPU().Ticks(400, "main.serve.func1@/s/a.go:10").Ticks(400, "main.encode@/s/a.go:30").Ticks(200,
		"main.(*v1).size@/s/a.go:50"), 1000)
	b := capturetest.CPU(proftest.BuildCPU().Ticks(405, "main.(*server).handle@/s/a.go:12").Ticks(100, "main.encode@/s/a.go:33").Ticks(195,
		"main.size@/s/a.go:52"), 1000)
	e := whyOf(t, []prof.Capture{a}, []prof.Capture{b}, true, WhyOptions{})
	if got := shares(e); got != "-30 % a.go:30 main.encode\n" || e.Unexplained < -5 || e.Unexplained > 5 {
		t.Errorf("got\n%s%+v", got, *e)
	}
	for _, c := range []struct {
		x, y string
		same bool
	}{
		{"main.a.func1", "main.b", true},
		{"main.a.func1", "example.com/m.b", false},
		{"main.a", "main.b", false},
		{"example.com/m/x.(*T).Encode", "example.com/m/y.Encode[...]", true},
	} {
		if renamed(c.x, c.y) != c.same || renamed(c.y, c.x) != c.same {
			t.Errorf("%s and %s: want %v", c.x, c.y, c.same)
		}
	}
}

// A function that another one took the place of, with calls of other libraries, is no news; what else it does is.
func TestWhyLeavesOutWhatTookThePlace(t *testing.T) {
	a, b := proftest.BuildCPU().Ticks(600, "main.work@/s/a.go:9"),
		proftest.BuildCPU().Ticks(600, "main.work@/s/a.go:9").Ticks(300, "main.extra@/s/a.go:90")
	for i := range 100 {
		lib := fmt.Sprintf("sort.f%d < ", i)
		a, b = a.Ticks(4, lib+"main.reply@/s/a.go:30"), b.Ticks(4, lib+"main.(*api).list@/s/b.go:40")
	}
	e := whyOf(t, []prof.Capture{capturetest.CPU(a, 1000)}, []prof.Capture{capturetest.CPU(b, 1000)}, false, WhyOptions{})
	if got := shares(e); got != "+30 % a.go:90 main.extra\n" {
		t.Errorf("got\n%s%+v", got, *e)
	}
}

// One function became two: the package costs as much as before, and what is dearer is a library's part.
func TestWhyLeavesOutWhatWasArrangedAnew(t *testing.T) {
	a := capturetest.CPU(proftest.BuildCPU().Ticks(800, "main.birds@/s/a.go:9").Ticks(200, "runtime.gcBgMarkWorker"), 1000)
	b := capturetest.CPU(proftest.BuildCPU().Ticks(100, "main.birds@/s/a.go:9").Ticks(400, "main.count@/s/b.go:9").Ticks(290,
		"main.finish@/s/b.go:30").Ticks(600, "runtime.gcBgMarkWorker"), 1000)
	e := whyOf(t, []prof.Capture{a}, []prof.Capture{b}, false, WhyOptions{Code: prof.Code{MainPackage: "main"}})
	if got := shares(e); got != "+40 % garbage collector\n" {
		t.Errorf("got\n%s%+v", got, *e)
	}
}

// One function fell by more than the whole did, and nothing that can be seen rose.
func TestChangesThatContradictTheWholeExplainNothing(t *testing.T) {
	a, b := proftest.BuildCPU().Ticks(2000, "main.f"), proftest.BuildCPU().Ticks(1000, "main.f")
	for i := range 100 {
		name := fmt.Sprintf("main.g%d", i)
		a, b = a.Ticks(50, name), b.Ticks(59, name)
	}
	e := whyOf(t, []prof.Capture{capturetest.CPU(a, 1)}, []prof.Capture{capturetest.CPU(b, 1)}, true, WhyOptions{})
	if !e.Contradict || len(e.Changes) > 0 || e.Unexplained != e.Total {
		t.Errorf("%+v", *e)
	}
}

func TestNothingButAgainstTheVerdictIsNoExplanation(t *testing.T) {
	a := capturetest.CPU(proftest.BuildCPU().Ticks(4000, "main.keep"), 1)
	b := capturetest.CPU(proftest.BuildCPU().Ticks(4000, "main.keep").Ticks(400, "main.f"), 1)
	if e := whyOf(t, []prof.Capture{a}, []prof.Capture{b}, true, WhyOptions{}); len(e.Changes) > 0 || e.Unexplained != e.Total {
		t.Errorf("%+v", *e)
	}
}
