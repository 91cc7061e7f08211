package chains_test

import (
	"runtime"
	"slices"
	"testing"

	"github.com/gohone/hone/internal/store/series"
	"github.com/gohone/hone/internal/store/series/chains"
	"github.com/gohone/hone/internal/store/series/seriestest"
)

// Two years of 500 benchmarks with four measures fit into little memory.
func TestTwoYearsInMemory(t *testing.T) {
	points := seriestest.Nights(730, 500)
	for i := range points {
		points[i].Values = slices.Clone(points[i].Values)
		for _, v := range slices.Clone(points[i].Values) {
			for _, m := range []string{"bytes", "allocs", "instructions"} {
				v.Measure = m
				points[i].Values = append(points[i].Values, v)
			}
		}
		p, err := series.Identify(points[i])
		if err != nil {
			t.Fatal(err)
		}
		points[i] = p
	}
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	all, _, err := chains.Read(points, chains.Options{})
	if err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	mib := float64(after.HeapAlloc-before.HeapAlloc) / (1 << 20)
	t.Logf("%d chains: %.0f MiB", len(all), mib)
	if mib > 170 {
		t.Errorf("%.0f MiB", mib)
	}
	runtime.KeepAlive(points)
	runtime.KeepAlive(all)
}
