package loadtest_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gohone/hone/internal/conduct/loadtest"
	"github.com/gohone/hone/internal/judge/limit"
	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/load"
)

// bench is a target whose p99 is 5 ms up to a rate and 80 ms over it, on a machine that disturbs a share of the tries.
type bench struct {
	highestHz, ceilingHz float64
	disturbed            float64
	late                 bool // the generator is late where it is disturbed
	random               *rand.Rand
}

func (b *bench) try(s load.Schedule) (*recording.Recording, error) {
	time.Sleep(s.Length())
	rate, latency, lag := b.ceilingHz, 5*time.Millisecond, time.Microsecond
	if s.Open() {
		if rate = s.Stages[0].From; rate > b.highestHz {
			latency = 80 * time.Millisecond
		}
		if b.random.Float64() < b.disturbed {
			if latency = 60 * time.Millisecond; b.late {
				lag = 50 * time.Millisecond
			}
		}
	}
	n := int64(rate * s.Length().Seconds())
	of := func(value time.Duration) *hdrhistogram.Histogram {
		h := hdrhistogram.New(1, int64(time.Second), 2)
		_ = h.RecordValues(int64(value), n)
		return h
	}
	rec := recording.New(recording.Header{Setup: recording.Setup{Plan: load.Plan{Connections: 4, Depth: 1},
		Schedule: s}})
	slice := load.Slice{Duration: s.Length(), Latencies: load.Latencies{Service: of(latency)},
		Connections: load.Connections{Live: 4},
		Counts:      load.Counts{Scheduled: uint64(n), Sent: uint64(n), Answered: uint64(n)}}
	if s.Open() {
		slice.Response, slice.Lag = of(latency), of(lag)
	}
	rec.Final.Counts = slice.Counts
	return rec, rec.Add(slice)
}

func (b *bench) search(t *testing.T, seed uint64, within time.Duration) (out *loadtest.Result, took time.Duration,
	err error) {
	t.Helper()
	kept, err := limit.ParseThreshold("p99<10ms")
	if err != nil {
		t.Fatal(err)
	}
	b.random = rand.New(rand.NewPCG(seed, 9))
	r := short("http://127.0.0.1:1", load.ClosedLoop(within))
	r.FindMax, r.Duration = []limit.Threshold{kept}, within
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		by := loadtest.Searching{Probe: b.try, Measure: b.try}
		out, err = tester().Search(t.Context(), r, by)
		took = time.Since(began)
	})
	return out, took, err
}

// A search ends near the highest rate also where a fifth of the tries is disturbed, and takes the time that it was
// given.
func TestASearchStandsUpToDisturbedTries(t *testing.T) {
	for _, b := range []*bench{
		{highestHz: 4300, ceilingHz: 4604},
		{highestHz: 4300, ceilingHz: 4604, disturbed: 0.2},
		{highestHz: 2000, ceilingHz: 4604, disturbed: 0.2},
		{highestHz: 4300, ceilingHz: 4604, disturbed: 0.3, late: true},
		{highestHz: 100, ceilingHz: 120},
	} {
		const within, searches = 25 * time.Second, 8
		near := 0
		for seed := range uint64(searches) {
			out, took, err := b.search(t, seed, within)
			if took > within*6/5 {
				t.Errorf("%+v: it took %v", b, took)
			}
			if err != nil || out.Search.BestHz > b.highestHz {
				continue // both measurements at the end were disturbed, or the rate is not the highest
			}
			if s := out.Search; s.BestHz > 0.8*b.highestHz && s.LowHz <= b.highestHz && s.HighHz >= 0.95*b.highestHz {
				near++
			}
		}
		if near < searches*3/4 {
			t.Errorf("%+v: %d of %d searches ended near the highest rate", b, near, searches)
		}
	}
}

// A search that ends without a rate says what shorter tries say, and one that no rate can mend ends at once.
func TestASearchWithoutARate(t *testing.T) {
	b := bench{highestHz: 1e-3, ceilingHz: 4000}
	_, took, err := b.search(t, 1, 10*time.Second)
	if fail.KindOf(err) != fail.Regression || !strings.Contains(err.Error(),
		"no rate was found at which p99<10ms holds for 2.5s: shorter tries say") ||
		!strings.Contains(fail.HintOf(err), "-d 40s") || took > 12*time.Second {
		t.Errorf("%v after %v", err, took)
	}
	wrong := func(s load.Schedule) (*recording.Recording, error) {
		rec := recording.New(recording.Header{Setup: recording.Setup{Plan: load.Plan{Connections: 4, Depth: 1},
			Schedule: s}})
		counts := load.Counts{Scheduled: 1000, Sent: 1000, Answered: 500, Failed: 500}
		counts.Causes[load.WrongStatus] = 500
		rec.Final.Counts = counts
		return rec, rec.Add(load.Slice{Duration: s.Length(), Connections: load.Connections{Live: 4}, Counts: counts})
	}
	kept, err := limit.ParseThreshold("p99<10ms")
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	r := short("http://127.0.0.1:1", load.ClosedLoop(time.Second))
	r.FindMax, r.Duration = []limit.Threshold{kept}, time.Second
	_, err = tester().Search(t.Context(), r,
		loadtest.Searching{Probe: func(s load.Schedule) (*recording.Recording, error) { tried++; return wrong(s) }})
	var e *fail.Error
	if !errors.As(err, &e) || e.Kind != fail.Invalid || tried != 1 ||
		!strings.Contains(err.Error(), "replies wrong or lost: 500 of 1,000") {
		t.Errorf("%v after %d tries", err, tried)
	}
}
