package lab

import (
	"time"

	"github.com/gohone/hone/internal/program/probeclient"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/vitals"
	"github.com/gohone/hone/load"
)

// vitals are what is known of a program when a slice is over, for the live view.
func (s *start) vitals(of sample) vitals.Reading {
	wall := of.slice.Duration.Seconds()
	perSec := func(n uint64) vitals.Value { return vitals.Of(float64(n) / wall) }
	r := vitals.Reading{
		At: of.slice.Start.Add(of.slice.Duration), RatePerSec: vitals.Of(s.lately().rate()),
		ErrorsPerSec: perSec(of.slice.Failed),
		RateName:     "answered right", LatencyName: "service time",
		CPUCores:        vitals.Of(of.counters.AllCPU().Seconds() / wall),
		ReadCallsPerSec: perSec(of.counters.ReadCalls), WriteCallsPerSec: perSec(of.counters.WriteCalls),
		Connections: vitals.Of(float64(of.slice.Live)),
	}
	if hz := s.task.RateHz; hz > 0 {
		r.AskedPerSec, r.LatencyName = vitals.Of(hz), "response time"
	}
	if of.slice.Answered > 0 {
		r.LatencyP50Seconds, r.LatencyP99Seconds = seconds(of.p50), seconds(of.p99)
	}
	if of.slice.WorkerWall > 0 {
		r.GeneratorShare = vitals.Of(float64(of.slice.WorkerCPU-of.slice.Spin) / float64(of.slice.WorkerWall))
	}
	for i, n := range s.timed.tally.Causes {
		if n > 0 && load.Cause(i) != load.OK {
			r.Causes = append(r.Causes, vitals.Cause{Name: load.Cause(i).String(), Count: n})
		}
	}
	return r
}

// runtimeVitals adds what the latest readings of the runtime say. It adds up histograms of
// seconds, which is for a picture and not for every slice.
func (v *service) runtimeVitals(r *vitals.Reading) {
	if len(v.timed.moments) == 0 {
		return
	}
	m := v.timed.moments[len(v.timed.moments)-1]
	now, took := m.runtime, m.took.Seconds()
	of := func(n uint64) vitals.Value { return vitals.Of(float64(n)) }
	r.HeapBytes, r.HeapLiveBytes, r.HeapGoalBytes = of(now.HeapObjectBytes), of(now.HeapLiveBytes),
		of(now.HeapGoalBytes)
	r.Goroutines = of(now.Goroutines)
	r.GCCyclesPerSec, r.AllocBytesPerSec = vitals.Of(float64(now.GCCycles)/took),
		vitals.Of(float64(now.AllocBytes)/took)
	var lately probeclient.Runtime // shares and pauses are of a while: single readings have few cycles
	for i := len(v.timed.moments) - 1; i >= 0 && m.at.Sub(v.timed.moments[i].at) < lookBack; i-- {
		lately = lately.Add(v.timed.moments[i].runtime)
	}
	if share, known := record.GCShareOf(lately); known {
		r.GCShare = vitals.Of(share)
	}
	if pauses := spansOf(lately.Pauses); pauses.Count > 0 {
		r.GCPauseP99Seconds = seconds(pauses.P99)
	}
}

// lookBack is how far back the collector's share and pauses go.
const lookBack = 5 * time.Second

func seconds(d time.Duration) vitals.Value { return vitals.Of(d.Seconds()) }
