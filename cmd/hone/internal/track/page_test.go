package track

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/gohone/hone/internal/store/series"
	"github.com/gohone/hone/internal/store/series/chains"
)

// A page of two years with 500 benchmarks has at most 2 MB. A night measures a tenth of them: the others execute nothing
// that changed.
func TestPageOfTwoYears(t *testing.T) {
	const nights, benchmarks, most = 730, 500, 2 << 20
	rng := rand.New(rand.NewPCG(59, 3))
	began := time.Date(2024, 11, 1, 3, 0, 0, 0, time.UTC)
	var points []series.Point
	var base *series.Commit
	for night := range nights {
		c := series.Commit{Hash: fmt.Sprintf("%040x", rng.Uint64()), Time: began.AddDate(0, 0, night), Author: "Ada",
			Subject: fmt.Sprintf("change %d of the parser", night)}
		p := series.Point{ID: fmt.Sprint(night), Branch: "main", Subject: "bench", Commit: c, Base: base}
		for i := range benchmarks {
			v := series.Value{Name: fmt.Sprintf("example.com/app/part%d.Work/case%d", i/20, i), Measure: "time",
				State: series.Unchanged}
			if (night+i)%10 == 0 {
				v.State, v.Ratio, v.Confidence = series.Measured, math.Exp(0.004*rng.NormFloat64()), 0.95
				if night == 400 && i%100 == 0 {
					v.Ratio, v.Verdict, v.Confirmed = 1.08, "slower", true
				}
				v.Low, v.High = v.Ratio*0.99, v.Ratio*1.01
			}
			if base != nil {
				p.Values = append(p.Values, v)
			}
		}
		points, base = append(points, p), &c
	}
	start := time.Now()
	h, err := chains.HistoryOf("two years", series.Content{Points: points}, chains.Query{}, chains.Options{},
		chains.StepOptions{})
	if err != nil {
		t.Fatal(err)
	}
	read := time.Since(start)
	path, err := WritePage(t.TempDir(), h)
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
	if keep := os.Getenv("HONE_KEEP_PAGE"); keep != "" {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(keep, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
