package diff

import (
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/testkit/proftest"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/internal/capturetest"
	"github.com/gohone/hone/prof/internal/sampled"
)

// Profiles of any tool are compared by a type that both have, divided by what is known; else the error names both
// lists.
func TestDiffOfAnyTwoProfiles(t *testing.T) {
	const grows, stays = "main.grows < main.main", "main.stays < main.main"
	of := func(b *proftest.Builder, seconds int64) prof.Capture {
		b.P.DurationNanos = seconds * 1e9
		return prof.Capture{Kind: prof.KindOf(b.P), Profile: b.P}
	}
	heap := func(n int64) *proftest.Builder {
		return proftest.Build("alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes").
			Sample(grows, 10*n, 1000*n, n, 100*n).Sample(stays, 90, 9000, 5, 500)
	}
	fgprof := func(n int64) *proftest.Builder {
		return proftest.Build("samples/count", "time/nanoseconds").Sample(grows, n, n*1000).Sample(stays, 50, 50_000)
	}
	both := "A has samples/count, time/nanoseconds; B has "
	for _, c := range []struct {
		name       string
		a, b       prof.Capture
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
			of(proftest.Build("inuse_space/bytes").Sample(grows, 90_000).Sample(stays, 500), 0), "", "inuse_space", 80_000, ""},
		{"types in another order", of(proftest.Build("cpu/nanoseconds", "wall/nanoseconds").Sample(grows, 100, 7), 1),
			of(proftest.Build("wall/nanoseconds", "cpu/nanoseconds").Sample(grows, 7, 900), 1), "cpu", "cpu per second", 800,
			""},
		{"threads", of(proftest.Build("threadcreate/count").Sample(grows, 2), 0),
			of(proftest.Build("threadcreate/count").Sample(grows, 52), 0), "", "threadcreate", 50, ""},
		{"two units", of(fgprof(1), 1), of(proftest.Build("samples/count", "time/microseconds").Sample(grows, 1, 1), 1), "", "",
			0, "time has two units: " + both + "samples/count, time/microseconds"},
		{"nothing in common", of(fgprof(1), 1), of(proftest.Build("space/bytes").Sample(grows, 1), 1), "", "", 0,
			"no sample type is in both: " + both + "space/bytes"},
		{"not what is asked for", of(fgprof(1), 1), of(fgprof(1), 1), "cpu", "", 0,
			`sample type "cpu" is not in both: ` + both + "samples/count, time/nanoseconds"},
	} {
		a, b := []prof.Capture{c.a}, []prof.Capture{c.b}
		d, err := New(a, b, Options{SampleType: c.asked, Basis: prof.UsualBasis(a, b, c.asked)})
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
	heap := func(objects int64) []prof.Capture {
		b := proftest.Build("alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes").
			Sample("main.f < main.main", 1e6, 1e6*rate, objects, objects*rate)
		b.P.Period = rate
		return []prof.Capture{{Kind: "heap", Profile: b.P}}
	}
	for objects, want := range map[int64]Word{24: Same, 200: Dearer} {
		d, err := New(heap(20), heap(objects), Options{Basis: prof.Raw})
		if err != nil || d.Whole.Word != want {
			t.Errorf("20 objects of a sample each, then %d: %+v (%v), want %s", objects, d.Whole, err, want)
		}
	}
}

// Values without a count of samples stand for a period each, or are taken as they are.
func TestNoiseWithoutCounts(t *testing.T) {
	b := proftest.Build("cpu/nanoseconds").Sample("main.f", 50*proftest.Tick)
	if v := sampled.Variance(b.P, 0)(b.P.Sample[0]); v != 0 {
		t.Errorf("without a period: %v", v)
	}
	b.P.PeriodType, b.P.Period = b.P.SampleType[0], proftest.Tick
	if v, want := sampled.Variance(b.P, 0)(b.P.Sample[0]), float64(50*proftest.Tick*proftest.Tick); v != want {
		t.Errorf("50 periods: %v, want %v", v, want)
	}
}

func TestSubtract(t *testing.T) {
	base := capturetest.CPU(proftest.BuildCPU().Ticks(30, "main.a < main.main").Ticks(10, "main.b < main.main"), 100)
	c := capturetest.CPU(proftest.BuildCPU().Ticks(90, "main.a < main.main").Ticks(5, "main.c < main.main"), 0)
	for _, x := range []struct {
		operations  uint64
		factor      float64
		total, a, b int64
	}{
		{0, 0, 75, 60, -10}, // go tool pprof -base: 600 ms, -100 ms and 50 ms of 750 ms
		{200, 2, 55, 30, -20},
	} {
		c.Operations = x.operations
		diff, factor, err := prof.Subtract(c, base)
		if err != nil || factor != x.factor {
			t.Errorf("%v, %v", factor, err)
			continue
		}
		top := topOfAll(t, diff)
		got := map[string]int64{}
		for _, r := range top.Rows {
			got[r.Function] = r.Flat / proftest.Tick
		}
		if top.Total != x.total*proftest.Tick || got["main.a"] != x.a || got["main.b"] != x.b || got["main.c"] != 5 {
			t.Errorf("for %d requests: %v of %d", x.operations, got, top.Total/proftest.Tick)
		}
	}
	if len(base.Profile.Sample) != 2 || base.Profile.Sample[0].Value[1] != 30*proftest.Tick {
		t.Error("the base was changed")
	}
	for _, x := range []struct{ other, want string }{
		{"time/nanoseconds",
			"no sample type is in both: the profile has samples/count, cpu/nanoseconds; the base has time/nanoseconds"},
		{"cpu/microseconds", "cpu has two units: "},
	} {
		_, _, err := prof.Subtract(c, prof.Capture{Profile: proftest.Build(x.other).Sample("main.a", 1).P})
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v", x.other, err)
		}
	}
}

func topOfAll(t *testing.T, p *profile.Profile) *prof.Top {
	t.Helper()
	v, err := prof.ViewNamed("top")
	if err != nil {
		t.Fatal(err)
	}
	d, err := v.Show(p, prof.ViewOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return d.(*prof.Top)
}
