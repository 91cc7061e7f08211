package diff

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/testkit/proftest"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/internal/capturetest"
)

// program simulates a service: so many ticks per 1000 requests for each function.
type program map[string]float64

// captures draws Poisson ticks of captures; drift is the standard deviation of what the
// machine's speed does to all of one capture. The functions draw in the order of their
// names, so that a seed always draws the same.
func (p program) captures(rng *rand.Rand, n int, requests uint64, drift float64) []prof.Capture {
	var all []prof.Capture
	for range n {
		b := proftest.BuildCPU()
		speed := 1 + drift*rng.NormFloat64()
		for _, name := range slices.Sorted(maps.Keys(p)) {
			if ticks := proftest.Poisson(rng, p[name]*speed*float64(requests)/1000); ticks > 0 {
				b.Ticks(ticks, "main."+name+" < main.serve < main.main")
			}
		}
		all = append(all, capturetest.CPU(b, requests))
	}
	return all
}

func manyFunctions() program {
	p := program{}
	for i := range 60 {
		p[fmt.Sprintf("f%02d", i)] = 0.5 * float64(1+i%20)
	}
	return p
}

func diffOf(t *testing.T, a, b []prof.Capture, o Options) *Diff {
	t.Helper()
	d, err := New(a, b, o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Halve one function's work and double the load: that function alone is coloured, but for
// the 5 % of comparisons in which chance may colour another.
func TestDiffFindsTheOneThatChanged(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	before, after := manyFunctions(), manyFunctions()
	after["f19"] /= 2
	others := 0
	for round := range 20 {
		d := diffOf(t, before.captures(rng, 5, 10_000, 0.02), after.captures(rng, 5, 20_000, 0.02), Options{})
		changed := d.Changed()
		if len(changed) == 0 || changed[0].Function != "main.f19" || changed[0].Word != Cheaper {
			t.Errorf("round %d: %+v", round, changed)
			continue
		}
		others += len(changed) - 1
		if c := changed[0]; c.Low > c.Delta || c.High < c.Delta || c.A < 8*proftest.Tick/1000 || c.A > 12*proftest.Tick/1000 ||
			c.B > 0.7*c.A {
			t.Errorf("round %d: %+v", round, c)
		}
	}
	if others > 3 {
		t.Errorf("%d others are coloured in 20 comparisons", others)
	}
}

// A against A colours hardly anything, also where the machine's speed wanders from one
// capture to the next. Each of 100 comparisons has 60 functions; Holm's procedure lets 5
// of them have any that is coloured, give or take 2.2.
func TestDiffOfEqualsColoursNothing(t *testing.T) {
	for _, drift := range []float64{0, 0.05} {
		rng := rand.New(rand.NewPCG(2, 2))
		p := manyFunctions()
		coloured, with := 0, 0
		for range 100 {
			d := diffOf(t, p.captures(rng, 5, 10_000, drift), p.captures(rng, 5, 10_000, drift), Options{})
			n := len(d.Changed())
			coloured += n
			with += min(n, 1)
		}
		t.Logf("drift %v: %d comparisons with %d coloured functions of 6000", drift, with, coloured)
		if with > 11 || coloured > 300 {
			t.Errorf("drift %v: %d of 100 comparisons have coloured functions, %d in all", drift, with, coloured)
		}
	}
}

// A profile of locks that nothing waited for has no samples: shares are of the other side, and of nothing they are 0.
// JSON knows neither infinity nor NaN.
func TestDiffWithNothingOnASide(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	nothing, something := program{}, program{"f": 10}
	for _, c := range []struct {
		name  string
		a, b  program
		share float64
	}{{"nothing on both", nothing, nothing, 0}, {"nothing in A", nothing, something, 100},
		{"nothing in B", something, nothing, -100}} {
		d := diffOf(t, c.a.captures(rng, 3, 10_000, 0), c.b.captures(rng, 3, 10_000, 0), Options{})
		if math.Abs(d.Whole.Share-c.share) > 1e-9 || math.IsNaN(d.Explained+d.Unexplained) {
			t.Errorf("%s: the whole changed by %v %%, %v explained, %v not", c.name, d.Whole.Share, d.Explained,
				d.Unexplained)
		}
		if _, err := json.Marshal(d); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		var text strings.Builder
		if err := d.WriteText(&text, 0); err != nil || strings.Contains(text.String(), "NaN") ||
			strings.Contains(text.String(), "Inf") {
			t.Errorf("%s: %v\n%s", c.name, err, &text)
		}
	}
}

func TestDiffWords(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	a := program{"stays": 10, "goes": 10}.captures(rng, 4, 10_000, 0)
	b := program{"stays": 10, "comes": 10}.captures(rng, 4, 10_000, 0)
	d := diffOf(t, a, b, Options{})
	words := map[string]Word{}
	for _, r := range d.Rows {
		words[r.Function] = r.Word
	}
	if words["main.goes"] != Gone || words["main.comes"] != Added || words["main.stays"] != Same ||
		words["main.serve"] != Same {
		t.Errorf("%v", words)
	}
	var text bytes.Buffer
	if err := d.WriteText(&text, 0); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"gone  main.goes", "added  main.comes", "3 more functions: no change of their own"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, &text)
		}
	}
}

