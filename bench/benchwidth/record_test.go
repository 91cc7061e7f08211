package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/bench/gotest"
	"github.com/gohone/hone/internal/compare"
)

// A measurement is read from hone's document, and one that is something else is refused.
func TestReadMeasurement(t *testing.T) {
	const text = `{"schema": "hone.bench/1", "elapsed_ns": 30000000000, "benchmarks": [{"how": "turns", "verdicts": [
		{"measure": {"key": "time"}, "verdict": "slower", "ratio": 1.015, "low": 1.01, "high": 1.02, "resolution": 0.005, "starts": 24, "pairs": 2400}]}]}`
	var d answer
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	r := record{Kind: planted, Slow: "B"}
	if err := r.read(d); err != nil || r.Half != 0.005 || r.Seconds != 30 || r.How != "turns" || !r.found() || !r.alarm() {
		t.Errorf("%+v, %v", r, err)
	}
	if r.Slow = "A"; r.found() {
		t.Error("the wrong side counts as found")
	}
	for _, change := range []string{`"hone.bench/1" "hone.bench/9"`, `"time" "cpu"`, `0.005 null`} {
		old, new, _ := strings.Cut(change, " ")
		var bad answer
		if err := json.Unmarshal([]byte(strings.Replace(text, old, new, 1)), &bad); err != nil {
			t.Fatal(err)
		}
		if err := (&record{}).read(bad); err == nil {
			t.Errorf("%s for %s was taken", new, old)
		}
	}
}

// Only what the results lack is measured, and another budget is another measurement; the document
// has a row of what was measured, and of nothing else.
func TestMissing(t *testing.T) {
	some := []record{{Way: byHone, Kind: equal, Benchmark: "Zstd", Budget: time.Second, Verdict: compare.Same, Ratio: 1, Half: 0.004}}
	want := map[string]int{byHone: 2, byBenchstat: 1}
	all := 3 * len(kinds) * len(benchmarks)
	if got := len(missing(some, want, time.Second)); got != all-1 {
		t.Errorf("%d measurements are missing", got)
	}
	if got := len(missing(some, want, 2*time.Second)); got != all {
		t.Errorf("%d measurements of another time are missing", got)
	}
	var b strings.Builder
	document{time.Second}.write(&b, some)
	for _, line := range []string{
		"| Zstd | aa | 1 | 0.40 (0.40 .. 0.40) |",
		"half-width of the interval among equal sides: 0.40 (0.40 .. 0.40) %; goal at most 0.7 %, held in 1, 100.0 %",
		"planted slow-downs found: - of 0; goal at least 90 %: **not measured**",
	} {
		if !strings.Contains(b.String(), line) {
			t.Errorf("no %q in\n%s", line, b.String())
		}
	}
	if strings.Contains(b.String(), "| YAML |") {
		t.Errorf("a row without results in\n%s", b.String())
	}
}

// What benchstat's test says becomes a verdict about B.
func TestClassic(t *testing.T) {
	for _, c := range []struct {
		ratio, p float64
		want     compare.Word
		found    bool
	}{{1.02, 0.01, compare.Slower, true}, {0.98, 0.05, compare.Faster, false}, {1.02, 0.06, compare.Undecided, false}} {
		r := record{Slow: "B"}
		if r.classic(gotest.Classic{Ratio: c.ratio, P: c.p}); r.Verdict != c.want || r.found() != c.found {
			t.Errorf("ratio %v, p %v: %+v", c.ratio, c.p, r)
		}
	}
}
