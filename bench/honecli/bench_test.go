package honecli

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// The verdict on time is read from hone's document, and one that is something else is refused.
func TestBenchAnswer(t *testing.T) {
	const text = `{"schema": "hone.bench/1", "elapsed_ns": 30000000000, "benchmarks": [{"how": "turns", "verdicts": [
		{"measure": {"key": "time"}, "verdict": "slower", "ratio": 1.015, "low": 1.01, "high": 1.02, "resolution": 0.005, "starts": 24, "pairs": 2400}]}]}`
	var d benchAnswer
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	b, err := d.only()
	if err != nil || b.Resolution != 0.005 || b.Elapsed != 30*time.Second || b.How != "turns" || b.Pairs != 2400 {
		t.Errorf("%+v, %v", b, err)
	}
	for _, change := range []string{`"hone.bench/1" "hone.bench/9"`, `"time" "cpu"`, `1.02 null`} {
		old, young, _ := strings.Cut(change, " ")
		var bad benchAnswer
		if err := json.Unmarshal([]byte(strings.Replace(text, old, young, 1)), &bad); err != nil {
			t.Fatal(err)
		}
		if b, err := bad.only(); err == nil {
			t.Errorf("%s for %s was read as %+v", young, old, b)
		}
	}
}

// A benchmark that was not measured has no verdict, and is the same: an older hone gives no reason.
func TestUnmeasured(t *testing.T) {
	for reason, want := range map[string]string{``: SameCode, `, "reason": "same code"`: SameCode,
		`, "reason": "executes nothing that changed"`: NotExecuted} {
		var d benchAnswer
		text := `{"schema": "hone.bench/1", "elapsed_ns": 1000000000, "unchanged": [{"name": "Parse"` + reason + `}]}`
		if err := json.Unmarshal([]byte(text), &d); err != nil {
			t.Fatal(err)
		}
		b, err := d.only()
		if err != nil || b.Said.Unmeasured != want || b.Said.Alarm() || b.Said.Bound() != 0 || b.Said.Seconds != 1 {
			t.Errorf("%s: %+v, %v", reason, b.Said, err)
		}
	}
}
