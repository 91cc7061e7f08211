package diff

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohone/hone/internal/testkit/proftest"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/internal/capturetest"
)

// whole is what the totals of CPU captures say.
func wholeOf(t *testing.T, a, b []prof.Capture) Whole {
	t.Helper()
	sum := func(of []prof.Capture) float64 {
		c, err := prof.MergeCaptures(of)
		if err != nil {
			t.Fatal(err)
		}
		total, err := c.Total(prof.CostOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return total.PerRequest
	}
	return Whole{A: sum(a), B: sum(b)}
}

func whyOf(t *testing.T, a, b []prof.Capture, lower bool, o WhyOptions) *Explanation {
	t.Helper()
	e, err := Why(a, b, wholeOf(t, a, b), lower, o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// shares renders changes without their intervals.
func shares(e *Explanation) string {
	var b strings.Builder
	for _, c := range e.Changes {
		c.Low, c.High = 0, 0
		fmt.Fprintln(&b, c)
	}
	return b.String()
}

// The story that the package is for: a server that reads and writes each field by
// itself against the same one with buffers, both profiled under real load.
func TestWhyBufferedIsFasterThanRaw(t *testing.T) {
	a, b := capturetest.CaptureFile(t, "raw.cpu.pb.gz"), capturetest.CaptureFile(t, "buffered.cpu.pb.gz")
	e := whyOf(t, []prof.Capture{a}, []prof.Capture{b}, true, WhyOptions{})
	t.Logf("\n%s%+v", lines(e.Changes), *e)
	found := map[string]Change{}
	for _, c := range e.Changes {
		found[c.What] = c
	}
	for _, what := range []string{"Syscall under net.(*conn).Write", "Syscall under net.(*conn).Read"} {
		c, ok := found[what]
		if !ok {
			t.Errorf("%q is not among the reasons", what)
			continue
		}
		if c.Function != "main.rawServe" || c.Path != "raw.go" || c.Line == 0 {
			t.Errorf("%q is shown at %s %s:%d, want a line of rawServe, not the helper that both use", what, c.Function,
				c.Path, c.Line)
		}
		if c.High > -4 {
			t.Errorf("%q: %v, want a marked saving", what, c)
		}
	}
	// The clients in the same process do the same system calls; they are not ours.
	total, err := a.Total(prof.CostOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if total.Observer <= 0 || total.PerRequest <= 0 || total.Unit != "nanoseconds" {
		t.Errorf("total %+v, want the load's cost apart", total)
	}
}

// Variants that do the same work in functions of different names: the net counts, at the
// line of the dearer one, and what costs as much as before is no news.
func TestWhyGivesTheNetOfWhatOnlyMoved(t *testing.T) {
	a := capturetest.CPU(proftest.BuildCPU().
		Ticks(900, readOfTCP+" < main.rawServe@/s/raw.go:41").
		Ticks(100, "main.rawServe@/s/raw.go:50"), 1000)
	b := capturetest.CPU(proftest.BuildCPU().
		Ticks(100, readOfTCP+" < bufio.(*Reader).fill < main.bufferedServe@/s/buffered.go:12").
		Ticks(100, "main.bufferedServe@/s/buffered.go:20"), 1000)
	e := whyOf(t, []prof.Capture{a}, []prof.Capture{b}, true, WhyOptions{})
	const want = "-80 % raw.go:41 main.rawServe: Syscall under net.(*conn).Read\n"
	if got := shares(e); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if math.Abs(e.Total+80) > 1e-9 || math.Abs(e.Explained+80) > 1e-9 || math.Abs(e.Unexplained) > 1e-9 {
		t.Errorf("%+v, want all of -80 %% explained", *e)
	}
}

// The profile of B was taken while the machine was half as fast. The CPU clock of paired
// slices knows better, and then nothing has changed.
func TestWhyOnlyDividesWhatIsKnown(t *testing.T) {
	a := capturetest.CPU(proftest.BuildCPU().Ticks(400, "main.f@/s/f.go:1").Ticks(600, "main.g@/s/g.go:1"), 1000)
	b := capturetest.CPU(proftest.BuildCPU().Ticks(800, "main.f@/s/f.go:1").Ticks(1200, "main.g@/s/g.go:1"), 1000)
	for whole, want := range map[Whole]string{
		{A: 7e6, B: 7e6}:                "",
		{A: 7e6, B: 14e6}:               "+60 % g.go:1 main.g\n+40 % f.go:1 main.f\n",
		{A: 7e6, B: 14e6, StdErr: 14e6}: "", // an interval from -200 %
	} {
		e, err := Why([]prof.Capture{a}, []prof.Capture{b}, whole, false, WhyOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got := shares(e); got != want {
			t.Errorf("%+v: got\n%swant\n%s", whole, got, want)
		}
	}
}

// Verdicts of -21 %% from 6 of 29 ticks were seen.
func TestFewTicksExplainNothing(t *testing.T) {
	a := capturetest.CPU(proftest.BuildCPU().Ticks(9, "main.f").Ticks(20, "main.g"), 10)
	b := capturetest.CPU(proftest.BuildCPU().Ticks(3, "main.f").Ticks(20, "main.g"), 10)
	e := whyOf(t, []prof.Capture{a}, []prof.Capture{b}, true, WhyOptions{})
	if len(e.Changes) > 0 || !e.TooFew || e.SamplesA != 29 || math.Abs(e.Unexplained-e.Total) > 1e-9 {
		t.Errorf("%+v", *e)
	}
}

// One function calls many, and each became a little dearer: none is beyond the noise, and
// the one that calls them is.
func TestWhyFindsAFunctionWithAllItsCalls(t *testing.T) {
	a, b := proftest.BuildCPU().Ticks(2000, "main.keep < main.main"), proftest.BuildCPU().Ticks(2000, "main.keep < main.main")
	for i := range 30 {
		stack := fmt.Sprintf("main.step%d@/s/step.go:%d < main.handle@/s/handle.go:7 < main.main", i, i+1)
		a.Ticks(50, stack)
		b.Ticks(65, stack)
	}
	e := whyOf(t, []prof.Capture{capturetest.CPU(a, 10)}, []prof.Capture{capturetest.CPU(b, 10)}, false, WhyOptions{})
	want := "+12.9 % handle.go:7 main.handle, with what it calls\n"
	if got := shares(e); !strings.HasSuffix(got, want) || e.Explained < 12 || e.Total-e.Explained > 1 {
		t.Errorf("got\n%swant\n%s%+v", got, want, *e)
	}
}

// The user's line comes before a library's, with a path below the module wherever the
// program was built, and a call of C has the name of the C function.
func TestWhyNamesTheUsersLineFirst(t *testing.T) {
	const build = "/tmp/hone-build-81f3/0c12e27ab4/cmd/shop/main.go"
	base := func() *proftest.Builder { return proftest.BuildCPU().Ticks(1000, "main.keep@"+build+":3") }
	code := prof.Code{Module: "example.com/shop", MainPackage: "example.com/shop/cmd/shop"}
	for stack, want := range map[string]string{
		"strconv.AppendInt < github.com/lib/json.encode@/go/pkg/mod/github.com/lib/json@v1.2.0/e.go:9 < github.com/lib/json.Marshal < main.answer@" + build + ":41": "cmd/shop/main.go:41 main.answer: github.com/lib/json.Marshal",
		"runtime.memmove < example.com/shop/cart.(*Cart).Add@/tmp/x/cart/cart.go:7 < main.answer@" + build +
			":41": "cart/cart.go:7 cart.(*Cart).Add: runtime.memmove",
		"github.com/lib/json.encode@/go/pkg/mod/github.com/lib/json@v1.2.0/e.go:9 < net/http.(*conn).serve":                                                         "github.com/lib/json/e.go:9 json.encode",
		"runtime.cgocall < example.com/shop/zip._Cfunc_deflate@_cgo_gotypes.go:495 < example.com/shop/zip.Pack@/tmp/x/zip/pack.go:12 < main.answer@" + build + ":1": "zip/pack.go:12 zip.Pack: C.deflate",
	} {
		a, b := capturetest.CPU(base().Ticks(1000, stack), 1), capturetest.CPU(base().Ticks(2000, stack), 1)
		e := whyOf(t, []prof.Capture{a}, []prof.Capture{b}, false, WhyOptions{Code: code})
		if got, want := shares(e), "+50 % "+want+"\n"; got != want {
			t.Errorf("got %swant %s", got, want)
		}
	}
}

// Lines are the heaviest of the function that changed most, not of one that costs as
// much on both sides.
func TestWhyShowsTheFunctionThatChanged(t *testing.T) {
	const allocate = "runtime.mallocgc < runtime.newobject < "
	a := capturetest.CPU(proftest.BuildCPU().
		Ticks(500, allocate+"main.header@/s/header.go:3 < main.serve@/s/serve.go:1").
		Ticks(200, allocate+"main.decode@/s/decode.go:7 < main.serve@/s/serve.go:2").
		Ticks(100, allocate+"main.decode@/s/decode.go:9 < main.serve@/s/serve.go:2"), 10)
	b := capturetest.CPU(proftest.BuildCPU().
		Ticks(500, allocate+"main.header@/s/header.go:3 < main.serve@/s/serve.go:1"), 10)
	why := whyOf(t, []prof.Capture{a}, []prof.Capture{b}, true, WhyOptions{})
	want := "-37.5 % decode.go:7 main.decode: allocation (runtime.mallocgc)\n"
	if got := shares(why); got != want {
		t.Errorf("got %swant %s", got, want)
	}
}

func TestWhyWithTheSameFunctionsStaysAtTheLeaf(t *testing.T) {
	stack := readOfTCP + " < main.(*peer).Read@/s/peer.go:5 < main.serve@/s/serve.go:8"
	a := capturetest.CPU(proftest.BuildCPU().Ticks(900, stack), 10)
	b := capturetest.CPU(proftest.BuildCPU().Ticks(100, stack), 10)
	why := whyOf(t, []prof.Capture{a}, []prof.Capture{b}, true, WhyOptions{})
	if got, want := shares(why), "-88.9 % peer.go:5 main.(*peer).Read: Syscall under net.(*conn).Read\n"; got != want {
		t.Errorf("got %swant %s", got, want)
	}
}

func TestWhyHasRoomForThree(t *testing.T) {
	a, b := proftest.BuildCPU().Ticks(1000, "main.keep"), proftest.BuildCPU().Ticks(1000, "main.keep")
	for _, f := range []string{"main.c", "main.a", "main.b", "main.d"} {
		a.Ticks(50, f)
	}
	e := whyOf(t, []prof.Capture{capturetest.CPU(a, 1)}, []prof.Capture{capturetest.CPU(b, 1)}, true, WhyOptions{})
	// Equal changes come in the order of their names.
	if got, want := shares(e), "-4.2 % main.a\n-4.2 % main.b\n-4.2 % main.c\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if e.More != 1 || math.Abs(e.Smaller-e.Total/4) > 1e-9 || math.Abs(e.Unexplained) > 1e-9 {
		t.Errorf("%+v, want the fourth among the smaller ones", *e)
	}
}

// A verdict of "faster" is explained by what became cheaper; of what became dearer one
// is named, not first, and only if it is among the largest changes.
func TestWhyGoesTheWayOfTheVerdict(t *testing.T) {
	a := capturetest.CPU(proftest.BuildCPU().Ticks(1000, "main.keep").Ticks(500, "main.a").Ticks(400, "main.b").Ticks(300, "main.c").Ticks(200,
		"main.d"), 1)
	b := capturetest.CPU(proftest.BuildCPU().Ticks(1000, "main.keep").Ticks(450, "main.x").Ticks(350, "main.y"), 1)
	for lower, want := range map[bool]string{
		true:  "-21 % main.a\n+19 % main.x\n-17 % main.b\n-12 % main.c\n",
		false: "+19 % main.x\n-21 % main.a\n+15 % main.y\n",
	} {
		if got := shares(whyOf(t, []prof.Capture{a}, []prof.Capture{b}, lower, WhyOptions{})); got != rounded(want) {
			t.Errorf("lower %v: got\n%swant\n%s", lower, got, rounded(want))
		}
	}
}

// rounded has the decimals that units gives to changes under 100 %.
func rounded(want string) string {
	return strings.NewReplacer("-21 ", "-20.8 ", "+19 ", "+18.8 ", "-17 ", "-16.7 ", "-12 ", "-12.5 ", "+15 ",
		"+14.6 ").Replace(want)
}

func TestWhyLeavesOutASmallChangeAgainstTheVerdict(t *testing.T) {
	a := capturetest.CPU(proftest.BuildCPU().Ticks(1000, "main.keep").Ticks(500, "main.a"), 1)
	b := capturetest.CPU(proftest.BuildCPU().Ticks(1000, "main.keep").Ticks(90, "main.x"), 1)
	for lower, want := range map[bool]string{true: "-33.3 % main.a\n", false: "+6.0 % main.x\n-33.3 % main.a\n"} {
		if got := shares(whyOf(t, []prof.Capture{a}, []prof.Capture{b}, lower, WhyOptions{})); got != want {
			t.Errorf("lower %v: got\n%swant\n%s", lower, got, want)
		}
	}
}

func TestObserverIsNoChangeAndCountsApart(t *testing.T) {
	a := capturetest.CPU(proftest.BuildCPU().Ticks(100, "main.f").Ticks(300, "main.honeProbeServe"), 10)
	b := capturetest.CPU(proftest.BuildCPU().Ticks(100, "main.f").Ticks(10, "runtime/pprof.profileWriter"), 10)
	if e := whyOf(t, []prof.Capture{a}, []prof.Capture{b}, true, WhyOptions{}); len(e.Changes) != 0 || e.SamplesB != 100 {
		t.Errorf("%+v, want none", *e)
	}
	total, err := a.Total(prof.CostOptions{})
	if want := (prof.Total{PerRequest: 10 * proftest.Tick, Observer: 30 * proftest.Tick, Unit: "nanoseconds"}); err != nil || total != want {
		t.Errorf("total %+v, %v, want %+v", total, err, want)
	}
}

func TestWhyRefusesWhatCannotBeCompared(t *testing.T) {
	good := capturetest.CPU(proftest.BuildCPU().Ticks(1, "main.f"), 1)
	heap := proftest.Build("alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes").
		Sample("main.f", 1, 1, 1, 1).P
	for _, c := range []struct {
		name string
		b    prof.Capture
		o    WhyOptions
		want string
	}{
		{"another kind", prof.Capture{Kind: "allocs", Profile: heap, Operations: 1}, WhyOptions{},
			`kinds "cpu" and "allocs"`},
		{"no profile", prof.Capture{Kind: "cpu", Operations: 1}, WhyOptions{}, "no profile"},
		{"a heap that says cpu", prof.Capture{Kind: "cpu", Profile: heap, Operations: 1}, WhyOptions{},
			`no sample type "cpu"`},
		{"only the probe", capturetest.CPU(proftest.BuildCPU().Ticks(1, "main.honeProbeServe"), 1), WhyOptions{},
			"no cpu of the subject's own"},
		{"a difference", capturetest.CPU(proftest.BuildCPU().Ticks(-1, "main.f"), 1), WhyOptions{}, "is a difference"},
		{"other units", capturetest.CPU(proftest.Build("samples/count", "cpu/microseconds").Sample("main.f", 1, 1), 1), WhyOptions{},
			"in microseconds"},
		{"an unknown sample type", good, WhyOptions{SampleType: "inuse_space"}, "no sample type"},
	} {
		_, err := Why([]prof.Capture{good}, []prof.Capture{c.b}, Whole{A: 1, B: 1}, true, c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
	for name, whole := range map[string]Whole{"nothing": {}, "less than nothing": {A: 1, B: -1},
		"no number": {A: math.NaN(), B: 1}, "no end": {A: 1, B: math.Inf(1)}} {
		if _, err := Why([]prof.Capture{good}, []prof.Capture{good}, whole, true, WhyOptions{}); err == nil {
			t.Errorf("costs of %s: no error", name)
		}
	}
	if _, err := prof.Hot(prof.Capture{Kind: "cpu", Profile: good.Profile}, prof.CostOptions{}, 1); err == nil ||
		!strings.Contains(err.Error(), "no operations") {
		t.Errorf("no operations: error %v", err)
	}
	state := prof.Capture{Kind: "heap", Profile: heap, Operations: 1}
	if _, err := prof.Hot(state, prof.CostOptions{}, 1); err == nil || !strings.Contains(err.Error(), "a state") {
		t.Errorf("bytes in use per request: error %v", err)
	}
	if _, err := prof.Hot(state, prof.CostOptions{SampleType: "alloc_space"}, 1); err != nil {
		t.Errorf("bytes allocated, from a heap profile: %v", err)
	}
	if _, err := prof.Hot(prof.Capture{Kind: "threads", Profile: heap, Operations: 1}, prof.CostOptions{}, 1); err == nil ||
		!strings.Contains(err.Error(), "unknown kind") {
		t.Errorf("unknown kind: error %v", err)
	}
}

func TestChangeReadsWell(t *testing.T) {
	for want, c := range map[string]Change{
		"-71.2 % (-75 ... -67.4) framed/raw.go:41 framed.rawServe: Syscall under net.(*conn).Read": {
			Site: prof.Site{What: "Syscall under net.(*conn).Read", Function: "example.com/x/framed.rawServe",
				File: "/a/framed/raw.go", Line: 41},
			Path: "framed/raw.go", Share: -71.2, Low: -75, High: -67.4,
		},
		"+2.1 % (+1.0 ... +3.2) raw.go:7 main.work, with what it calls": {
			Site: prof.Site{Function: "main.work", File: "/a/raw.go", Line: 7}, Calls: true, Share: 2.14, Low: 1.0,
			High: 3.2,
		},
		"-10.0 % scheduler (runtime.mcall)": {Site: prof.Site{What: "scheduler (runtime.mcall)"}, Share: -9.96},
	} {
		if got := c.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Allocations that are all in the profile are counted, not estimated: one more of each
// request is shown at the line that makes it, and only what moved as it was is netted.
func TestWhyCountsAllocations(t *testing.T) {
	types := []string{"alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes"}
	const allocate = "runtime.mallocgc < runtime.newobject < "
	capture := func(counts map[string]int64) []prof.Capture {
		var all []prof.Capture
		for range 3 {
			b := proftest.Build(types...)
			for stack, count := range counts {
				b.Sample(stack, count*1000, count*64_000, 0, 0)
			}
			b.P.Period = 1
			all = append(all, prof.Capture{Kind: "allocs", Profile: b.P, Operations: 1000})
		}
		return all
	}
	const decode, encode, sprint = allocate + "main.decode@/s/decode.go:9", allocate + "main.encode@/s/encode.go:4",
		"fmt.Sprint < main.encode@/s/encode.go:7"
	a := capture(map[string]int64{decode: 3, encode: 1})
	b := capture(map[string]int64{decode: 1, encode: 2, sprint: 1})
	o := WhyOptions{SampleType: "alloc_objects", BySite: true}
	counts := func(e *Explanation) string {
		var b strings.Builder
		for _, c := range e.Changes {
			fmt.Fprintf(&b, "%+.0f %s\n", c.Delta, c.Place())
		}
		return b.String()
	}
	e, err := Why(a, b, Whole{A: 4, B: 4}, false, o)
	if err != nil {
		t.Fatal(err)
	}
	want := "+1 encode.go:4 main.encode: allocation (runtime.mallocgc)\n" +
		"-2 decode.go:9 main.decode: allocation (runtime.mallocgc)\n+1 encode.go:7 main.encode: fmt.Sprint\n"
	if got := counts(e); got != want || e.SamplesA != 0 {
		t.Errorf("got\n%swant\n%s%+v", got, want, *e)
	}
	// A call that moved to another function of its package is not listed.
	const moved = "fmt.Sprint < main.frame@/s/frame.go:3"
	if e, err = Why(capture(map[string]int64{decode: 3, sprint: 1}), capture(map[string]int64{decode: 1, moved: 1}),
		Whole{A: 4, B: 2}, true, o); err != nil {
		t.Fatal(err)
	}
	if got, want := counts(e), "-2 decode.go:9 main.decode: allocation (runtime.mallocgc)\n"; got != want {
		t.Errorf("moved: got\n%swant\n%s", got, want)
	}
	// One side allocates nothing at all.
	none := []prof.Capture{{Kind: "allocs", Profile: proftest.Build(types...).P, Operations: 1000}}
	if e, err = Why(none, a, Whole{B: 4}, false, o); err != nil {
		t.Fatal(err)
	}
	if got, want := counts(e),
		"+3 decode.go:9 main.decode: allocation (runtime.mallocgc)\n+1 encode.go:4 main.encode: allocation (runtime.mallocgc)\n"; got != want {
		t.Errorf("from nothing: got\n%swant\n%s", got, want)
	}
}

// Whatever the profiles: comparing the other way round gives the same places with the
// other sign, samples in another order give the same answer, every interval excludes zero,
// and the parts add up to the whole.
func TestWhyProperties(t *testing.T) {
	stacks := []string{
		"main.f@/s/f.go:1", "main.f@/s/f.go:2 < main.g@/s/g.go:1", readOfTCP + " < main.f@/s/f.go:3",
		readOfTCP + " < main.g@/s/g.go:4", "runtime.scanObject < runtime.gcBgMarkWorker", "main.honeProbeServe",
	}
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) (prof.Capture, prof.Capture) {
			forward, backward := proftest.BuildCPU().Ticks(1, "main.always"), proftest.BuildCPU()
			n := rapid.SliceOfN(rapid.Int64Range(0, 500), len(stacks), len(stacks)).Draw(t, name)
			for i := range stacks {
				forward.Ticks(n[i], stacks[i])
				backward.Ticks(n[len(n)-1-i], stacks[len(n)-1-i])
			}
			return capturetest.CPU(forward, 1), capturetest.CPU(backward.Ticks(1, "main.always"), 1)
		}
		a, a2 := draw("a")
		b, b2 := draw("b")
		whole := Whole{A: 1e6, B: 1e6 * rapid.Float64Range(0.5, 2).Draw(t, "ratio")}
		why := func(a, b prof.Capture, w Whole, lower bool) *Explanation {
			e, err := Why([]prof.Capture{a}, []prof.Capture{b}, w, lower, WhyOptions{})
			if err != nil {
				t.Fatal(err)
			}
			return e
		}
		e, again := why(a, b, whole, true), why(a2, b2, whole, true)
		back := why(b, a, Whole{A: whole.B, B: whole.A}, false)
		if len(e.Changes) != len(again.Changes) || len(e.Changes) != len(back.Changes) {
			t.Fatalf("%d changes, %d in another order, %d the other way round", len(e.Changes), len(again.Changes),
				len(back.Changes))
		}
		if math.Abs(e.Explained+e.Smaller+e.Unexplained-e.Total) > 1e-6 {
			t.Fatalf("%+v does not add up", *e)
		}
		for i, c := range e.Changes {
			if c.Site != again.Changes[i].Site || c.Site != back.Changes[i].Site ||
				math.Abs(c.Delta+back.Changes[i].Delta) > 1e-6*math.Abs(c.Delta) {
				t.Fatalf("%+v in another order is %+v, the other way round %+v", c, again.Changes[i], back.Changes[i])
			}
			if c.Low <= 0 && c.High >= 0 {
				t.Fatalf("%+v may be nothing", c)
			}
		}
	})
}

func TestExactProfileHasNoNoise(t *testing.T) {
	// MemProfileRate 1 samples everything: one byte more per request is a change.
	types := []string{"alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes"}
	capture := func(bytes int64) prof.Capture {
		b := proftest.Build(types...).Sample("main.f@/s/f.go:3", 1000, bytes, 0, 0)
		b.P.Period = 1
		return prof.Capture{Kind: "allocs", Profile: b.P, Operations: 1000}
	}
	e := whyOf(t, []prof.Capture{capture(64_000)}, []prof.Capture{capture(65_000)}, false, WhyOptions{})
	if got, want := shares(e), "+1.6 % f.go:3 main.f\n"; got != want {
		t.Errorf("got %qwant %q", got, want)
	}
}

// lines renders changes as a verdict shows them.
func lines(changes []Change) string {
	var b strings.Builder
	for _, c := range changes {
		fmt.Fprintln(&b, c)
	}
	return b.String()
}

// readOfTCP is what lies below a Read of a TCP connection.
const readOfTCP = "internal/runtime/syscall/linux.Syscall6 < syscall.RawSyscall6 < syscall.Syscall < syscall.read + syscall.Read" +
	" < internal/poll.ignoringEINTRIO + internal/poll.(*FD).Read < net.(*netFD).Read < net.(*conn).Read"
