package loadtest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
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
func quantiles(l recording.Latency) string { return resolved(l.Quantiles()) }

// mainQuantiles are those that most people look for first.
func mainQuantiles(l recording.Latency) string {
	return resolved(slices.DeleteFunc(l.Quantiles(), func(q recording.Quantile) bool {
		return !slices.Contains([]string{"p50", "p90", "p99", "p99.9"}, q.Name)
	}))
}

func resolved(all []recording.Quantile) string {
	var parts []string
	for _, q := range all {
		if q.Resolved {
			parts = append(parts, q.Name+" "+units.Nanos(float64(q.Value)))
		}
	}
	return strings.Join(parts, "  ")
}

func loadStreams(s *recording.Summary) []model.Row {
	if s.Messages == 0 {
		return nil
	}
	return []model.Row{{Name: "messages of streams", Text: units.Rate(s.MessagesHz), Note: units.Count(s.Messages)}}
}

func loadTargets(s *recording.Summary) (all []model.Row) {
	for _, t := range s.Targets {
		all = append(all, model.Row{Name: t.Name, Text: quantiles(t.Latency),
			Note: fmt.Sprintf("%s right, %s failed", units.Count(t.Answered), units.Count(t.Failed))})
	}
	return all
}

func loadGenerator(s *recording.Summary) []model.Row {
	g := s.Generator
	parts := []string{fmt.Sprintf("%.0f %% of its CPU", 100*g.Busy)}
	if g.CPUPerRequest > 0 {
		parts = append(parts, units.Nanos(float64(g.CPUPerRequest))+" for each request")
	}
	if g.Spin >= 0.005 {
		parts = append(parts, fmt.Sprintf("%.0f %% waiting for due moments", 100*g.Spin))
	}
	if l := s.Latencies.Lag; l != nil {
		parts = append(parts, fmt.Sprintf("send lag p99 %s max %s", units.Nanos(float64(l.P99)),
			units.Nanos(float64(l.Max))))
	}
	pauses := "no GC pauses"
	if n := g.Pauses.Count; n > 0 {
		pauses = fmt.Sprintf("%s GC pauses up to %s", units.Count(n), units.Nanos(float64(g.Pauses.Max)))
	}
	all := []model.Row{{Name: "load generator", Text: strings.Join(append(parts, pauses), ", ")}}
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
	return append(all, model.Row{Name: "at its best here", Text: strings.Join(parts, ", ")})
}

// Main are the numbers of a load test that most people look for first.
func (t *LoadTest) Main(s *recording.Summary) (all []model.Row) {
	rate := model.Row{Name: "rate", Text: "answered right " + units.Rate(s.AchievedHz),
		Note: "closed loop: a slow target lowers it"}
	if s.Loop == "open" {
		rate.Note = "asked " + units.Rate(s.AskedHz)
	}
	all = slices.Clone(t.Search)
	if len(t.Latencies) > 0 {
		all = append(all, rate)
	}
	for i, l := range t.Latencies {
		if i == 0 || slices.Contains([]string{"first byte", "between messages", "age of messages"}, l.Name) {
			all = append(all, model.Row{Name: l.Name, Text: mainQuantiles(l.Latency) + "  max " +
				units.Nanos(float64(l.Max))})
		}
	}
	answers := model.Row{Name: "answers", Text: fmt.Sprintf("%s right, %s failed", units.Count(s.Requests.Answered),
		units.Count(s.Requests.Failed))}
	if len(t.Codes) > 0 {
		answers.Note = t.Codes[0].Name + " " + t.Codes[0].Text
	}
	if s.Requests.Unanswered > 0 {
		answers.Text += fmt.Sprintf(", %s unanswered", units.Count(s.Requests.Unanswered))
	}
	return append(append(all, answers), t.Streams...)
}
