package lab

import (
	"encoding/json"
	"fmt"
	"hash/fnv"

	"github.com/gohone/hone/internal/compare"
	"github.com/gohone/hone/internal/ledger"
)

// plan is what has to be equal for runs of this request to be comparable.
func (r Request) plan(target string) ledger.Plan {
	return ledger.Plan{
		Target: target, Connections: r.Plan.Connections, Depth: r.Plan.Depth, RateHz: r.RateHz,
		Args: r.Args, More: r.protocolKey(),
	}
}

// protocolKey tells protocol options apart by a digest; empty for none at all.
func (r Request) protocolKey() string {
	text, err := json.Marshal(r.Protocol)
	if err != nil || string(text) == "{}" {
		return ""
	}
	h := fnv.New64a()
	h.Write(text)
	return fmt.Sprintf("options %016x", h.Sum64())
}

// measures are the results of a run that lists and histories show.
func (r Record) measures() []ledger.Measure {
	var all []ledger.Measure
	add := func(m compare.Measure, value *float64) {
		if value != nil {
			all = append(all, ledger.Measure{Name: m.Key, Unit: m.Unit, Value: *value})
		}
	}
	if c := r.CPUNanos; c != nil {
		m := ledger.Measure{Name: compare.CPU.Key, Unit: compare.CPU.Unit, Value: c.Value}
		if c.Conf > 0 {
			m.Low, m.High = &c.Low, &c.High
		}
		all = append(all, m)
	}
	if l := r.Latency; l != nil {
		add(compare.Throughput, &r.RequestsPerSecond)
		of := map[float64]int64{0.5: l.P50, 0.9: l.P90, 0.99: l.P99, 0.999: l.P999}
		for _, m := range compare.Measures {
			if m.Level == compare.Pooled {
				nanos := float64(of[m.Quantile])
				add(m, &nanos)
			}
		}
	}
	add(compare.Allocs, r.PerRequest.Allocs)
	add(compare.Bytes, r.PerRequest.AllocBytes)
	add(compare.ReadCalls, r.PerRequest.ReadCalls)
	add(compare.WriteCalls, r.PerRequest.WriteCalls)
	if rss := float64(r.PeakRSSBytes); rss > 0 {
		add(compare.PeakRSS, &rss)
	}
	if rss := float64(r.ResidentBytes); rss > 0 {
		add(compare.Resident, &rss)
	}
	return all
}
