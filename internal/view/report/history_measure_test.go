package report

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/history"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/judge"
)

// entry is a run of a history, minutes after noon.
func entry(minute int, id, commit string, value, half float64) history.Entry {
	low, high := value-half, value+half
	return history.Entry{
		Run: ledger.Run{ID: id, Commit: commit, Status: ledger.Complete,
			Started: time.Date(2026, 11, 21, 12, minute, 0, 0, time.Local)},
		Measure: &ledger.MeasureValue{Name: "cpu", Unit: "ns", Value: value, Low: &low, High: &high}, Counts: true,
	}
}

func text(t *testing.T, write func(*strings.Builder) error) string {
	t.Helper()
	var b strings.Builder
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	for _, r := range b.String() {
		if r != '\n' && (r < ' ' || r > '~') {
			t.Errorf("%q is not plain ASCII", r)
		}
	}
	return b.String()
}

func TestMeasureHistoryMarksWhatMatters(t *testing.T) {
	up, down := 0.042, -0.01
	invalid := entry(2, "cccc0000", "c0ffee0012", 9e9, 1)
	invalid.Status, invalid.Reason, invalid.Counts = ledger.Invalid, "replies withheld", false
	changed := entry(3, "dddd0000", "ab12cd34ef", 13_900, 100)
	changed.AgainstBaseline, changed.Dirty = &up, true
	last := entry(4, "eeee0000", "ab12cd3400", 13_800, 5000)
	last.Change, last.ChangeFrom = &down, "dddd0000"
	first := entry(1, "aaaa0000", "0123456789", 13_300, 100)
	first.Baselines = []string{"default", "v1"}
	h := &history.History{Measure: measure.CPU, Series: []history.Series{{
		Key: history.Key{Package: "example.com/shop", Label: "./cmd/shop", Plan: "http /x, 10 connections",
			Machine: "Xeon, 2 CPUs"},
		Unit: "ns", Entries: []history.Entry{first, invalid, changed, last}, Earlier: 7,
		Baseline: &history.Reference{Baseline: ledger.Baseline{Name: "default", Run: "aaaa0000"}, Value: 13_300},
		Changes:  []history.Change{{Entry: 2, Ratio: 1.042, P: 0.002, Commit: "ab12cd34ef+", Worse: true}},
	}}}
	got := text(t, func(b *strings.Builder) error { return MeasureHistory(b, h) })
	want := `example.com/shop  ./cmd/shop
under: http /x, 10 connections; on Xeon, 2 CPUs
CPU per request (lower is better); baseline default: run aaaa0000, 13.3 us
(7 earlier not shown: -n 0 shows all)
started              run       commit     value    interval          change                to baseline
2026-11-21 12:01:00  aaaa0000  01234567   13.3 us  13.2 ... 13.4 us                                     |  ---*----                      | <- baseline default, v1
2026-11-21 12:02:00  cccc0000  c0ffee00   invalid: replies withheld
2026-11-21 12:03:00  dddd0000  ab12cd34+  13.9 us  13.8 ... 14.0 us                        +4.2 %       |                      ----*---  |
                     ^ +4.2 % since ab12cd34+ (p = 0.002), worse
2026-11-21 12:04:00  eeee0000  ab12cd34   13.8 us  8.80 ... 18.8 us  -1.0 % from dddd0000               |<---------------------*-------->|

next: hone compare RUN RUN (two of these), hone show RUN, hone baseline set RUN
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := text(t, func(b *strings.Builder) error {
		return MeasureHistory(b, &history.History{})
	}); !strings.Contains(got, "hone run") {
		t.Errorf("%q", got)
	}
}

// Bars stay within their frame, whatever the values.
func TestBandStaysInItsFrame(t *testing.T) {
	for _, values := range [][2]float64{{1, 1}, {0, 0}, {1, 1e300}, {-math.MaxFloat64, math.MaxFloat64},
		{5, 5.0000000000000009}} {
		for _, half := range []float64{0, 1, 1e308} {
			s := history.Series{Entries: []history.Entry{entry(0, "a", "b", values[0], half),
				entry(1, "c", "d", values[1], half)}}
			b := newBand(s)
			for _, e := range s.Entries {
				bar := b.draw(*e.Measure)
				if len(bar) != bandWidth+2 || strings.Count(bar, "*") != 1 {
					t.Errorf("%v +- %v: %q", e.Measure.Value, half, bar)
				}
			}
		}
	}
}

func TestStoredSaysThatItIsIndicative(t *testing.T) {
	c := &history.Stored{
		A:       ledger.Run{ID: "aaaa0000", Label: "./shop", Commit: "0123456789"},
		B:       ledger.Run{ID: "bbbb0000", Label: "./shop"},
		Differs: []string{"connections 100 / 10"},
		Verdicts: []judge.Verdict{
			{Measure: measure.CPU, Word: judge.Slower, A: 13_000, B: 14_000, Ratio: 1.077, Low: 1.06, High: 1.09,
				Conf: 0.95, P: 0.002,
				Reason: "not taken together: indicative", Indicative: true},
			{Measure: measure.Throughput, Word: judge.Undecided, A: 10, B: 10, Ratio: 1, High: math.Inf(1), P: 1},
		},
	}
	got := text(t, func(b *strings.Builder) error { return Stored(b, c) })
	at := 0
	for _, want := range []string{
		"A: ./shop  (01234567, run aaaa0000", "B: ./shop  (-, run bbbb0000",
		"A and B were not taken together: their difference is only indicative", "differs: connections 100 / 10",
		"B looks slower than A: CPU per request 13.0 -> 14.0 us (+7.7 %, 95 % interval +6.0 ... +9.0 %)",
		"CPU per request", "slower",
		"throughput", "undecided", "next: ",
	} {
		i := strings.Index(got[at:], want)
		if i < 0 {
			t.Fatalf("no %q behind byte %d of\n%s", want, at, got)
		}
		at += i
	}
}

func TestBaselineTexts(t *testing.T) {
	if got := text(t, func(b *strings.Builder) error { return Baselines(b, nil) }); !strings.Contains(got,
		"hone baseline set") {
		t.Errorf("%q", got)
	}
	got := text(t, func(b *strings.Builder) error {
		return Baselines(b, []PinnedRun{{ledger.Baseline{Name: "v1", Run: "aaaa0000", Note: "why not"},
			ledger.Run{Label: "./shop", Commit: "0123456789"}}})
	})
	for _, want := range []string{"v1", "aaaa0000", "01234567", "./shop", "why not"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
	got = text(t, func(b *strings.Builder) error {
		return BaselineChange(b, "pinned", ledger.Baseline{Name: "v1", Run: "aaaa0000"})
	})
	if !strings.Contains(got, "hone compare baseline:v1 RUN") {
		t.Errorf("%q", got)
	}
}
