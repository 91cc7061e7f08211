package track

import (
	"os"
	"testing"
	"time"

	"github.com/gohone/hone/internal/store/series"
	"github.com/gohone/hone/internal/store/series/chains"
	"github.com/gohone/hone/internal/store/series/seriestest"
)

// A page of two years with 500 benchmarks has at most 2 MB.
func TestPageOfTwoYears(t *testing.T) {
	const nights, benchmarks, most = 730, 500, 2 << 20
	start := time.Now()
	h, err := chains.HistoryOf("two years", series.Content{Points: seriestest.Nights(nights, benchmarks)}, chains.Query{}, chains.Options{},
		chains.StepOptions{})
	if err != nil {
		t.Fatal(err)
	}
	read := time.Since(start)
	path, err := (kept{t.TempDir(), series.OpenDir(t.TempDir())}).write(t.Context(), t.TempDir(), h)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d series of %d commits: read in %v, written in %v, %d kB", len(h.Lines), nights, read, time.Since(start)-read,
		info.Size()>>10)
	if len(h.Lines) != benchmarks || info.Size() > most {
		t.Errorf("%d series, %d bytes; want %d, at most %d", len(h.Lines), info.Size(), benchmarks, most)
	}
}
