package lab

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/stats"
)

// plan is what has to be equal for runs of this request to be comparable. What must not be
// stored counts by a digest.
func (r Request) plan(target string, hide redact.Env) ledger.PlanKey {
	p := ledger.PlanKey{
		Target: redact.URL(target), Connections: r.Plan.Connections, Depth: r.Plan.Depth, RateHz: r.RateHz,
		Args: redact.Args(r.Args),
	}
	var more []string
	if text, err := json.Marshal(r.Protocol); err == nil && string(text) != "{}" {
		more = append(more, "options "+digest(hide, string(text)))
	}
	if p.Target != target || !slices.Equal(p.Args, r.Args) {
		_, query, _ := strings.Cut(target, "?") // host and port do not count
		more = append(more, "values "+digest(hide, strings.Join(append([]string{query}, r.Args...), "\x00")))
	}
	if c := r.storableLoad(); c != nil {
		more = append(more, "load command "+digest(hide, strings.Join(r.Load.Words, "\x00")))
	}
	if r.Agents != nil {
		more = append(more, fmt.Sprintf("%d agents", len(r.Agents.Names)))
	}
	if box := r.Box.String(); box != "" {
		more = append(more, "box "+box)
	}
	p.More = strings.Join(more, ", ")
	return p
}

// digest tells texts of one ledger apart, in 64 bits.
func digest(hide redact.Env, text string) string { return hide.Digest(text)[:16] }

// measures are the results of a run that lists and histories show.
func (r Record) measures() []ledger.MeasureValue {
	var all []ledger.MeasureValue
	add := func(m judge.Measure, value *float64) {
		if value != nil {
			all = append(all, ledger.MeasureValue{Name: m.Key, Unit: m.Unit, Value: *value})
		}
	}
	if c := r.CPUNanos; c != nil {
		m := ledger.MeasureValue{Name: measure.CPU.Key, Unit: measure.CPU.Unit, Value: c.Value}
		if c.Conf > 0 {
			m.Low, m.High = &c.Low, &c.High
		}
		all = append(all, m)
	}
	if l := r.Latency; l != nil {
		add(measure.Throughput, &r.RequestsPerSecond)
		of := map[float64]int64{0.5: l.P50, 0.9: l.P90, 0.99: l.P99, 0.999: l.P999}
		for _, m := range measure.All {
			if m.Level == judge.Pooled && !m.FirstByte && stats.Resolves(l.Count, m.Quantile) {
				nanos := float64(of[m.Quantile])
				add(m, &nanos)
			}
		}
	}
	if s := r.Streams; s != nil {
		add(measure.Messages, &s.MessagesPerSecond)
		if l := s.FirstByte; l != nil {
			of := map[float64]int64{0.5: l.P50, 0.99: l.P99}
			for _, m := range measure.All {
				if m.FirstByte && stats.Resolves(l.Count, m.Quantile) {
					nanos := float64(of[m.Quantile])
					add(m, &nanos)
				}
			}
		}
	}
	add(measure.Allocs, r.PerRequest.Allocs)
	add(measure.Bytes, r.PerRequest.AllocBytes)
	add(measure.ReadCalls, r.PerRequest.ReadCalls)
	add(measure.WriteCalls, r.PerRequest.WriteCalls)
	if rss := float64(r.PeakRSSBytes); rss > 0 {
		add(measure.PeakRSS, &rss)
	}
	if rss := float64(r.ResidentBytes); rss > 0 {
		add(measure.Resident, &rss)
	}
	if r.Box != nil && r.Box.CPUs > 0 {
		percent := 100 * r.Box.ThrottledShare
		add(measure.Throttled, &percent)
	}
	if took := float64(r.ReadyAfter); took > 0 {
		add(measure.Start, &took)
	}
	return all
}
