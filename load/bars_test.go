package load

import (
	"slices"
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"
	"pgregory.net/rapid"
)

// histogramOf draws a histogram of any range with a few values.
func histogramOf(r *rapid.T) *hdrhistogram.Histogram {
	lowest := rapid.Int64Range(1, 5000).Draw(r, "lowest")
	h := hdrhistogram.New(lowest, rapid.Int64Range(2*lowest, latencyMax).Draw(r, "highest"),
		rapid.IntRange(1, 4).Draw(r, "digits"))
	for range rapid.IntRange(0, 30).Draw(r, "values") {
		v := rapid.Int64Range(0, h.HighestTrackableValue()).Draw(r, "value")
		if err := h.RecordValues(v, rapid.Int64Range(1, 1<<40).Draw(r, "times")); err != nil {
			r.Fatal(err)
		}
	}
	return h
}

// Bars are the library's bars, and their sum is the library's sum.
func TestBarsAreTheLibrarysThatAreNotEmpty(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		h := histogramOf(r)
		want := slices.DeleteFunc(h.Distribution(), func(b hdrhistogram.Bar) bool { return b.Count == 0 })
		if got := Bars(h); !slices.Equal(got, want) {
			r.Fatalf("bars %v, want %v", got, want)
		}
		if sum := SumHistograms(SumHistograms(nil, h), h); sum.TotalCount() != 2*h.TotalCount() ||
			sum.Max() != h.Max() || sum.Min() != h.Min() {
			r.Fatalf("twice %d is %d", h.TotalCount(), sum.TotalCount())
		}
	})
	if Bars(nil) != nil {
		t.Error("no histogram has bars")
	}
}

// A histogram that comes back from a released slice is empty.
func TestAReleasedHistogramIsEmpty(t *testing.T) {
	s := Slice{Latencies: Latencies{Service: newHistogram()}}
	record(s.Service, 12345, 6)
	s.Release()
	if s.Service != nil {
		t.Error("the slice still has its histogram")
	}
	for range 3 { // the pool may give any of them
		if h := newHistogram(); h.TotalCount() != 0 || h.Max() != 0 || len(Bars(h)) > 0 {
			t.Errorf("a new histogram has %d values up to %d", h.TotalCount(), h.Max())
		}
	}
}

func BenchmarkBars(b *testing.B) {
	h := newHistogram()
	for i := range int64(300) {
		record(h, 1_000_000+i*i%90_000, 1)
	}
	b.Run("ours", func(b *testing.B) {
		for b.Loop() {
			Bars(h)
		}
	})
	b.Run("library", func(b *testing.B) {
		for b.Loop() {
			h.Distribution()
		}
	})
}
