package recording

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"pgregory.net/rapid"

	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/load"
)

// coarse holds the values in few cells, for properties that are tried often.
func coarse(values ...int64) *hdrhistogram.Histogram {
	h := hdrhistogram.New(1, 1e10, 1)
	for _, v := range values {
		if err := h.RecordValue(v); err != nil {
			panic(err)
		}
	}
	return h
}

func merge(t rapid.TB, rs ...*Recording) *Recording {
	t.Helper()
	m, err := Merge(rs...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// drawRecording draws a recording of a closed loop with any slices.
func drawRecording(t *rapid.T, name string) *Recording {
	h := Header{Target: "framed://h:1", Targets: []string{"a", "b"}, Interval: time.Second,
		Setup: Setup{Start: start.Add(time.Duration(rapid.IntRange(0, 3).Draw(t, name+" start"))),
			Hone: rapid.SampledFrom([]string{"", "v1", "v2"}).Draw(t, name+" hone"),
			Plan: load.Plan{Connections: rapid.IntRange(1, 9).Draw(t, name+" connections"), Depth: 1,
				Timeout: time.Second},
			Schedule: load.Schedule{Duration: 3 * time.Second, Seed: rapid.Uint64Range(0, 2).Draw(t, name+" seed")}},
		Notes: rapid.SampledFrom([][]string{nil, {"a"}, {"b", "a"}}).Draw(t, name+" notes")}
	r := New(h)
	for i := range rapid.IntRange(0, 2).Draw(t, name+" slices") {
		s := load.Slice{Offset: time.Duration(i) * time.Second, Start: start, Duration: time.Second,
			Connections: load.Connections{Live: h.Plan.Connections}}
		s.Answered = uint64(rapid.IntRange(0, 99).Draw(t, name+" answered"))
		s.Failed, s.Lost, s.Stray = s.Answered/3, s.Answered/5, s.Answered/7
		s.Sent, s.Scheduled = s.Answered, s.Answered
		s.Service = coarse(rapid.SliceOfN(rapid.Int64Range(0, 1e10), 0, 5).Draw(t, name+" service")...)
		if rapid.Bool().Draw(t, name+" age") {
			s.Age = coarse(rapid.Int64Range(1, 1e10).Draw(t, name+" aged"))
		}
		if code := rapid.IntRange(0, 2).Draw(t, name+" code"); code > 0 {
			s.Codes = map[int]uint64{100 * code: s.Answered}
		}
		s.Targets = []load.TargetSlice{
			{Answered: s.Answered, Latency: coarse(rapid.SliceOfN(rapid.Int64Range(0, 1e10), 0, 5).Draw(t,
				name+" of a")...)}, {Failed: s.Failed},
		}
		if s.Messages = uint64(rapid.IntRange(0, 3).Draw(t, name+" messages")); s.Messages > 0 {
			s.Gaps, s.FirstByte = coarse(1, 2), coarse(3)
		}
		s.Start = s.Start.Add(time.Duration(rapid.IntRange(0, 5).Draw(t, name+" begun")))
		if err := r.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	r.Final.Counts = counted(r.Slices)
	if rapid.Bool().Draw(t, name+" doubt") {
		r.Final.Doubts = []load.Doubt{{Name: "n" + name, Fatal: rapid.Bool().Draw(t, name+" fatal")}}
	}
	return r
}

func TestMergeHasNoOrderAndNoGrouping(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		a, b, c := drawRecording(rt, "a"), drawRecording(rt, "b"), drawRecording(rt, "c")
		all := text(t, merge(rt, a, b, c))
		for name, other := range map[string]*Recording{
			"(a b) c": merge(rt, merge(rt, a, b), c), "c (b a)": merge(rt, c, merge(rt, b, a)),
		} {
			if got := text(t, other); got != all {
				rt.Fatalf("%s differs from a b c:\n%s\n%s", name, got, all)
			}
		}
	})
}

// A load that two generators share is, merged, the load of one.
func TestMergingTheHalvesGivesTheWhole(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var parts [3]*Recording // the whole and its halves
		for i := range parts {
			parts[i] = New(Header{Target: "framed://h:1", Interval: time.Second,
				Setup: Setup{Start: start, Plan: load.Plan{Connections: []int{10, 4, 6}[i], Depth: 1,
					Timeout: time.Second},
					Schedule: load.OpenLoop([]float64{100, 40, 60}[i], 3*time.Second)}})
		}
		for i := range 2 {
			var s [3]load.Slice
			for k := range s {
				s[k] = load.Slice{Offset: time.Duration(i) * time.Second,
					Start: start.Add(time.Duration(i) * time.Second), Duration: time.Second,
					Latencies:   load.Latencies{Service: coarse(), Response: coarse()},
					Connections: load.Connections{Live: parts[k].Header.Plan.Connections}}
			}
			for _, v := range rapid.SliceOfN(rapid.Int64Range(1, 1e9), 0, 20).Draw(rt, "values") {
				half := rapid.IntRange(1, 2).Draw(rt, "half")
				for _, k := range []int{0, half} {
					s[k].Scheduled, s[k].Sent, s[k].Answered = s[k].Scheduled+1, s[k].Sent+1, s[k].Answered+1
					s[k].Service.RecordValue(v)
					s[k].Response.RecordValue(v + 5)
				}
			}
			for k := range s {
				if err := parts[k].Add(s[k]); err != nil {
					rt.Fatal(err)
				}
			}
		}
		for k := range parts {
			parts[k].Final.Counts = counted(parts[k].Slices)
		}
		sum := merge(rt, parts[1], parts[2])
		if len(sum.Header.Parts) != 2 {
			rt.Fatalf("parts %v", sum.Header.Parts)
		}
		sum.Header.Parts = nil
		sum.Header.Schedule.Arrivals = "" // the default, spelled out
		if got, want := text(t, sum), text(t, parts[0]); got != want {
			rt.Fatalf("halves\n%s\nwhole\n%s", got, want)
		}
	})
}

