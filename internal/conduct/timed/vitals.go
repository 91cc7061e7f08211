package timed

import (
	"time"

	"github.com/gohone/hone/internal/program/probeclient"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/vitals"
	"github.com/gohone/hone/load"
)

// Vitals are what is known of a program when a slice is over, for the live view. askedHz is the rate that was asked
// for; 0 for none.
func (t *Load) Vitals(of Sample, askedHz float64) vitals.Reading {
	wall := of.Loaded.Duration.Seconds()
	perSec := func(n uint64) vitals.Value { return vitals.Of(float64(n) / wall) }
	r := vitals.Reading{
		At: of.Loaded.Start.Add(of.Loaded.Duration), Traffic: vitals.Traffic{RatePerSec: vitals.Of(t.Lately().Rate()),
			ErrorsPerSec: perSec(of.Loaded.Failed),
			RateName:     "answered right", LatencyName: "service time"},
		Process: vitals.Process{CPUCores: vitals.Of(of.Counters.AllCPU().Seconds() / wall),
			ReadCallsPerSec: perSec(of.Counters.ReadCalls), WriteCallsPerSec: perSec(of.Counters.WriteCalls),
			Connections: vitals.Of(float64(of.Loaded.Live))},
	}
	if askedHz > 0 {
		r.AskedPerSec, r.LatencyName = vitals.Of(askedHz), "response time"
	}
	if of.Loaded.Answered > 0 {
		r.LatencyP50Seconds, r.LatencyP99Seconds = seconds(of.p50), seconds(of.P99)
	}
	if of.Loaded.WorkerWall > 0 {
		r.GeneratorShare = vitals.Of(float64(of.Loaded.WorkerCPU-of.Loaded.Spin) / float64(of.Loaded.WorkerWall))
	}
	for i, n := range t.Tally.Causes {
		if n > 0 && load.Cause(i) != load.OK {
			r.Causes = append(r.Causes, vitals.Cause{Name: load.Cause(i).String(), Count: n})
		}
	}
	return r
}

// RuntimeVitals adds what the latest readings of the runtime say. It adds up histograms of
// seconds, which is for a picture and not for every slice.
func (t *Load) RuntimeVitals(r *vitals.Reading) {
	if len(t.Moments) == 0 {
		return
	}
	m := t.Moments[len(t.Moments)-1]
	now, took := m.Runtime, m.Took.Seconds()
	of := func(n uint64) vitals.Value { return vitals.Of(float64(n)) }
	r.HeapBytes, r.HeapLiveBytes, r.HeapGoalBytes = of(now.HeapObjectBytes), of(now.HeapLiveBytes),
		of(now.HeapGoalBytes)
	r.Goroutines = of(now.Goroutines)
	r.GCCyclesPerSec, r.AllocBytesPerSec = vitals.Of(float64(now.GCCycles)/took),
		vitals.Of(float64(now.AllocBytes)/took)
	var lately probeclient.Runtime // shares and pauses are of a while: single readings have few cycles
	for i := len(t.Moments) - 1; i >= 0 && m.At.Sub(t.Moments[i].At) < lookBack; i-- {
		lately = lately.Add(t.Moments[i].Runtime)
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
