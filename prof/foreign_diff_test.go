package prof

import (
	"strings"
	"testing"
)

// Profiles of any tool are compared by a type that both have, divided by what is known; else the error names both
// lists.
func TestDiffOfAnyTwoProfiles(t *testing.T) {
	const grows, stays = "main.grows < main.main", "main.stays < main.main"
	of := func(b *builder, seconds int64) Capture {
		b.p.DurationNanos = seconds * 1e9
		return Capture{Kind: guessKind(b.p), Profile: b.p}
	}
	heap := func(n int64) *builder {
		return build("alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes").
			sample(grows, 10*n, 1000*n, n, 100*n).sample(stays, 90, 9000, 5, 500)
	}
	fgprof := func(n int64) *builder {
		return build("samples/count", "time/nanoseconds").sample(grows, n, n*1000).sample(stays, 50, 50_000)
	}
	both := "A has samples/count, time/nanoseconds; B has "
	for _, c := range []struct {
		name       string
		a, b       Capture
		asked      string
		sampleType string // and the basis
		delta      float64
		err        string
	}{
		{"another tool", of(fgprof(100), 10), of(fgprof(900), 10), "", "time per second", 80_000, ""},
		{"without a time", of(fgprof(100), 0), of(fgprof(900), 0), "", "time", 800_000, ""},
		{"its other type", of(fgprof(100), 10), of(fgprof(900), 10), "samples", "samples per second", 80, ""},
		{"live heaps", of(heap(100), 10), of(heap(900), 10), "", "inuse_space", 80_000, ""},
		{"what heaps allocated", of(heap(100), 10), of(heap(900), 10), "alloc_space", "alloc_space per second", 80_000,
			""},
		{"heap and a part of it", of(heap(100), 0),
			of(build("inuse_space/bytes").sample(grows, 90_000).sample(stays, 500), 0), "", "inuse_space", 80_000, ""},
		{"types in another order", of(build("cpu/nanoseconds", "wall/nanoseconds").sample(grows, 100, 7), 1),
			of(build("wall/nanoseconds", "cpu/nanoseconds").sample(grows, 7, 900), 1), "cpu", "cpu per second", 800,
			""},
		{"threads", of(build("threadcreate/count").sample(grows, 2), 0),
			of(build("threadcreate/count").sample(grows, 52), 0), "", "threadcreate", 50, ""},
		{"two units", of(fgprof(1), 1), of(build("samples/count", "time/microseconds").sample(grows, 1, 1), 1), "", "",
			0, "time has two units: " + both + "samples/count, time/microseconds"},
		{"nothing in common", of(fgprof(1), 1), of(build("space/bytes").sample(grows, 1), 1), "", "", 0,
			"no sample type is in both: " + both + "space/bytes"},
		{"not what is asked for", of(fgprof(1), 1), of(fgprof(1), 1), "cpu", "", 0,
			`sample type "cpu" is not in both: ` + both + "samples/count, time/nanoseconds"},
	} {
		a, b := []Capture{c.a}, []Capture{c.b}
		d, err := NewDiff(a, b, DiffOptions{SampleType: c.asked, Basis: UsualBasis(a, b, c.asked)})
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v, want %q", c.name, err, c.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := d.SampleType + d.Basis.Per(); got != c.sampleType || d.Whole.Delta != c.delta {
			t.Errorf("%s: %s grew by %v, want %s by %v", c.name, got, d.Whole.Delta, c.sampleType, c.delta)
		}
	}
}

// The noise of the live heap is that of its own objects, and not of all that were ever allocated.
func TestLiveHeapHasItsOwnNoise(t *testing.T) {
	const rate = 512 << 10
	heap := func(objects int64) []Capture {
		b := build("alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes").
			sample("main.f < main.main", 1e6, 1e6*rate, objects, objects*rate)
		b.p.Period = rate
		return []Capture{{Kind: "heap", Profile: b.p}}
	}
	for objects, want := range map[int64]Word{24: Same, 200: Dearer} {
		d, err := NewDiff(heap(20), heap(objects), DiffOptions{Basis: Raw})
		if err != nil || d.Whole.Word != want {
			t.Errorf("20 objects of a sample each, then %d: %+v (%v), want %s", objects, d.Whole, err, want)
		}
	}
}

// Values without a count of samples stand for a period each, or are taken as they are.
func TestNoiseWithoutCounts(t *testing.T) {
	b := build("cpu/nanoseconds").sample("main.f", 50*tick)
	if v := variance(b.p, 0)(b.p.Sample[0]); v != 0 {
		t.Errorf("without a period: %v", v)
	}
	b.p.PeriodType, b.p.Period = b.p.SampleType[0], tick
	if v, want := variance(b.p, 0)(b.p.Sample[0]), float64(50*tick*tick); v != want {
		t.Errorf("50 periods: %v, want %v", v, want)
	}
}

func TestSubtract(t *testing.T) {
	base := buildCPU().ticks(30, "main.a < main.main").ticks(10, "main.b < main.main").cpu(100)
	c := buildCPU().ticks(90, "main.a < main.main").ticks(5, "main.c < main.main").cpu(0)
	for _, x := range []struct {
		operations  uint64
		factor      float64
		total, a, b int64
	}{
		{0, 0, 75, 60, -10}, // go tool pprof -base: 600 ms, -100 ms and 50 ms of 750 ms
		{200, 2, 55, 30, -20},
	} {
		c.Operations = x.operations
		diff, factor, err := Subtract(c, base)
		if err != nil || factor != x.factor {
			t.Errorf("%v, %v", factor, err)
			continue
		}
		top := topOf(t, diff, ViewOptions{})
		got := map[string]int64{}
		for _, r := range top.Rows {
			got[r.Function] = r.Flat / tick
		}
		if top.Total != x.total*tick || got["main.a"] != x.a || got["main.b"] != x.b || got["main.c"] != 5 {
			t.Errorf("for %d requests: %v of %d", x.operations, got, top.Total/tick)
		}
	}
	if len(base.Profile.Sample) != 2 || base.Profile.Sample[0].Value[1] != 30*tick {
		t.Error("the base was changed")
	}
	for _, x := range []struct{ other, want string }{
		{"time/nanoseconds",
			"no sample type is in both: the profile has samples/count, cpu/nanoseconds; the base has time/nanoseconds"},
		{"cpu/microseconds", "cpu has two units: "},
	} {
		_, _, err := Subtract(c, Capture{Profile: build(x.other).sample("main.a", 1).p})
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v", x.other, err)
		}
	}
}
