package series

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"
)

// nightOf is a point of 500 benchmarks with three measures each, of which ten were measured.
func nightOf(n int) Point {
	const benchmarks, measured = 500, 10
	p := pointOf("main", n)
	p.At, p.Values = day.AddDate(0, 0, n), nil
	for i := range benchmarks {
		for _, m := range []string{"allocs", "bytes", "time"} {
			v := Value{Name: fmt.Sprintf("github.com/owner/project/internal/part%d.BenchmarkWork/case=%d", i/20, i), Measure: m,
				Unit: "ns", State: Unchanged}
			if (i+n*measured)%benchmarks < measured {
				noise := 1 + 1e-5*float64((i*7919+n*104729)%1000)
				v = Value{Name: v.Name, Measure: m, Unit: "ns", State: Measured, Ratio: 1.0012 * noise, Low: 0.9934 * noise,
					High: 1.0091 * noise, Confidence: 0.95, Verdict: "no change", Absolute: 12345.678 * noise}
			}
			p.Values = append(p.Values, v)
		}
	}
	return p
}

// A night of 500 benchmarks, of which ten were measured, is small, and so are two years of them in memory.
func TestTwoYearsAreSmall(t *testing.T) {
	const nights, most = 730, 26_000
	dir := t.TempDir()
	s := OpenDir(dir)
	all := make([]Point, nights)
	for n := range all {
		all[n] = nightOf(n)
	}
	must(t, s.Append(t.Context(), all[:nights-1], nil))
	began := time.Now()
	must(t, s.Append(t.Context(), all[nights-1:], nil))
	appended := time.Since(began)
	all = nil
	size := int64(0)
	names, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	must(t, err)
	for _, name := range names {
		info, err := os.Stat(name)
		must(t, err)
		size += info.Size()
	}
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began = time.Now()
	content := readStore(t, s)
	read := time.Since(began)
	runtime.GC()
	runtime.ReadMemStats(&after)
	t.Logf("%d nights: %d bytes each, in %d files; %v to append the last, %v to read all, which are %.1f MB in memory", nights,
		size/nights, len(names), appended.Round(time.Millisecond), read.Round(time.Millisecond),
		float64(after.HeapAlloc-before.HeapAlloc)/1e6)
	if size/nights > most || len(content.Points) != nights || len(content.Faults) > 0 {
		t.Errorf("%d bytes a night, %d points, faults %v", size/nights, len(content.Points), content.Faults)
	}
	for v := range content.Points[17].All() {
		if want := nightOf(17).Values; !slices.ContainsFunc(want, func(w Value) bool { return w.Name == v.Name && w.Measure == v.Measure && w.State == v.State }) {
			t.Fatalf("value %+v was not written", v)
		}
	}
}
