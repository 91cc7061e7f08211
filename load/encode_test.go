package load

import (
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"
	"pgregory.net/rapid"
)

// What we encode, the library reads back; and it is what the library itself encodes.
func TestHistogramsAreEncodedLosslessly(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		h := hdrhistogram.New(1, rapid.Int64Range(2, latencyMax).Draw(r, "highest"),
			rapid.IntRange(1, 3).Draw(r, "digits"))
		for range rapid.IntRange(0, 30).Draw(r, "values") {
			v := rapid.Int64Range(0, h.HighestTrackableValue()).Draw(r, "value")
			if err := h.RecordValues(v, rapid.Int64Range(1, 1<<40).Draw(r, "times")); err != nil {
				r.Fatal(err)
			}
		}
		ours, err := EncodeHistogram(h)
		if err != nil {
			r.Fatal(err)
		}
		got, err := hdrhistogram.Decode(ours)
		if err != nil {
			r.Fatal(err)
		}
		theirs, err := h.Encode(hdrhistogram.V2CompressedEncodingCookieBase)
		if err != nil {
			r.Fatal(err)
		}
		want, err := hdrhistogram.Decode(theirs)
		if err != nil {
			r.Fatal(err)
		}
		if !got.Equals(h) || !want.Equals(got) {
			r.Fatalf("%d values of %d come back, %d by the library", got.TotalCount(), h.TotalCount(),
				want.TotalCount())
		}
	})
}

func BenchmarkEncodeHistogram(b *testing.B) {
	h := newHistogram()
	for i := range int64(20_000) {
		record(h, 10_000+i*i%90_000, 1)
	}
	b.Run("ours", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := EncodeHistogram(h); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("library", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := h.Encode(hdrhistogram.V2CompressedEncodingCookieBase); err != nil {
				b.Fatal(err)
			}
		}
	})
}
