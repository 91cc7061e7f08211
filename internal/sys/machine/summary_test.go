package machine

import (
	"encoding/json"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Three slices: a quiet one, one that the host disturbed, one of which little is known.
func TestSummaryOfSlices(t *testing.T) {
	slices := []Disturbance{
		{Elapsed: 50 * time.Millisecond, Steal: new(0.0), Load1: new(0.5), Throttled: new(time.Duration(0)),
			Busy: new(60 * time.Millisecond), CPUPressure: new(0.9)},
		{Elapsed: 100 * time.Millisecond, Steal: new(0.3), Load1: new(1.1), Throttled: new(8 * time.Millisecond),
			Busy: new(80 * time.Millisecond), CPUPressure: new(0.0)},
		{Elapsed: 50 * time.Millisecond, Steal: new(0.1)},
	}
	slices[0] = slices[0].WithOwn(70 * time.Millisecond)
	slices[1] = slices[1].WithOwn(50 * time.Millisecond)
	s := Summarize(slices)
	if s.Slices != 3 || s.Noticeable != 2 || s.Total.Elapsed != 200*time.Millisecond ||
		s.Worst.Elapsed != 100*time.Millisecond {
		t.Errorf("summary %+v", s)
	}
	want := `{"elapsed_ns":200000000,"steal_share":0.175,"busy_cpu_ns":140000000,"others_cpu_ns":20000000,` +
		`"load1":0.9,"throttled_ns":8000000,"cpu_pressure_share":0.3}`
	if got, err := json.Marshal(s.Total); err != nil || string(got) != want {
		t.Errorf("total %s %v\nwant  %s", got, err, want)
	}
	want = `{"elapsed_ns":100000000,"steal_share":0.3,"busy_cpu_ns":80000000,"others_cpu_ns":30000000,` +
		`"load1":1.1,"throttled_ns":8000000,"cpu_pressure_share":0.9}`
	if got, err := json.Marshal(s.Worst); err != nil || string(got) != want {
		t.Errorf("worst %s %v\nwant  %s", got, err, want)
	}
	if got, want := s.Total.String(),
		"steal 17.5 %, throttled 8 ms, other programs' CPU 20 ms, CPU pressure 30.0 %, load 0.90"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if slices[0].Noticeable() {
		t.Errorf("CPU pressure and load of the measurement itself are told as a disturbance: %v", slices[0])
	}
	if none := Summarize(nil); none.Total != (Disturbance{}) || none.Total.String() != "conditions unknown" ||
		none.Total.Noticeable() {
		t.Errorf("nothing measured, yet known: %+v", none)
	}
}

func TestWhatIsNoticeable(t *testing.T) {
	const second = time.Second
	for _, c := range []struct {
		name string
		d    Disturbance
		want bool
	}{
		{"little steal", Disturbance{Elapsed: second, Steal: new(0.004)}, false},
		{"steal", Disturbance{Elapsed: second, Steal: new(0.005)}, true},
		{"throttled at all", Disturbance{Elapsed: second, Throttled: new(time.Microsecond)}, true},
		{"never throttled", Disturbance{Elapsed: second, Throttled: new(time.Duration(0))}, false},
		{"two ticks of others in a short slice", Disturbance{Elapsed: 50 * time.Millisecond, Others: new(2 * tick)},
			false},
		{"another program", Disturbance{Elapsed: second, Others: new(500 * time.Millisecond)}, true},
		{"a coarse clock", Disturbance{Elapsed: second, Others: new(-tick)}, false},
		{"a busy disk", Disturbance{Elapsed: second, IOPressure: new(0.5)}, true},
		{"short of memory", Disturbance{Elapsed: second, MemoryPressure: new(0.02)}, true},
		{"nothing known", Disturbance{Elapsed: second}, false},
	} {
		if got := c.d.Noticeable(); got != c.want {
			t.Errorf("%s: noticeable %v", c.name, got)
		}
	}
}

// A mean lies between the least and the highest, the highest is one of the slices', and
// slices of which nothing is known change nothing.
func TestSummaryProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		known := rapid.SliceOfN(rapid.Float64Range(0, 1), 1, 20).Draw(t, "steal")
		var slices []Disturbance
		least, most := known[0], known[0]
		for _, share := range known {
			elapsed := rapid.Int64Range(1, int64(time.Minute)).Draw(t, "elapsed")
			slices = append(slices, Disturbance{Elapsed: time.Duration(elapsed), Steal: new(share)})
			least, most = min(least, share), max(most, share)
		}
		s := Summarize(slices)
		const rounding = 1e-12
		if m := *s.Total.Steal; m < least-rounding || m > most+rounding || *s.Worst.Steal != most {
			t.Fatalf("mean %v and worst %v of shares in [%v, %v]", m, *s.Worst.Steal, least, most)
		}
		unknown := Summarize(append(slices, Disturbance{Elapsed: time.Hour}))
		if *unknown.Total.Steal != *s.Total.Steal || unknown.Slices != len(known)+1 {
			t.Fatalf("an unknown share changed the mean: %+v", unknown)
		}
	})
}
