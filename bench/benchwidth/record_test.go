package benchwidth

import (
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/gotest"
	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/judge"
)

// A planted slow-down is found on its side only.
func TestFound(t *testing.T) {
	r := record{Slow: "B"}
	r.hone(honecli.Bench{Verdict: judge.Verdict{Word: judge.Slower, Ratio: 1.015, Resolution: 0.005}, How: "turns",
		Elapsed: 30 * time.Second})
	if !r.found() || !r.alarm() || r.slowdown() != 1.015 || r.Half != 0.005 || r.Seconds != 30 {
		t.Errorf("%+v", r)
	}
	if r.Slow = "A"; r.found() || r.slowdown() != 1/r.Ratio {
		t.Errorf("%+v: the wrong side counts as found", r)
	}
}

// Only what the results lack is measured, and another budget is another measurement; the document
// has a row of what was measured, and of nothing else.
func TestMissing(t *testing.T) {
	some := []record{{Way: byHone, Kind: equal, Benchmark: "Zstd", Budget: time.Second, Verdict: judge.Same, Ratio: 1,
		Half: 0.004}}
	want := map[string]int{byHone: 2, byBenchstat: 1}
	all := 3 * len(kinds) * len(benchmarks)
	if got := len(missing(some, want, time.Second)); got != all-1 {
		t.Errorf("%d measurements are missing", got)
	}
	if got := len(missing(some, want, 2*time.Second)); got != all {
		t.Errorf("%d measurements of another time are missing", got)
	}
	b := &bed.Result{}
	document{time.Second}.write(b, some)
	for _, line := range []string{
		"Zstd       aa    0.40 (0.40 .. 0.40)",
		"half-width of the interval: 0.40 (0.40 .. 0.40) %", "half-width of at most 0.7 %: 1 of 1, 100.0 %",
	} {
		if !strings.Contains(b.Text(), line) {
			t.Errorf("no %q in\n%s", line, b.Text())
		}
	}
	if strings.Contains(b.Text(), "YAML") || strings.Contains(b.Text(), "slow-downs of 1.5 %") {
		t.Errorf("a row or a goal without results in\n%s", b.Text())
	}
}

// What benchstat's test says becomes a verdict about B.
func TestClassic(t *testing.T) {
	for _, c := range []struct {
		ratio, p float64
		want     judge.Word
		found    bool
	}{{1.02, 0.01, judge.Slower, true}, {0.98, 0.05, judge.Faster, false}, {1.02, 0.06, judge.Undecided, false}} {
		r := record{Slow: "B"}
		if r.classic(gotest.Classic{Ratio: c.ratio, P: c.p}); r.Verdict != c.want || r.found() != c.found {
			t.Errorf("ratio %v, p %v: %+v", c.ratio, c.p, r)
		}
	}
}
