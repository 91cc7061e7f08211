package page

import (
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gohone/hone/internal/recording"
	"github.com/gohone/hone/load"
)

// recorded is a load test of one second with answers of these latencies.
func recorded(t *testing.T, latencies ...time.Duration) *recording.Recording {
	t.Helper()
	rec := recording.New(recording.Header{Setup: recording.Setup{Start: time.Unix(1_790_000_000, 0), Schedule: load.ClosedLoop(time.Second)}, Target: "http://127.0.0.1:8080/"})
	h := hdrhistogram.New(1, int64(time.Hour), 3)
	for _, l := range latencies {
		if err := h.RecordValue(int64(l)); err != nil {
			t.Fatal(err)
		}
	}
	n := uint64(len(latencies))
	s := load.Slice{Duration: time.Second, Service: h, Counts: load.Counts{Scheduled: n, Sent: n, Answered: n}}
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
	if len(p.Latency) != 2 || len(p.Contests) != 0 || len(p.Variants) != 2 || p.Check.Tone != Warning {
		t.Errorf("%+v", p)
	}
	if _, there := pages[RunPath(p.Variants[1].Run)]; !there {
		t.Errorf("%s has no page", p.Variants[1].Run)
	}
	if want := "hone load plot one.jsonl 'two words.jsonl' -o FILE.html"; p.Commands[0].Line != want {
		t.Errorf("%s, want %s", p.Commands[0].Line, want)
	}
}
