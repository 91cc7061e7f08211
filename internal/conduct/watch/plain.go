package watch

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/text/panels"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/text/vitals"
)

// Plain writes a line for each reading, for pipes, logs and terminals that cannot redraw.
// What is wrong, and what has happened, goes to messages when it changes.
type Plain struct {
	out, messages io.Writer
	json          bool
	last          time.Time
	told          []string
}

var _ Display = (*Plain)(nil)

// LineSchema is that of a line of JSON.
const LineSchema = "hone.vitals/1"

// NewPlain writes lines of text to out, or of JSON.
func NewPlain(out, messages io.Writer, asJSON bool) *Plain {
	return &Plain{out: out, messages: messages, json: asJSON}
}

// Show writes the reading unless it was written before.
func (p *Plain) Show(s panels.State, r *vitals.Reading) {
	said := slices.Concat(s.Warnings, s.Notes)
	for _, text := range said {
		if !slices.ContainsFunc(p.told, func(t string) bool { return alike(t, text) }) {
			fmt.Fprintln(p.messages, "hone:", printable.Line(text))
		}
	}
	p.told = said
	if r == nil || r.At.Equal(p.last) {
		return
	}
	p.last = r.At
	if p.json {
		line, err := json.Marshal(struct {
			Schema string `json:"schema"`
			*vitals.Reading
		}{LineSchema, r})
		if err == nil {
			fmt.Fprintf(p.out, "%s\n", line)
		}
		return
	}
	fmt.Fprintln(p.out, r.At.Format("15:04:05")+"  "+Line(r))
}

// alike says that two texts differ in numbers only: a waiting time that grew is not
// printed again and again.
func alike(a, b string) bool {
	strip := func(s string) string { return strings.Trim(strings.Map(dropDigit, s), " ") }
	return strip(a) == strip(b)
}

func dropDigit(r rune) rune {
	if r >= '0' && r <= '9' || r == '.' {
		return -1
	}
	return r
}

// Line writes what is known of a reading on one line.
func Line(r *vitals.Reading) string {
	var parts []string
	say := func(v vitals.Value, format string, write func(float64) string) {
		if x, known := v.Get(); known {
			parts = append(parts, fmt.Sprintf(format, write(x)))
		}
	}
	nanos := func(x float64) string { return units.Nanos(x * 1e9) }
	percent := func(x float64) string { return units.Digits(x*100) + " %" }
	count := func(x float64) string { return units.Count(uint64(max(0, x))) }
	say(r.RatePerSec, "%s", units.Rate)
	if x, _ := r.ErrorsPerSec.Get(); x > 0 {
		say(r.ErrorsPerSec, "errors %s", units.Rate)
	}
	say(r.LatencyP50Seconds, "p50 %s", nanos)
	say(r.LatencyP99Seconds, "p99 %s", nanos)
	say(r.CPUCores, "cpu %s", units.Digits)
	heap := r.HeapBytes.Or(r.HeapLiveBytes)
	say(heap, "heap %s", units.Bytes)
	if heap.Known() {
		say(r.HeapGoalBytes, "of %s", units.Bytes)
	}
	switch {
	case r.GCShare.Known():
		say(r.GCShare, "gc %s of cpu", percent)
	case r.GCShareOfAvailable.Known():
		say(r.GCShareOfAvailable, "gc %s of available cpu", percent)
	default:
		say(r.GCShareSinceStart, "gc %s since start", percent)
	}
	say(r.GCCyclesPerSec, "cycles %s", units.Rate)
	say(r.GCPauseP99Seconds, "pause p99 %s", nanos)
	say(r.Goroutines, "goroutines %s", count)
	say(r.Connections, "connections %s", count)
	say(r.ResidentBytes, "memory %s", units.Bytes)
	if len(parts) == 0 {
		return "no data"
	}
	return strings.Join(parts, "  ")
}
