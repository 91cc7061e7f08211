package calibrate

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/golden"
)

// TestReport makes the document of a small, invented calibration of two sessions.
func TestReport(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bed.jsonl")
	j, err := bed.Open[record](path, resultsSchema, true)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range invented() {
		r.At = noon.Add(time.Duration(i) * time.Minute)
		if err := j.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	b := &bed.Bed{Result: &bed.Result{}, Records: path}
	if err := bed.Publish(b, resultsSchema, func(r *bed.Result,
		records []record) {
		document(r, records, 0)
	}); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "testdata/calibration.txt", b.Text())
}

func TestReportOfNothingIsAnError(t *testing.T) {
	b := &bed.Bed{Result: &bed.Result{}, Records: filepath.Join(t.TempDir(), "none")}
	err := bed.Publish(b, resultsSchema, func(*bed.Result, []record) {})
	if err == nil || !strings.Contains(err.Error(), "no results") {
		t.Errorf("%v", err)
	}
}

// invented are 20 comparisons of equal variants with a false alarm, 8 planted slow-downs
// of 3 % of which 6 are found, and 4 trials of the classic way.
func invented() []record {
	slopes := []float64{0.0004, 0.0005, 0.00045}
	second := head()
	second.Session.Command = "go run ./calibrate -only aa"
	second.Session.Machine = append(second.Session.Machine, "load      9.9")
	rs := []record{head(), {Kind: kindPlant, Service: "framed",
		Plant: &plant{BaseNanos: 360.4, LoopNanos: 0.41, LargeSpin: 176,
			Slope: 0.00045, Slopes: slopes, Spins: map[string]int{"planted-1.5": 33, "planted-3": 67, "planted-5": 111,
				"planted-30": 667}}}}
	for i := range 20 {
		c := comparison{Verdict: same, Ratio: 1 + float64(i-10)/5000, Seconds: 20 + float64(i)}
		switch i {
		case 3:
			c.Verdict = slower
		case 4, 5:
			c.Verdict = undecided
		case 6:
			c = comparison{Verdict: invalid, Reason: "replies withheld", Seconds: 5}
		}
		rs = append(rs, record{Kind: "aa", Service: services[i%2].Name, Comparison: &c})
	}
	rs = append(rs, second)
	for i := range 8 {
		c := comparison{Spin: 67, Slow: "B", Verdict: slower, Ratio: 1.03 + float64(i)/4000, Seconds: 12}
		switch i {
		case 1:
			c.Slow, c.Verdict, c.Ratio = "A", faster, 1/c.Ratio
		case 2:
			c.Verdict = undecided
		case 3:
			c.Verdict = faster
		}
		rs = append(rs, record{Kind: "planted-3", Service: "framed", Comparison: &c})
	}
	rs = append(rs, record{Kind: "planted-3", Service: "framed",
		Comparison: &comparison{Verdict: failed, Reason: "build"}})
	for i := range 4 {
		rs = append(rs, record{Kind: "classic", Service: "http",
			Classic: &classic{Samples: 10, Seconds: 30, CPURatio: 1.01, CPUP: float64(i) / 20, RateRatio: 0.99,
				RateP: 0.04}})
	}
	return rs
}
