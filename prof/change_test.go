package prof

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The story that the package is for: a server that reads and writes each field by
// itself against the same one with buffers, both profiled under real load.
func TestWhyBufferedIsFasterThanRaw(t *testing.T) {
	a, b := captureFile(t, "raw.cpu.pb.gz"), captureFile(t, "buffered.cpu.pb.gz")
	why, err := Why(a, b, true, ChangeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("\n%s", lines(why))
	found := map[string]Change{}
	for _, c := range why {
		found[c.What] = c
	}
	for _, what := range []string{"Syscall under net.(*conn).Write", "Syscall under net.(*conn).Read"} {
		c, ok := found[what]
		if !ok {
			t.Errorf("%q is not among the reasons", what)
			continue
		}
		if c.Function != "main.rawServe" || ShortFile(c.File) != "gen/raw.go" || c.Line == 0 {
			t.Errorf("%q is shown at %s %s:%d, want a line of rawServe, not the helper that both use", what, c.Function, c.File, c.Line)
		}
		if c.Share > -5 {
			t.Errorf("%q: %v, want a marked saving", what, c)
		}
	}
	// The clients in the same process do the same system calls; they are not ours.
	total, err := a.Total(ChangeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if total.Observer <= 0 || total.PerRequest <= 0 || total.Unit != "nanoseconds" {
		t.Errorf("total %+v, want the load's cost apart", total)
	}
}

func TestBySiteKeepsFunctionsApartWhereByWhatGivesTheNet(t *testing.T) {
	a := buildCPU().
		ticks(900, netRead+" < main.rawServe@/s/raw.go:41").
		ticks(100, "main.rawServe@/s/raw.go:50").cpu(1000)
	b := buildCPU().
		ticks(100, netRead+" < bufio.(*Reader).fill < main.bufferedServe@/s/buffered.go:12").
		ticks(100, "main.bufferedServe@/s/buffered.go:20").cpu(1000)

	changes, err := Changes(a, b, ChangeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := `-90 % Syscall under net.(*conn).Read  s/raw.go:41
+10 % Syscall under net.(*conn).Read  s/buffered.go:12
+10 % main.bufferedServe  s/buffered.go:20
-10 % main.rawServe  s/raw.go:50
`
	if got := lines(changes); got != want {
		t.Errorf("by site:\n%swant\n%s", got, want)
	}
	why, err := Why(a, b, true, ChangeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want = `-80 % Syscall under net.(*conn).Read  s/raw.go:41
+10 % main.bufferedServe  s/buffered.go:20
-10 % main.rawServe  s/raw.go:50
`
	if got := lines(why); got != want {
		t.Errorf("why:\n%swant\n%s", got, want)
	}
}

func TestChangeIsPerRequest(t *testing.T) {
	// B was sampled for longer and served more; per request it halves f.
	a := buildCPU().ticks(200, "main.f@/s/f.go:1").ticks(200, "main.g@/s/g.go:1").cpu(1000)
	b := buildCPU().ticks(400, "main.f@/s/f.go:2").ticks(800, "main.g@/s/g.go:2").cpu(4000)
	changes, err := Changes(a, b, ChangeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(changes) != 1 {
		t.Fatalf("changes:\n%swant f alone", lines(changes))
	}
	c := changes[0]
	// 200 ticks of 10 ms over 1000 requests, then 400 over 4000; g costs 2 ms in both.
	wantErr := math.Sqrt(200.0/1e6+400.0/16e6) * tick
	if c.A != 2e6 || c.B != 1e6 || c.Delta != -1e6 || c.Share != -25 || math.Abs(c.StdErr-wantErr) > 1e-6 {
		t.Errorf("%+v, want 2 ms -> 1 ms, -25 %%, standard error %v", c, wantErr)
	}
	if c.Line != 1 {
		t.Errorf("line %d, want that of the dearer side", c.Line)
	}
}

// A machine that was half as fast while B was profiled doubles all of B's ticks. The
// CPU clock of paired slices knows better, and then nothing has changed.
func TestKnownCostPerRequestOverridesTheProfile(t *testing.T) {
	a := buildCPU().ticks(400, "main.f@/s/f.go:1").ticks(600, "main.g@/s/g.go:1").cpu(1000)
	b := buildCPU().ticks(800, "main.f@/s/f.go:1").ticks(1200, "main.g@/s/g.go:1").cpu(1000)
	changes, err := Changes(a, b, ChangeOptions{})
	if err != nil || len(changes) != 2 {
		t.Fatalf("without it: %v\n%swant both sites twice as dear", err, lines(changes))
	}
	a.PerRequest, b.PerRequest = 7e6, 7e6
	changes, err = Changes(a, b, ChangeOptions{})
	if err != nil || len(changes) != 0 {
		t.Fatalf("with equal costs: %v\n%swant no change", err, lines(changes))
	}
	b.PerRequest = 14e6
	changes, err = Changes(a, b, ChangeOptions{})
	if err != nil || len(changes) != 2 {
		t.Fatalf("with a known doubling: %v\n%s", err, lines(changes))
	}
	if g := changes[0]; math.Abs(g.A-4.2e6) > 1 || math.Abs(g.B-8.4e6) > 1 || math.Abs(g.Share-60) > 1e-9 {
		t.Errorf("%+v, want 60 %% of 7 ms, twice, a share of 60 %% of A", g)
	}
}

func TestChangeWithinTheNoiseIsDropped(t *testing.T) {
	// 100 against 128 ticks: the difference of 28 is 1.85 standard errors of 15.1;
	// 100 against 130 is 1.98, against 132 it is 2.1.
	for ticks, want := range map[int64]int{100: 0, 128: 0, 130: 0, 132: 1, 0 + 70: 1, 80: 0} {
		a := buildCPU().ticks(100, "main.f").ticks(1000, "main.g").cpu(10)
		b := buildCPU().ticks(ticks, "main.f").ticks(1000, "main.g").cpu(10)
		changes, err := Changes(a, b, ChangeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if len(changes) != want {
			t.Errorf("100 -> %d ticks: %d changes, want %d", ticks, len(changes), want)
		}
	}
}

// Lines are the heaviest of the function that changed most, not of one that costs as
// much on both sides.
func TestWhyShowsTheFunctionThatChanged(t *testing.T) {
	const allocate = "runtime.mallocgc < runtime.newobject < "
	a := buildCPU().
		ticks(500, allocate+"main.header@/s/header.go:3 < main.serve@/s/serve.go:1").
		ticks(200, allocate+"main.decode@/s/decode.go:7 < main.serve@/s/serve.go:2").
		ticks(100, allocate+"main.decode@/s/decode.go:9 < main.serve@/s/serve.go:2").cpu(10)
	b := buildCPU().
		ticks(500, allocate+"main.header@/s/header.go:3 < main.serve@/s/serve.go:1").cpu(10)
	why, err := Why(a, b, true, ChangeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := "-38 % allocation (runtime.mallocgc)  s/decode.go:7\n"
	if got := lines(why); got != want {
		t.Errorf("got %swant %s", got, want)
	}
}

func TestWhyWithTheSameFunctionsStaysAtTheLeaf(t *testing.T) {
	stack := netRead + " < main.(*peer).Read@/s/peer.go:5 < main.serve@/s/serve.go:8"
	a := buildCPU().ticks(900, stack).cpu(10)
	b := buildCPU().ticks(100, stack).cpu(10)
	why, err := Why(a, b, true, ChangeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := lines(why), "-89 % Syscall under net.(*conn).Read  s/peer.go:5\n"; got != want {
		t.Errorf("got %swant %s", got, want)
	}
}

func TestWhyHasRoomForThree(t *testing.T) {
	a, b := buildCPU().ticks(1000, "main.keep"), buildCPU().ticks(1000, "main.keep")
	for _, f := range []string{"main.c", "main.a", "main.b", "main.d"} {
		a.ticks(50, f)
	}
	why, err := Why(a.cpu(1), b.cpu(1), true, ChangeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	// Equal changes come in the order of their names.
	if got, want := lines(why), "-4.2 % main.a\n-4.2 % main.b\n-4.2 % main.c\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// A verdict of "faster" is explained by what became cheaper; of what became dearer one
// is named, and only if it is among the largest changes.
func TestWhyGoesTheWayOfTheVerdict(t *testing.T) {
	a := buildCPU().ticks(1000, "main.keep").ticks(500, "main.a").ticks(400, "main.b").ticks(300, "main.c").ticks(200, "main.d").cpu(1)
	b := buildCPU().ticks(1000, "main.keep").ticks(450, "main.x").ticks(350, "main.y").cpu(1)
	for lower, want := range map[bool]string{
		true:  "-21 % main.a\n+19 % main.x\n-17 % main.b\n-12 % main.c\n",
		false: "-21 % main.a\n+19 % main.x\n+15 % main.y\n",
	} {
		why, err := Why(a, b, lower, ChangeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got := lines(why); got != want {
			t.Errorf("lower %v: got\n%swant\n%s", lower, got, want)
		}
	}
}

func TestWhyLeavesOutASmallChangeAgainstTheVerdict(t *testing.T) {
	a := buildCPU().ticks(1000, "main.keep").ticks(500, "main.a").cpu(1)
	b := buildCPU().ticks(1000, "main.keep").ticks(90, "main.x").cpu(1)
	for lower, want := range map[bool]string{true: "-33 % main.a\n", false: "-33 % main.a\n+6.0 % main.x\n"} {
		why, err := Why(a, b, lower, ChangeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got := lines(why); got != want {
			t.Errorf("lower %v: got\n%swant\n%s", lower, got, want)
		}
	}
}

func TestModuleWithoutDot(t *testing.T) {
	a := buildCPU().ticks(400, "runtime.memmove < shop/cart.add@/s/cart.go:4 < main.main@/s/main.go:1").cpu(1)
	b := buildCPU().ticks(100, "runtime.memmove < shop/cart.add@/s/cart.go:4 < main.main@/s/main.go:1").cpu(1)
	for module, want := range map[string]string{
		"":     "-75 % shop/cart.add  s/main.go:1\n",
		"shop": "-75 % runtime.memmove  s/cart.go:4\n",
	} {
		changes, err := Changes(a, b, ChangeOptions{Module: module})
		if err != nil {
			t.Fatal(err)
		}
		if got := lines(changes); got != want {
			t.Errorf("module %q: got %swant %s", module, got, want)
		}
	}
}

func TestObserverIsNoChangeAndCountsApart(t *testing.T) {
	a := buildCPU().ticks(100, "main.f").ticks(300, "main.honeProbeServe").cpu(10)
	b := buildCPU().ticks(100, "main.f").ticks(10, "runtime/pprof.profileWriter").cpu(10)
	changes, err := Changes(a, b, ChangeOptions{})
	if err != nil || len(changes) != 0 {
		t.Errorf("changes %v, error %v, want none", changes, err)
	}
	total, err := a.Total(ChangeOptions{})
	if want := (Total{PerRequest: 10 * tick, Observer: 30 * tick, Unit: "nanoseconds"}); err != nil || total != want {
		t.Errorf("total %+v, %v, want %+v", total, err, want)
	}
}

func TestChangesRefusesWhatCannotBeCompared(t *testing.T) {
	good := buildCPU().ticks(1, "main.f").cpu(1)
	heap := build("alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes").
		sample("main.f", 1, 1, 1, 1).p
	for _, c := range []struct {
		name string
		b    Capture
		o    ChangeOptions
		want string
	}{
		{"another kind", Capture{Kind: "allocs", Profile: heap, Operations: 1}, ChangeOptions{}, `kinds "cpu" and "allocs"`},
		{"no operations", Capture{Kind: "cpu", Profile: good.Profile}, ChangeOptions{}, "fold profile B: no operations"},
		{"no profile", Capture{Kind: "cpu", Operations: 1}, ChangeOptions{}, "no profile"},
		{"a heap that says cpu", Capture{Kind: "cpu", Profile: heap, Operations: 1}, ChangeOptions{}, `no sample type "cpu"`},
		{"only the probe", buildCPU().ticks(1, "main.honeProbeServe").cpu(1), ChangeOptions{}, "no cpu of the subject's own"},
		{"a difference", buildCPU().ticks(-1, "main.f").cpu(1), ChangeOptions{}, "is a difference"},
		{"other units", build("samples/count", "cpu/microseconds").sample("main.f", 1, 1).cpu(1), ChangeOptions{}, "in microseconds"},
		{"an unknown sample type", good, ChangeOptions{SampleType: "inuse_space"}, "no sample type"},
	} {
		_, err := Changes(good, c.b, c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
	state := Capture{Kind: "heap", Profile: heap, Operations: 1}
	if _, err := Changes(state, state, ChangeOptions{}); err == nil || !strings.Contains(err.Error(), "a state") {
		t.Errorf("bytes in use per request: error %v", err)
	}
	if _, err := Changes(state, state, ChangeOptions{SampleType: "alloc_space"}); err != nil {
		t.Errorf("bytes allocated, from a heap profile: %v", err)
	}
	odd := Capture{Kind: "threads", Profile: heap, Operations: 1}
	if _, err := Changes(odd, odd, ChangeOptions{}); err == nil || !strings.Contains(err.Error(), "unknown kind") {
		t.Errorf("unknown kind: error %v", err)
	}
}

func TestChangeReadsWell(t *testing.T) {
	for want, c := range map[string]Change{
		"-71 % Syscall under net.(*conn).Read  framed/raw.go:41": {Site: Site{What: "Syscall under net.(*conn).Read", File: "/a/framed/raw.go", Line: 41}, Share: -71.2},
		"+2.1 % bytes.Join  framed/raw.go:7":                     {Site: Site{What: "bytes.Join", File: "/a/framed/raw.go", Line: 7}, Share: 2.14},
		"-10 % scheduler (runtime.mcall)":                        {Site: Site{What: "scheduler (runtime.mcall)"}, Share: -9.96},
	} {
		if got := c.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Whatever the profiles: comparing the other way round gives the same changes with
// the other sign, samples in another order give the same answer, and every change
// shown exceeds its noise.
func TestChangesProperties(t *testing.T) {
	stacks := []string{
		"main.f@/s/f.go:1", "main.f@/s/f.go:2 < main.g@/s/g.go:1", netRead + " < main.f@/s/f.go:3",
		netRead + " < main.g@/s/g.go:4", "runtime.scanObject < runtime.gcBgMarkWorker", "main.honeProbeServe",
	}
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) (Capture, Capture) {
			forward, backward := buildCPU().ticks(1, "main.always"), buildCPU()
			n := rapid.SliceOfN(rapid.Int64Range(0, 500), len(stacks), len(stacks)).Draw(t, name)
			for i := range stacks {
				forward.ticks(n[i], stacks[i])
				backward.ticks(n[len(n)-1-i], stacks[len(n)-1-i])
			}
			operations := rapid.Uint64Range(1, 1000).Draw(t, name+" operations")
			return forward.cpu(operations), backward.ticks(1, "main.always").cpu(operations)
		}
		a, a2 := draw("a")
		b, b2 := draw("b")
		for _, by := range []Grouping{BySite, ByWhat} {
			o := ChangeOptions{By: by}
			ab, err1 := Changes(a, b, o)
			ba, err2 := Changes(b, a, o)
			again, err3 := Changes(a2, b2, o)
			if err1 != nil || err2 != nil || err3 != nil {
				t.Fatal(err1, err2, err3)
			}
			if len(ab) != len(ba) || len(ab) != len(again) {
				t.Fatalf("%d changes, %d the other way round, %d in another order", len(ab), len(ba), len(again))
			}
			for i, c := range ab {
				if c.Site != ba[i].Site || c.Delta != -ba[i].Delta {
					t.Fatalf("%+v the other way round is %+v", c, ba[i])
				}
				if c.Site != again[i].Site || math.Abs(c.Delta-again[i].Delta) > 1e-9*math.Abs(c.Delta) {
					t.Fatalf("%+v in another order is %+v", c, again[i])
				}
				if math.Abs(c.Delta) < noiseStdErrs*c.StdErr {
					t.Fatalf("%+v is within the noise", c)
				}
			}
		}
	})
}
