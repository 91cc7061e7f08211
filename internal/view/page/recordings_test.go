package page

import (
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/load"
)

// recorded is a load test of one second with answers of these latencies.
func recorded(t *testing.T, latencies ...time.Duration) *recording.Recording {
	t.Helper()
	rec := recording.New(recording.Header{Setup: recording.Setup{Start: time.Unix(1_790_000_000, 0),
		Schedule: load.ClosedLoop(time.Second)}, Target: "http://127.0.0.1:8080/"})
	h := hdrhistogram.New(1, int64(time.Hour), 3)
	for _, l := range latencies {
		if err := h.RecordValue(int64(l)); err != nil {
			t.Fatal(err)
		}
	}
	n := uint64(len(latencies))
	s := load.Slice{Duration: time.Second, Latencies: load.Latencies{Service: h},
		Counts: load.Counts{Scheduled: n, Sent: n, Answered: n}}
	if err := rec.Add(s); err != nil {
		t.Fatal(err)
	}
	rec.Final.Counts = s.Counts
	return rec
}

// One recording is a page of its own; several stand side by side, without a verdict.
func TestRecordedLoadTestsHavePages(t *testing.T) {
	one := NamedRecording{"one.jsonl", recorded(t, time.Millisecond, 2*time.Millisecond)}
	two := NamedRecording{"two words.jsonl", recorded(t, 3*time.Millisecond)}
	pages, first, err := LoadTests([]NamedRecording{one})
	if err != nil || len(pages) != 1 || first != RunPath("one.jsonl") {
		t.Fatalf("%v, %s, %v", pages, first, err)
	}
	if p := pages[first].(*Run); p.Latency == nil || p.Latency.Count != 2 || p.Kind != KindLoad {
		t.Errorf("%+v", p)
	}
	pages, first, err = LoadTests([]NamedRecording{one, two})
	if err != nil || len(pages) != 3 {
		t.Fatalf("%v, %v", pages, err)
	}
	p := pages[first].(*Comparison)
	if len(p.Latency) != 2 || len(p.Contests) != 0 || len(p.Variants) != 2 || p.Check.Tone != model.Warning {
		t.Errorf("%+v", p)
	}
	if _, there := pages[RunPath(p.Variants[1].Run)]; !there {
		t.Errorf("%s has no page", p.Variants[1].Run)
	}
	if want := "hone load plot one.jsonl 'two words.jsonl' -o FILE.html"; p.Commands[0].Line != want {
		t.Errorf("%s, want %s", p.Commands[0].Line, want)
	}
}

// A long load test is drawn with few points: slices are added up, and no answer is dropped.
func TestLongLoadTestsAreDrawnWithFewPoints(t *testing.T) {
	const hostile = `</script><img src=x onerror=alert(1)>`
	rec := recording.New(recording.Header{Setup: recording.Setup{Schedule: load.ClosedLoop(time.Hour)},
		Target: hostile})
	const n = 3000
	h := hdrhistogram.New(1, int64(time.Hour), 3)
	if err := h.RecordValue(int64(time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		one := load.Slice{Offset: time.Duration(i) * time.Second, Duration: time.Second,
			Latencies: load.Latencies{Service: h},
			Counts:    load.Counts{Scheduled: 1, Sent: 1, Answered: 1}}
		if err := rec.Add(one); err != nil {
			t.Fatal(err)
		}
	}
	rec.Final.Counts = load.Counts{Scheduled: n, Sent: n, Answered: n}
	pages, first, err := LoadTests([]NamedRecording{{hostile, rec}})
	if err != nil {
		t.Fatal(err)
	}
	p := pages[first].(*Run)
	if points := len(p.Timeline.Seconds); points < 100 || points > 401 {
		t.Errorf("%d points", points)
	}
	answers := uint64(0)
	for _, column := range p.HeatMap.Counts {
		for _, n := range column {
			answers += n
		}
	}
	if len(p.HeatMap.Counts) > 121 || answers != n || p.Latency.Count != n {
		t.Errorf("%d answers in %d columns, %d in the curve, want %d", answers, len(p.HeatMap.Counts), p.Latency.Count,
			n)
	}
	if p.Label != hostile {
		t.Errorf("label %q", p.Label)
	}
}
