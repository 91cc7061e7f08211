package watch

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/text/panels"
	"github.com/gohone/hone/internal/text/vitals"
)

func TestPlainLines(t *testing.T) {
	var out, messages bytes.Buffer
	p := NewPlain(&out, &messages, false)
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	r := vitals.Reading{At: at,
		Traffic: vitals.Traffic{RatePerSec: vitals.Of(1234.4), LatencyP99Seconds: vitals.Of(0.0021)},
		Process: vitals.Process{CPUCores: vitals.Of(0.5)},
		Runtime: vitals.Runtime{HeapBytes: vitals.Of(12e6), HeapGoalBytes: vitals.Of(20e6),
			GCShareSinceStart: vitals.Of(0.02),
			Goroutines:        vitals.Of(12)}}
	p.Show(panels.State{Warnings: []string{"/metrics: no answer for 1.5 s"}}, &r)
	// the same reading
	p.Show(panels.State{Warnings: []string{"/metrics: no answer for 2.5 s"}, Notes: []string{"mark 1\x1b[2J"}}, &r)
	p.Show(panels.State{}, &vitals.Reading{At: at.Add(time.Second)})
	want := "03:04:05  1,234/s  p99 2.10 ms  cpu 0.500  heap 12.0 MB  of 20.0 MB  gc 2.00 % since start  goroutines 12\n03:04:06  no data\n"
	if got := out.String(); got != want {
		t.Errorf("lines\n%s\nwant\n%s", got, want)
	}
	if got := messages.String(); got != "hone: /metrics: no answer for 1.5 s\nhone: mark 1\\u001b[2J\n" {
		t.Errorf("messages %q: each is said once, and harmless", got)
	}
}

func TestJSONLines(t *testing.T) {
	var out bytes.Buffer
	p := NewPlain(&out, &out, true)
	p.Show(panels.State{}, &vitals.Reading{At: time.Unix(1, 0).UTC(), Process: vitals.Process{CPUCores: vitals.Of(1.5)}})
	p.Show(panels.State{}, &vitals.Reading{At: time.Unix(2, 0).UTC()})
	var lines []map[string]any
	for text := range strings.Lines(out.String()) {
		var line map[string]any
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		lines = append(lines, line)
	}
	if len(lines) != 2 || lines[0]["schema"] != LineSchema || lines[0]["cpu_cores"] != 1.5 ||
		lines[1]["cpu_cores"] != nil {
		t.Errorf("lines %v", lines)
	}
}
