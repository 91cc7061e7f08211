package model

import (
	"fmt"

	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
)

// Collector is what a run says of the Go runtime: the parts of its line.
func Collector(s *record.RuntimeSummary) []string {
	var parts []string
	if s.GCShare != nil {
		text := fmt.Sprintf("%s %% of the CPU", units.Digits(100**s.GCShare))
		if *s.AssistShare >= 0.0005 {
			text += fmt.Sprintf(" (%s %% by assists)", units.Digits(100**s.AssistShare))
		}
		parts = append(parts, text)
	}
	if s.Cycles == 0 {
		return append(parts, "did not run: no collection ended during the slices, goal "+
			units.Bytes(float64(s.HeapGoalBytes)))
	}
	parts = append(parts, fmt.Sprintf("%s cycles/s", units.Digits(float64(s.Cycles)/s.Time.Seconds())))
	if s.Pauses.Count > 0 {
		parts = append(parts, "pauses "+spans(s.Pauses))
	}
	return append(parts, "heap "+units.Bytes(float64(s.HeapLiveBytes))+" live, goal "+
		units.Bytes(float64(s.HeapGoalBytes)))
}

// Scheduler is the same of its goroutines.
func Scheduler(s *record.RuntimeSummary) []string {
	parts := []string{"up to " + units.Count(s.Goroutines)}
	if s.Waits.Count > 0 {
		parts = append(parts, "waits for a processor "+spans(s.Waits))
	}
	return parts
}

func spans(s record.Spans) string {
	return fmt.Sprintf("p50 %s p99 %s max %s", units.Nanos(float64(s.P50)), units.Nanos(float64(s.P99)),
		units.Nanos(float64(s.Max)))
}
