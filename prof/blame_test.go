package prof

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/testkit/proftest"
)

var heapTypesForBlame = []string{"alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes"}

// blamed is a program that spends 40 ticks of its own, 5 in the allocator, 5 assisting,
// and has 50 of background work; compress allocates nine tenths of the bytes.
func blamed() (cpu, allocs Capture, heap *profile.Profile) {
	cpu = cpuOf(proftest.BuildCPU().
		Ticks(30, "main.compress@main.go:10 < main.main@main.go:1").
		Ticks(10, "main.parse@main.go:20 < main.main@main.go:1").
		Ticks(5, "runtime.mallocgc < compress/flate.NewWriter < main.compress@main.go:11 < main.main@main.go:1").
		Ticks(5, "runtime.gcAssistAlloc < runtime.mallocgc < main.parse@main.go:21 < main.main@main.go:1").
		Ticks(30, "runtime.scanobject < runtime.gcDrain < runtime.gcBgMarkWorker.func2 < runtime.systemstack < runtime.gcBgMarkWorker").
		Ticks(10, "runtime.scanobject < runtime.gcDrainMarkWorkerIdle < runtime.gcBgMarkWorker.func2 < runtime.systemstack < runtime.gcBgMarkWorker").
		Ticks(8, "runtime.sweepone < runtime.bgsweep").
		Ticks(2, "runtime.madvise < runtime.(*pageAlloc).scavengeOne < runtime.bgscavenge").
		Ticks(100, "runtime.mallocgc < main.honeProbeServe"), 1000)
	b := proftest.Build(heapTypesForBlame...).
		Sample("compress/flate.NewWriter < main.compress@main.go:11 < main.main@main.go:1", 100, 9_000_000, 1, 100).
		Sample("main.parse@main.go:21 < main.main@main.go:1", 900, 1_000_000, 3, 300).
		Sample("main.honeProbeServe", 5, 5_000_000, 0, 0)
	allocs = Capture{Kind: "allocs", Profile: b.P, Operations: 1000}
	return cpu, allocs, b.P
}

func siteAt(t *testing.T, b *Blame, function string, line int64) BlamedSite {
	t.Helper()
	for _, s := range b.Sites {
		if s.Function == function && s.Line == line {
			return s
		}
	}
	t.Fatalf("no site %s:%d in %+v", function, line, b.Sites)
	return BlamedSite{}
}

func TestBlameHandsTheCollectorToThoseWhoAllocate(t *testing.T) {
	cpu, allocs, heap := blamed()
	b, err := NewBlame(cpu, allocs, heap, BlameOptions{})
	if err != nil {
		t.Fatal(err)
	}
	const perTick = proftest.Tick / 1000.0 // nanoseconds per request
	if b.Total != 100*perTick || b.Collector.Mark != 40*perTick || b.Collector.Idle != 10*perTick ||
		b.Collector.Sweep != 8*perTick || b.Collector.Scavenge != 2*perTick || b.Collector.Assist != 5*perTick ||
		b.Collector.Malloc != 5*perTick || math.Abs(b.Collector.Share-55) > 1e-9 {
		t.Errorf("total %v, collector %+v", b.Total/perTick, b.Collector)
	}
	first := b.Sites[0]
	if first.Function != "main.compress" || first.Line != 11 || first.Via != "compress/flate.NewWriter" {
		t.Errorf("the first site is %+v", first)
	}
	if first.Blame != 45*perTick || first.Own != 5*perTick || first.Malloc != 5*perTick || first.True != 50*perTick ||
		first.ByteShare != 90 || first.LiveShare != 25 || first.Bytes != 9000 {
		t.Errorf("compress: %+v", first)
	}
	parse := siteAt(t, b, "main.parse", 21)
	if parse.Blame != 5*perTick || parse.Assist != 5*perTick || parse.Via != "" {
		t.Errorf("parse: %+v", parse)
	}
	sum := 0.0
	for _, s := range b.Sites {
		sum += s.True
		if strings.Contains(s.Function, "honeProbe") {
			t.Errorf("the probe is blamed: %+v", s)
		}
	}
	if math.Abs(sum-b.Total) > 1e-6*b.Total {
		t.Errorf("true costs add up to %v of %v", sum, b.Total)
	}
}

func TestBlameByFunctionAndPackage(t *testing.T) {
	cpu, allocs, _ := blamed()
	b, err := NewBlame(cpu, allocs, nil, BlameOptions{Level: BlameFunction})
	if err != nil {
		t.Fatal(err)
	}
	if s := b.Sites[0]; s.Function != "main.compress" || s.Line != 0 || s.Own != 35*proftest.Tick/1000 {
		t.Errorf("by function: %+v", s)
	}
	if b, err = NewBlame(cpu, allocs, nil, BlameOptions{Level: BlamePackage}); err != nil {
		t.Fatal(err)
	}
	if len(b.Sites) != 1 || b.Sites[0].Package != "main" || b.Sites[0].True != b.Total {
		t.Errorf("by package: %+v", b.Sites)
	}
}

// High in both: compress has 30 of 40 ticks at one line and the bytes at the next, so by
// function it comes first.
func TestHotIsHighInBoth(t *testing.T) {
	cpu, allocs, _ := blamed()
	b, err := NewBlame(cpu, allocs, nil, BlameOptions{Level: BlameFunction})
	if err != nil {
		t.Fatal(err)
	}
	hot := b.Hot()
	if len(hot) != 2 || hot[0].Function != "main.compress" || hot[1].Function != "main.parse" {
		t.Errorf("%+v", hot)
	}
}

func TestBlameRefuses(t *testing.T) {
	cpu, allocs, _ := blamed()
	if _, err := NewBlame(allocs, cpu, nil, BlameOptions{}); err == nil {
		t.Error("kinds the wrong way round are accepted")
	}
	if _, err := NewBlame(cpu, allocs, nil, BlameOptions{Level: "file"}); err == nil {
		t.Error("an unknown level is accepted")
	}
	none := Capture{Kind: "allocs", Profile: proftest.Build(heapTypesForBlame...).P, Operations: 1}
	if _, err := NewBlame(cpu, none, nil, BlameOptions{}); !errors.Is(err, ErrNothingAllocated) {
		t.Errorf("nothing allocated: %v", err)
	}
	cpu.Operations = 0
	if _, err := NewBlame(cpu, allocs, nil, BlameOptions{}); err == nil {
		t.Error("no operations, and no error")
	}
	if _, err := NewBlame(cpu, allocs, nil, BlameOptions{Basis: Raw}); err != nil {
		t.Errorf("raw: %v", err)
	}
}
