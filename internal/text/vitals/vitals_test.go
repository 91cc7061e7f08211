package vitals

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var epoch = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func TestAbsentIsNotZero(t *testing.T) {
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if Of(x).Known() {
			t.Errorf("Of(%v) is known", x)
		}
	}
	if x, known := Of(0).Get(); x != 0 || !known {
		t.Errorf("Of(0) = %v, %v", x, known)
	}
	if got := (Value{}).Or(Of(2)); got != Of(2) {
		t.Errorf("absent Or 2 = %v", got)
	}
	if got := Of(0).Or(Of(2)); got != Of(0) {
		t.Errorf("0 Or 2 = %v", got)
	}
}

func TestReadingsSurviveJSON(t *testing.T) {
	r := Reading{At: epoch, Process: Process{CPUCores: Of(0)}, Runtime: Runtime{HeapBytes: Of(1.5e9)},
		Rates:     []Rate{{"a_total", 3}},
		Latencies: []Latency{{Name: "b", PerSec: 2, P99Seconds: Of(0.1)}}}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if s := string(text); !strings.Contains(s, `"cpu_cores":0`) || strings.Contains(s, "goroutines") ||
		strings.Contains(s, "p50_seconds") {
		t.Errorf("what is 0 is written, what is absent is not: %s", s)
	}
	var back Reading
	if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back, r) {
		t.Errorf("read back %+v, %v; want %+v", back, err, r)
	}
	var v Value
	if err := json.Unmarshal([]byte("null"), &v); err != nil || v.Known() {
		t.Errorf("null is %v, %v", v, err)
	}
}

// A value that is added to Reading is added to Values, too.
func TestValuesListsAll(t *testing.T) {
	var r Reading
	listed := r.Values()
	fields := reflect.ValueOf(&r).Elem()
	n := 0
	for _, f := range reflect.VisibleFields(fields.Type()) { // with those of its parts
		field, ok := fields.FieldByIndex(f.Index).Addr().Interface().(*Value)
		if !ok {
			continue
		}
		n++
		if !slices.Contains(listed, field) {
			t.Errorf("Values leaves out %s", f.Name)
		}
	}
	if n != len(listed) {
		t.Errorf("%d values, %d listed", n, len(listed))
	}
}

func TestFillKeepsWhatIsThere(t *testing.T) {
	r := Reading{Process: Process{CPUCores: Of(1)}, Traffic: Traffic{RateName: "mine"}}
	if r.Empty() || !new(Reading).Empty() {
		t.Error("Empty is wrong")
	}
	r.Fill(Reading{Process: Process{CPUCores: Of(2)}, Runtime: Runtime{Goroutines: Of(3)},
		Traffic: Traffic{RateName: "theirs", LatencyName: "l"}, Rates: []Rate{{"a", 1}}})
	if r.CPUCores != Of(1) || r.Goroutines != Of(3) || r.RateName != "mine" || r.LatencyName != "l" ||
		len(r.Rates) != 1 {
		t.Errorf("filled: %+v", r)
	}
}

func TestCounterRates(t *testing.T) {
	var c Counter
	for _, step := range []struct {
		after time.Duration
		total float64
		want  Value
	}{
		{0, 100, Value{}},
		{time.Second, 150, Of(50)},
		{3 * time.Second, 150, Of(0)},
		{3 * time.Second, 170, Value{}}, // no time has passed
		{5 * time.Second, 10, Of(5)},    // began again
		{6 * time.Second, 11, Of(1)},
	} {
		if got := c.Rate(epoch.Add(step.after), step.total); got != step.want {
			t.Errorf("at %v total %v: %v, want %v", step.after, step.total, got, step.want)
		}
	}
}

func TestGrowHasNoRateWhereAPartWasLost(t *testing.T) {
	var c Counter
	c.Grow(epoch, 100)
	if got := c.Grow(epoch.Add(time.Second), 90); got.Known() {
		t.Errorf("after a loss: %v", got)
	}
	if got := c.Grow(epoch.Add(2*time.Second), 95); got != Of(5) {
		t.Errorf("after the loss: %v, want 5", got)
	}
}

