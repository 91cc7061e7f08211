package prof

import (
	"bytes"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/testkit/proftest"
)

var heapTypes = []string{"alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes"}

// values maps each stack's leaf to its sample's values.
func values(p *profile.Profile) map[string][]int64 {
	m := map[string][]int64{}
	for _, s := range p.Sample {
		m[s.Location[0].Line[0].Function.Name] = s.Value
	}
	return m
}

func TestDeltaTakesAllocatedFromBothAndInUseFromAfter(t *testing.T) {
	before := proftest.Build(heapTypes...).
		Sample("main.steady < main.main", 10, 1000, 10, 1000).
		Sample("main.freed < main.main", 5, 50, 5, 50).
		Sample("main.idle < main.main", 3, 30, 0, 0).P
	after := proftest.Build(heapTypes...).
		Sample("main.fresh < main.main", 7, 70, 1, 10).
		Sample("main.steady < main.main", 15, 1500, 8, 800).
		Sample("main.freed < main.main", 5, 50, 2, 20).
		Sample("main.idle < main.main", 3, 30, 0, 0).P
	d, clipped, err := Delta(before, after)
	if err != nil || clipped != 0 {
		t.Fatal(clipped, err)
	}
	want := map[string][]int64{
		"main.fresh":  {7, 70, 1, 10},
		"main.steady": {5, 500, 8, 800}, // in use fell, and that is not a negative number
		"main.freed":  {0, 0, 2, 20},
	}
	got := values(d)
	if len(got) != len(want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for f, w := range want {
		if !slices.Equal(got[f], w) {
			t.Errorf("%s: %v, want %v", f, got[f], w)
		}
	}
	if got := values(after)["main.steady"]; !slices.Equal(got, []int64{15, 1500, 8, 800}) {
		t.Errorf("Delta changed its argument: %v", got)
	}
}

func TestDeltaClipsAndCounts(t *testing.T) {
	before := proftest.Build("contentions/count", "delay/nanoseconds").
		Sample("main.a", 5, 500).Sample("main.b", 5, 500).Sample("main.gone", 1, 0).P
	after := proftest.Build("contentions/count", "delay/nanoseconds").
		Sample("main.a", 6, 400).Sample("main.b", 4, 400).P
	d, clipped, err := Delta(before, after)
	if err != nil {
		t.Fatal(err)
	}
	// The delay of a, both of b, the contentions of gone.
	if clipped != 4 {
		t.Errorf("clipped %d, want 4", clipped)
	}
	if got := values(d); len(got) != 1 || !slices.Equal(got["main.a"], []int64{1, 0}) {
		t.Errorf("got %v, want a alone", got)
	}
}

// The same stacks, but numbered in another order, and the binary mapped elsewhere
// behind a library that was loaded meanwhile.
func TestDeltaMatchesStacksAcrossNumbersAndMappings(t *testing.T) {
	at := func(p *profile.Profile, start uint64, others ...*profile.Mapping) {
		m := &profile.Mapping{Start: start, Limit: start + 0x10000, Offset: 0x1000, File: "/bin/app", BuildID: "one"}
		p.Mapping = append([]*profile.Mapping{m}, others...)
		for i, m := range p.Mapping {
			m.ID = uint64(i + 1)
		}
		for _, l := range p.Location {
			l.Mapping = m
			l.Address = start + uint64(len(l.Line[0].Function.Name))*16
			if l.Line[0].Function.Name == "main.stripped" {
				l.Line = nil
			}
		}
	}
	before := proftest.Build(heapTypes...).
		Sample("main.f < main.main", 1, 10, 0, 0).
		Sample("main.inner + main.g < main.main", 2, 20, 0, 0).
		Sample("main.stripped < main.main", 4, 40, 0, 0).P
	at(before, 0x400000)
	after := proftest.Build(heapTypes...).
		Sample("main.stripped < main.main", 5, 50, 0, 0).
		Sample("main.inner + main.g < main.main", 4, 40, 0, 0).
		Sample("main.f < main.main", 4, 40, 0, 0).P
	at(after, 0x7f0000000000, &profile.Mapping{Start: 0x5000, Limit: 0x6000, File: "/lib/new.so"})
	d, clipped, err := Delta(before, after)
	if err != nil || clipped != 0 {
		t.Fatalf("clipped %d, error %v", clipped, err)
	}
	var got []int64
	for _, s := range d.Sample {
		got = append(got, s.Value[0])
	}
	if want := []int64{1, 2, 3}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v in the order of the later profile", got, want)
	}
}

