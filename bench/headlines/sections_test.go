package headlines

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/prof"
)

func TestExplain(t *testing.T) {
	var top prof.Top
	const text = `{"schema":"hone.profile-top/1","rows":[{"function":"a/b/tls.held","flat":300},{"function":"a/b/tls.both","flat":900}]}`
	if err := json.Unmarshal([]byte(text), &top); err != nil {
		t.Fatal(err)
	}
	held := heap{1200, flat(top)}
	pooled := heap{1000, map[string]float64{"a/b/tls.both": 850, "a/b/tls.pool": 500}}
	if name, more := explain(held, pooled); name != "tls.held" || more != 300 {
		t.Errorf("%s, %v", name, more)
	}
}

func TestNextRate(t *testing.T) {
	for cpuNanos, want := range map[float64]float64{3.9e6: 170, 1e6: 700, 45_000: 15_000} {
		if hz, err := nextRate(chatSample{cpuNanos: cpuNanos}); err != nil || hz != want {
			t.Errorf("%v ns: %v, %v, want %v", cpuNanos, hz, err, want)
		}
	}
	for _, cpuNanos := range []float64{0, math.NaN(), math.Inf(1), 1e12} {
		if hz, err := nextRate(chatSample{cpuNanos: cpuNanos}); err == nil {
			t.Errorf("%v ns: %v/s", cpuNanos, hz)
		}
	}
}

func TestChatRows(t *testing.T) {
	var d runDocument
	const text = `{"id":"r","cpu_ns_per_request":{"value":4000000},"requests_per_second":175,"runtime":{"gc_cycles":9,"gc_cpu_share":0.5}}`
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	naive, err := chatSampleOf(d)
	if err != nil || naive != (chatSample{4e6, 175, 0.5}) || naive.core() != 0.7 {
		t.Fatalf("%+v, %v", naive, err)
	}
	if _, err := chatSampleOf(runDocument{}); err == nil {
		t.Error("a sample of a run that says nothing")
	}
	samples, cost := make([][]chatSample, len(chatStages)), 4e6
	for i := range samples {
		samples[i] = slices.Repeat([]chatSample{{cost, 175, math.NaN()}}, 6)
		cost /= 2
	}
	samples[0][0] = naive
	blames := make([]blame, len(chatStages))
	blames[3].nothing = nothing("hone: run x: blame: CPU profile: no samples of the subject's own")
	if err := json.Unmarshal([]byte(`{"collector":{"share_percent":72},"sites":[{"function":"x/chat.deflate","byte_share_percent":99}]}`), &blames[0]); err != nil {
		t.Fatal(err)
	}
	rows, err := chatRows(samples, blames)
	if err != nil || len(rows) != 2*len(chatStages) {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, want := range map[int]row{
		0: {What: "naive, CPU", Published: "80 % of the CPU", Here: "70.0 % of one core, 4,000 us per message"},
		1: {What: "naive, collector's share", Published: "54 %", Here: "the runtime: 50.0 %; CPU profile: 72.0 %",
			Note: "most of the bytes: `chat.deflate`, 99.0 %"},
		// A quarter of naive, two rungs on: no ratio is to pooled-conn.
		4: {What: "buffers, CPU, to naive", Published: "50 % of the CPU", PublishedRatio: 0.625,
			Here: "17.5 % of one core, 1,000 us per message", Ratio: figures.Ratio{Value: 0.25, Low: 0.25, High: 0.25}},
		7: {What: "zlib-reset, collector's share", Published: "negligible",
			Here: "the runtime: no two cycles in any round; CPU profile: too little CPU time for one"},
	} {
		if rows[i] != want {
			t.Errorf("row %d is\n%+v, want\n%+v", i, rows[i], want)
		}
	}
}

// Only a run without allocations to blame is no failure.
func TestNothing(t *testing.T) {
	for said, want := range map[string]string{
		"hone: run x: blame: allocation profile: no allocation was sampled, so no line can be blamed for garbage": "none, as no allocation was sampled",
		"hone: no run is named x": "",
	} {
		if got := nothing(said); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}

func TestHavlakRows(t *testing.T) {
	var d runDocument
	if err := json.Unmarshal([]byte(`{"schema":"hone.once/1","facts":{"user_ns":{"median":2100000000},"max_resident_bytes":{"median":78000000}}}`), &d); err != nil {
		t.Fatal(err)
	}
	e := entrant{"Go first", "x", took{25.05, 1334}}
	user, memory, err := e.rows(d, "")
	if err != nil || user != (row{What: "Go first: time", Published: "25.05 s", Here: "2.10 s"}) ||
		memory != (row{What: "Go first: memory", Published: "1,334 MB", Here: "78.0 MB"}) {
		t.Errorf("%+v, %+v, %v", user, memory, err)
	}
	// Fewer calls are not what was published.
	if user, _, err = e.rows(d, ", 5 calls"); err != nil ||
		user != (row{What: "Go first, 5 calls: time", Here: "2.10 s"}) {
		t.Errorf("%+v, %v", user, err)
	}
	if _, _, err := e.rows(runDocument{}, ""); err == nil {
		t.Error("rows of a run that says nothing")
	}
	user.against("C++ final", 2.26/1.99, judge.Verdict{Ratio: 1.2, Low: 1.1, High: 1.3})
	if user.What != "Go first, 5 calls: time, to C++ final" ||
		user.Ratio != (figures.Ratio{Value: 1.2, Low: 1.1, High: 1.3}) || user.PublishedRatio != 2.26/1.99 {
		t.Errorf("%+v", user)
	}
}