// The window's quantile is the order statistic of rank ceil(q*n) of what is young enough.
func TestWindowAgainstSorting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := Window{Span: 10 * time.Second}
		var all []float64
		now := epoch
		for range rapid.IntRange(0, 40).Draw(t, "n") {
			now = now.Add(time.Duration(rapid.IntRange(0, 2000).Draw(t, "ms")) * time.Millisecond)
			x, count := rapid.Float64Range(0, 1).Draw(t, "x"), rapid.IntRange(1, 3).Draw(t, "count")
			w.Add(now, x, float64(count))
			if now.Sub(epoch) >= 10*time.Second {
				for range count {
					all = append(all, x)
				}
			}
		}
		now = epoch.Add(20 * time.Second)
		q := rapid.Float64Range(0.01, 1).Draw(t, "q")
		var late []float64
		for _, g := range w.groups {
			if !g.at.Before(epoch.Add(10 * time.Second)) {
				for range int(g.count) {
					late = append(late, g.seconds)
				}
			}
		}
		if !slices.Equal(late, all) {
			t.Fatalf("the window holds %v, want %v", late, all)
		}
		got := w.Quantile(now, q)
		if len(all) == 0 {
			if got.Known() {
				t.Fatalf("of nothing: %v", got)
			}
			return
		}
		slices.Sort(all)
		want := all[int(math.Ceil(q*float64(len(all))))-1]
		if x, _ := got.Get(); x != want {
			t.Fatalf("quantile %v of %v is %v, want %v", q, all, x, want)
		}
	})
}

func TestWindowIsBounded(t *testing.T) {
	w := Window{Span: time.Hour}
	for i := range 3 * maxWindow {
		w.Add(epoch.Add(time.Duration(i)), float64(i), 1)
	}
	if len(w.groups) > maxWindow {
		t.Errorf("%d groups, want %d at most", len(w.groups), maxWindow)
	}
	if x, _ := w.Quantile(epoch.Add(time.Minute), 1).Get(); x != 3*maxWindow-1 {
		t.Errorf("the newest was dropped: the largest is %v", x)
	}
}

// The history is the tail of a plain list.
func TestHistoryAgainstAList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		capacity := rapid.IntRange(1, 8).Draw(t, "capacity")
		h := NewHistory(capacity)
		var list []Reading
		for i := range rapid.IntRange(0, 30).Draw(t, "n") {
			r := Reading{At: epoch.Add(time.Duration(i) * time.Second)}
			if rapid.Bool().Draw(t, "known") {
				r.CPUCores = Of(float64(i))
			}
			h.Add(r)
			list = append(list, r)
		}
		dropped := max(0, len(list)-capacity)
		kept := list[dropped:]
		if h.Len() != len(kept) || h.Dropped() != uint64(dropped) {
			t.Fatalf("%d kept, %d dropped; want %d, %d", h.Len(), h.Dropped(), len(kept), dropped)
		}
		n := rapid.IntRange(0, 10).Draw(t, "tail")
		tail := h.Tail(n)
		short := kept[max(0, len(kept)-n):]
		h.Add(Reading{At: epoch.Add(time.Hour)}) // the tail does not see it
		if tail.Len() != len(short) {
			t.Fatalf("tail of %d has %d", n, tail.Len())
		}
		want := -1
		for i, r := range short {
			if !tail.At(i).At.Equal(r.At) {
				t.Fatalf("tail %d is of %v, want %v", i, tail.At(i).At, r.At)
			}
			if r.CPUCores.Known() {
				want = i
			}
		}
		latest, age := tail.Latest(func(r *Reading) Value { return r.CPUCores })
		switch {
		case want < 0 && latest != nil:
			t.Fatal("a latest value of none")
		case want >= 0 && (latest != tail.At(want) || age != tail.Last().At.Sub(latest.At)):
			t.Fatalf("latest %v, age %v", latest, age)
		}
	})
}

func TestNilHistoryIsEmpty(t *testing.T) {
	var h *History
	if h.Len() != 0 || h.Last() != nil || h.Tail(3).Len() != 0 {
		t.Error("a nil history has something")
	}
}

func TestThin(t *testing.T) {
	var all []Reading
	for i := range 10 {
		r := Reading{At: epoch.Add(time.Duration(i) * time.Second), Process: Process{CPUCores: Of(float64(i))},
			Traffic: Traffic{LatencyP99Seconds: Of(float64(i % 4))}}
		if i%2 == 1 {
			r.Goroutines = Of(8)
		}
		all = append(all, r)
	}
	if got := Thin(all, 10); len(got) != 10 || got[3].CPUCores != Of(3) {
		t.Errorf("nothing to thin: %d", len(got))
	}
	got := Thin(all, 3) // four, four and two
	if len(got) != 3 {
		t.Fatalf("%d readings", len(got))
	}
	if r := got[0]; r.CPUCores != Of(1.5) || r.LatencyP99Seconds != Of(3) || r.Goroutines != Of(8) ||
		!r.At.Equal(all[3].At) || r.HeapBytes.Known() {
		t.Errorf("the first: %+v", r)
	}
	if r := got[2]; r.CPUCores != Of(8.5) {
		t.Errorf("the last: %+v", r)
	}
	if all[3].CPUCores != Of(3) {
		t.Error("the readings themselves were changed")
	}
	if got := Thin(nil, 3); got != nil {
		t.Errorf("of nothing: %v", got)
	}
}
