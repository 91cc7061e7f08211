package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/compare"
)

// A measurement is read from hone's document, and one that is something else is refused.
func TestReadMeasurement(t *testing.T) {
	const text = `{"schema": "hone.bench/1", "elapsed_ns": 30000000000, "benchmarks": [{"how": "turns", "verdicts": [
		{"measure": {"key": "time"}, "verdict": "slower", "ratio": 1.015, "low": 1.01, "high": 1.02, "resolution": 0.005, "starts": 24, "pairs": 2400}]}]}`
	var d document
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
		var bad document
		if err := json.Unmarshal([]byte(strings.Replace(text, old, new, 1)), &bad); err != nil {
			t.Fatal(err)
		}
		if err := (&record{}).read(bad); err == nil {
			t.Errorf("%s for %s was taken", new, old)
		}
	}
}

// Only what the results lack is measured, and another budget is another measurement.
func TestMissing(t *testing.T) {
	some := []record{{Kind: equal, Benchmark: "Hash", Budget: time.Second, Verdict: compare.Same}}
	if got := len(missing(some, 2, time.Second)); got != 2*2*len(benchmarks)-1 {
		t.Errorf("%d measurements are missing", got)
	}
	if got := len(missing(some, 2, 2*time.Second)); got != 2*2*len(benchmarks) {
		t.Errorf("%d measurements of another time are missing", got)
	}
	var b strings.Builder
	if err := printTable(&b, some, time.Second); err != nil || !strings.Contains(b.String(), "| Hash | aa | 1 |") || strings.Contains(b.String(), "| Sort |") {
		t.Errorf("%s, %v", b.String(), err)
	}
}