// Heap samples of one stack differ in the size of the objects, which is a label.
func TestDeltaKeepsLabelsApart(t *testing.T) {
	make := func(small, large int64) *profile.Profile {
		p := proftest.Build(heapTypes...).Sample("main.f", small, small*16, 0, 0).Sample("main.f", large, large*64, 0, 0).P
		for i, size := range []int64{16, 64} {
			p.Sample[i].NumLabel = map[string][]int64{"bytes": {size}}
		}
		return p
	}
	d, clipped, err := Delta(make(10, 100), make(11, 102))
	if err != nil || clipped != 0 {
		t.Fatal(clipped, err)
	}
	if len(d.Sample) != 2 || d.Sample[0].Value[0] != 1 || d.Sample[1].Value[0] != 2 {
		t.Errorf("got %v", d)
	}
}

func TestDeltaOfRealProfiles(t *testing.T) {
	for kind, st := range map[string]string{"allocs": "alloc_space", "mutex": "delay"} {
		before, after := parseFile(t, "before."+kind+".pb.gz"), parseFile(t, "after."+kind+".pb.gz")
		d, clipped, err := Delta(before, after)
		if err != nil {
			t.Fatal(err)
		}
		if clipped != 0 {
			t.Errorf("%s: clipped %d values of a process that only went on", kind, clipped)
		}
		total := func(p *profile.Profile) int64 {
			return topOf(t, p, ViewOptions{Selection: Selection{SampleType: st}, Nodes: 1}).Total
		}
		if got, want := total(d), total(after)-total(before); got != want || got <= 0 {
			t.Errorf("%s: the difference sums to %d, want %d", kind, got, want)
		}
		if d.DurationNanos <= 0 || d.DurationNanos != after.TimeNanos-before.TimeNanos {
			t.Errorf("%s: covers %d ns", kind, d.DurationNanos)
		}
		if _, _, err := Delta(after, before); err == nil {
			t.Errorf("%s: the wrong way round is accepted", kind)
		}
	}
}

//go:noinline
func allocateForTest(n int) [][]byte {
	var kept [][]byte
	for range n {
		kept = append(kept, make([]byte, 1<<20))
	}
	return kept
}

// In this very process: what was allocated between the two profiles is what Delta
// says was, at its function.
func TestDeltaOfThisProcess(t *testing.T) {
	take := func() *profile.Profile {
		runtime.GC() // twice: allocations show after the collection that follows them
		runtime.GC()
		var b bytes.Buffer
		if err := pprof.Lookup("allocs").WriteTo(&b, 0); err != nil {
			t.Fatal(err)
		}
		p, err := Parse(&b, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	runtime.KeepAlive(allocateForTest(3))
	before := take()
	kept := allocateForTest(64)
	after := take()
	runtime.KeepAlive(kept)
	d, _, err := Delta(before, after)
	if err != nil {
		t.Fatal(err)
	}
	var got int64
	for _, row := range topOf(t, d, ViewOptions{Selection: Selection{SampleType: "alloc_space"}}).Rows {
		if strings.HasSuffix(row.Function, ".allocateForTest") {
			got = row.Flat
		}
	}
	// An object of twice the sampling period is missed with probability exp(-2); of 64
	// the estimate's standard deviation is 3.2, hence room for six of those.
	if got < 45<<20 || got > 83<<20 {
		t.Errorf("allocated 64 MiB, Delta says %.1f MiB", float64(got)/(1<<20))
	}
}

func TestDeltaRefuses(t *testing.T) {
	heap := proftest.Build(heapTypes...).Sample("main.f", 1, 1, 1, 1).P
	mutex := proftest.Build("contentions/count", "delay/nanoseconds").Sample("main.f", 1, 1).P
	cpu := proftest.BuildCPU().Ticks(1, "main.f").P
	bad := proftest.Build(heapTypes...).Sample("main.f", 1).P
	binary := func(id string) *profile.Profile {
		p := proftest.Build(heapTypes...).Sample("main.f", 1, 1, 1, 1).P
		p.Mapping = []*profile.Mapping{{ID: 1, BuildID: id}}
		return p
	}
	for _, c := range []struct {
		name          string
		before, after *profile.Profile
		want          string
	}{
		{"unlike kinds", heap, mutex, "sample types"},
		{"a CPU profile", cpu, cpu, "do not count since the start"},
		{"two binaries", binary("one"), binary("two"), "build ids one and two"},
		{"an invalid profile", heap, bad, "mismatch"},
		{"nothing", nil, heap, "no profile"},
	} {
		_, _, err := Delta(c.before, c.after)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
}