// The same capture twice in different captures of load: per request it is not a change, raw
// it is one.
func TestDiffBases(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	p := program{"f": 50}
	a, b := p.captures(rng, 5, 10_000, 0), p.captures(rng, 5, 20_000, 0)
	if changed := diffOf(t, a, b, Options{}).Changed(); len(changed) != 0 {
		t.Errorf("per request: %+v", changed)
	}
	raw := diffOf(t, a, b, Options{Basis: prof.Raw}).Changed()
	if len(raw) != 1 || raw[0].B < 1.8*raw[0].A {
		t.Errorf("raw: %+v", raw)
	}
	if _, err := New(a, b, Options{Basis: prof.PerSecond}); err == nil {
		t.Error("per second of captures that do not say how long they took: no error")
	}
}

func TestDiffRefuses(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	a := program{"f": 5}.captures(rng, 1, 1000, 0)
	if _, err := New(a, nil, Options{}); err == nil {
		t.Error("no captures, and no error")
	}
	if _, err := New(a, a, Options{Basis: "minute"}); err == nil {
		t.Error("an unknown basis is accepted")
	}
	if _, err := New(a, a, Options{SampleType: "alloc_space"}); err == nil {
		t.Error("an unknown sample type is accepted")
	}
}

// Thirty steps of one function each became a little dearer, which no step by itself shows,
// one of another doubled, and the rest stayed. The whole change is accounted for, and what
// the program is as a whole explains nothing of it.
func TestDiffAccountsForTheWholeChange(t *testing.T) {
	captures := func(step, twice int64) []prof.Capture {
		var all []prof.Capture
		for range 4 {
			b := proftest.BuildCPU().Ticks(1000, "main.keep@/s/keep.go:1 < main.main")
			for i := range 30 {
				b.Ticks(step, fmt.Sprintf("main.step%d@/s/step.go:%d < main.handle@/s/handle.go:7 < main.main", i, i+1))
			}
			b.Ticks(twice,
				"runtime.memmove < bytes.Join < example.com/lib.Pack@/x/pack.go:3 < main.answer@/s/answer.go:9 < main.main")
			all = append(all, capturetest.CPU(b, 1000))
		}
		return all
	}
	code := prof.Code{Module: "example.com/shop", MainPackage: "example.com/shop"}
	d := diffOf(t, captures(20, 100), captures(24, 200), Options{Code: code})
	var text bytes.Buffer
	if err := d.WriteText(&text, 0); err != nil {
		t.Fatal(err)
	}
	t.Logf("\n%s", &text)
	if math.Abs(d.Explained-d.Whole.Share) > 1e-9 || math.Abs(d.Unexplained) > 1e-9 || d.Whole.Word != Dearer {
		t.Errorf("whole %+v, explained %v, not explained %v", d.Whole, d.Explained, d.Unexplained)
	}
	for _, want := range []string{
		"explained: +12.9 of +12.9 %; not explained: 0 %", "dearer  answer.go:9 main.answer: example.com/lib.Pack\n",
		"dearer  main.handle\n",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, &text)
		}
	}
	for _, r := range d.Rows {
		if strings.HasPrefix(r.Function, "main.step") && r.Word != Same {
			t.Errorf("%+v: no step by itself is beyond the noise", r)
		}
	}
	// Without the one that calls the steps there is nothing that explains their part.
	d = diffOf(t, captures(20, 100), captures(20, 200), Options{Code: code})
	if sum := d.Explained + d.Unexplained; math.Abs(sum-d.Whole.Share) > 1e-9 || d.Explained < 5 {
		t.Errorf("whole %+v, explained %v, not explained %v", d.Whole, d.Explained, d.Unexplained)
	}
}

// Places are the parts of the whole: those of functions add up to it, and so do those of
// what they do.
func TestPlacesDivideTheWhole(t *testing.T) {
	a, b := capturetest.CaptureFile(t, "raw.cpu.pb.gz"), capturetest.CaptureFile(t, "buffered.cpu.pb.gz")
	d := diffOf(t, []prof.Capture{a}, []prof.Capture{b}, Options{})
	owners := 0.0
	for _, p := range d.Places {
		if !p.Part {
			owners += p.Delta
		}
	}
	if math.Abs(owners-d.Whole.Delta) > 1e-6*math.Abs(d.Whole.Delta) {
		t.Errorf("places add up to %v, the whole is %v", owners, d.Whole.Delta)
	}
}

// What is drawn is well-formed, names what changed, and has no unescaped names.
func TestDrawings(t *testing.T) {
	p := proftest.BuildCPU().Ticks(30, `main.f[go.shape.struct { A "<&>" }] < main.main`).Ticks(1, "runtime.mcall")
	flame := flameOf(t, p.P)
	d := diffOf(t, []prof.Capture{capturetest.CPU(p, 10)}, []prof.Capture{capturetest.CPU(p, 20)}, Options{})
	for name, draw := range map[string]func(*bytes.Buffer) error{
		"flame.svg": func(b *bytes.Buffer) error { return flame.WriteSVG(b, "a <title>") },
		"diff.svg":  func(b *bytes.Buffer) error { return d.WriteSVG(b, "a <title>") },
	} {
		var b bytes.Buffer
		if err := draw(&b); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		text := b.String()
		if strings.Contains(text, "a <title>") || strings.Contains(text, `"<&>"`) {
			t.Errorf("%s: names are not escaped", name)
		}
		if !strings.Contains(text, "main.main") {
			t.Errorf("%s: a frame is missing", name)
		}
		if strings.HasSuffix(name, ".svg") {
			if err := wellFormed(text); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func wellFormed(text string) error {
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func flameOf(t *testing.T, p *profile.Profile) *prof.Flame {
	t.Helper()
	v, err := prof.ViewNamed("flame")
	if err != nil {
		t.Fatal(err)
	}
	d, err := v.Show(p, prof.ViewOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return d.(*prof.Flame)
}