// Warm-ups that ran side by side add up, as the windows do.
func TestMergeAddsWarmUps(t *testing.T) {
	var all []*Recording
	for _, sent := range []uint64{10, 20, 0} {
		r := openRecording(t, sent)
		if sent > 0 {
			r.Header.WarmUp = &WarmUp{For: time.Second,
				Account: Account{Scheduled: sent, Sent: sent, Answered: sent - 1, Unanswered: 1}}
		}
		all = append(all, r)
	}
	sum, err := Merge(all...)
	if err != nil {
		t.Fatal(err)
	}
	want := WarmUp{For: time.Second, Account: Account{Scheduled: 30, Sent: 30, Answered: 28, Unanswered: 2}}
	if got := Summarize(sum).WarmUp; got == nil || *got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	var file bytes.Buffer
	if err := sum.Write(&file); err != nil {
		t.Fatal(err)
	}
	back, err := Read(&file, "merged")
	if err != nil || back.Header.WarmUp == nil || *back.Header.WarmUp != want {
		t.Errorf("the file has %+v: %v", back.Header.WarmUp, err)
	}
}

func TestMergeRefusesWhatDoesNotAddUp(t *testing.T) {
	for want, change := range map[string]func(*Recording){
		"another target: http://other/": func(r *Recording) { r.Header.Target = "http://other/" },
		"another depth: 2, not 1":       func(r *Recording) { r.Header.Plan.Depth = 2 },
		"another stages: [2s], not": func(r *Recording) {
			r.Header.Schedule.Stages = r.Header.Schedule.Stages[:1]
		},
		"another kind of loop: closed":    func(r *Recording) { r.Header.Schedule = load.ClosedLoop(time.Second) },
		"another interval: 2s, not 1s":    func(r *Recording) { r.Header.Interval = 2 * time.Second },
		"another arrivals: poisson":       func(r *Recording) { r.Header.Schedule.Arrivals = load.Poisson },
		"another protocol options: {}":    func(r *Recording) { r.Header.Options = []byte("{ }") },
		"histograms of another range":     func(r *Recording) { r.Slices[0].Service = packed.Histogram(claiming(t, 1, 1e9, 3)) },
		"the sum of the schedules: stage": func(r *Recording) { r.Header.Schedule.Stages[0].To = load.MaxRateHz },
	} {
		a, b := openRecording(t, 1), openRecording(t, 2)
		change(b)
		_, err := Merge(a, b)
		if err == nil || !strings.Contains(err.Error(), want) || fail.ExitCode(err) != int(fail.BadInput) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if _, err := Merge(); err == nil {
		t.Error("nothing merged without an error")
	}
}

// Rates of tests that ran one after the other do not add up, and the sum says so.
func TestTestsThatRanApartAreInvalidTogether(t *testing.T) {
	a, b := openRecording(t, 1), openRecording(t, 2)
	if s := Summarize(merge(t, a, b)); !s.Valid || s.AskedHz != 300 || s.Plan.Connections != 20 {
		t.Errorf("side by side: valid %v, asked %v, connections %d: %v", s.Valid, s.AskedHz, s.Plan.Connections,
			s.Doubts)
	}
	b.Header.Start = b.Header.Start.Add(time.Minute)
	s := Summarize(read(t, text(t, merge(t, b, a))))
	if s.Valid || !slices.ContainsFunc(s.Doubts, func(d load.Doubt) bool {
		return d.Name == DoubtApart && strings.Contains(d.Text, "56 s apart")
	}) {
		t.Errorf("valid %v: %v", s.Valid, s.Doubts)
	}
}
