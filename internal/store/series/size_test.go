package series

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"syscall"
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
	began := cpuTime(t)
	must(t, s.Append(t.Context(), all[nights-1:], nil))
	appended := cpuTime(t) - began
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
	began = cpuTime(t)
	content := readStore(t, s)
	read := cpuTime(t) - began
	runtime.GC()
	runtime.ReadMemStats(&after)
	t.Logf("%d nights: %d bytes each, in %d files; to append the last %v, to read all %v of CPU time, which are %.1f MB in memory",
		nights, size/nights, len(names), appended.Round(time.Millisecond), read.Round(time.Millisecond),
		float64(after.HeapAlloc-before.HeapAlloc)/1e6)
	if size/nights > most || len(content.Points) != nights || len(content.Faults) > 0 {
		t.Errorf("%d bytes a night, %d points, faults %v", size/nights, len(content.Points), content.Faults)
	}
	want := nightOf(17)
	want.shorten()
	if got := content.Points[17]; len(got.Values) != 30 || !reflect.DeepEqual(got.Unchanged, want.Unchanged) {
		t.Errorf("%d values, unchanged %+.200v, want %+.200v", len(got.Values), got.Unchanged, want.Unchanged)
	}
}

// cpuTime is that of this process: others share the machine.
func cpuTime(t *testing.T) time.Duration {
	var u syscall.Rusage
	must(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
