package model

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/internal/text/units"
)

// loadLatencies are the distributions of a load test.
func loadLatencies(s *recording.Summary) (all []Distribution) {
	if s.Latency.Count == 0 { // no request was answered right
		return nil
	}
	add := func(name, of string, l *recording.Latency) {
		if l != nil && l.Count > 0 {
			all = append(all, Distribution{Name: name, Latency: *l, Of: "of " + units.Plural(int(l.Count), of)})
		}
	}
	open, l, of := s.Loop == "open", &s.Latencies, "answer"
	if l.Age != nil { // the headline has the ages of what was given up
		of = "request"
	}
	add(LatencyKind(open), of, &s.Latency)
	if open {
		add("service time", "answer", &l.Service)
		add("send lag", "request", l.Lag)
	}
	add("wrong answers", "answer", l.Failed)
	add("first byte", "answer", l.FirstByte)
	add("between messages", "pause", l.Gaps)
	add("age of messages", "message", l.MessageAge)
	return all
}

// quantiles are the quantiles of a latency that it has answers enough for, as text.
func quantiles(l recording.Latency) string {
	var parts []string
	for _, q := range l.Quantiles() {
		if q.Resolved {
			parts = append(parts, q.Name+" "+units.Nanos(float64(q.Value)))
		}
	}
	return strings.Join(parts, "  ")
}

func loadStreams(s *recording.Summary) []Row {
	if s.Messages == 0 {
		return nil
	}
	return []Row{{Name: "messages of streams", Text: units.Rate(s.MessagesHz), Note: units.Count(s.Messages)}}
}

func loadTargets(s *recording.Summary) (all []Row) {
	for _, t := range s.Targets {
		all = append(all, Row{Name: t.Name, Text: quantiles(t.Latency), Note: fmt.Sprintf("%s right, %s failed", units.Count(t.Answered), units.Count(t.Failed))})
	}
	return all
}

func loadGenerator(s *recording.Summary) []Row {
	g := s.Generator
	parts := []string{fmt.Sprintf("%.0f %% of its CPU", 100*g.Busy)}
	if g.CPUPerRequest > 0 {
		parts = append(parts, units.Nanos(float64(g.CPUPerRequest))+" for each request")
	}
	if g.Spin >= 0.005 {
		parts = append(parts, fmt.Sprintf("%.0f %% waiting for due moments", 100*g.Spin))
	}
	if l := s.Latencies.Lag; l != nil {
		parts = append(parts, fmt.Sprintf("send lag p99 %s max %s", units.Nanos(float64(l.P99)), units.Nanos(float64(l.Max))))
	}
	pauses := "no GC pauses"
	if n := g.Pauses.Count; n > 0 {
		pauses = fmt.Sprintf("%s GC pauses up to %s", units.Count(n), units.Nanos(float64(g.Pauses.Max)))
	}
	all := []Row{{Name: "load generator", Text: strings.Join(append(parts, pauses), ", ")}}
	c := s.Calibration
	if c == nil {
		return all
	}
	used := 0.0
	if c.CeilingHz > 0 {
		used = s.AchievedHz / c.CeilingHz
	}
	parts = []string{
		fmt.Sprintf("%s (this was %.0f %% of it)", units.Rate(c.CeilingHz), 100*used),
		fmt.Sprintf("service time p50 %s p99 %s", units.Nanos(float64(c.FloorP50)), units.Nanos(float64(c.FloorP99))),
		units.Nanos(float64(c.CPUPerRequest)) + " of CPU per request",
	}
	if c.LagP99 > 0 {
		parts = append(parts, "send lag p99 "+units.Nanos(float64(c.LagP99)))
	}
	return append(all, Row{Name: "at its best here", Text: strings.Join(parts, ", ")})
}
