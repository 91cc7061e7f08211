package loadtest

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gohone/hone/internal/text/vitals"
	"github.com/gohone/hone/load"
)

// answerTimes are the latencies of the right answers of a slice: response times in an open loop, else service times.
func answerTimes(got load.Slice) *hdrhistogram.Histogram {
	if got.Response != nil {
		return got.Response
	}
	return got.Service
}

// vitals are what the generator knows when a slice is over, for those who look.
func (t *test) vitals(got load.Slice) vitals.Reading {
	r := vitals.Reading{At: got.Start.Add(got.Duration),
		Process: vitals.Process{Connections: vitals.Of(float64(got.Live))},
		Traffic: vitals.Traffic{RateName: "answered right", LatencyName: "service time"}}
	if got.Response != nil {
		r.LatencyName = "response time"
	}
	if h := answerTimes(got); h != nil && h.TotalCount() > 0 {
		at := func(percent float64) vitals.Value {
			return vitals.Of(time.Duration(h.ValueAtQuantile(percent)).Seconds())
		}
		r.LatencyP50Seconds, r.LatencyP99Seconds, r.LatencyP999Seconds = at(50), at(99), at(99.9)
	}
	if got.WorkerWall > 0 {
		r.GeneratorShare = vitals.Of(float64(got.WorkerCPU-got.Spin) / float64(got.WorkerWall))
	}
	for i, n := range t.causes {
		if n > 0 && load.Cause(i) != load.OK {
			r.Causes = append(r.Causes, vitals.Cause{Name: load.Cause(i).String(), Count: n})
		}
	}
	return r
}
