package epoll

import (
	"slices"
	"testing"
	"time"
)

// BenchmarkSleep measures how far a sleep runs over its time, with the timer slack that
// threads have by default and without.
func BenchmarkSleep(b *testing.B) {
	for _, d := range []time.Duration{100 * time.Microsecond, time.Millisecond, 20 * time.Millisecond} {
		for _, timers := range []string{"default", "fine"} {
			b.Run(d.String()+"/"+timers, func(b *testing.B) {
				onThread(func() { overshoot(b, d, timers == "fine") })
			})
		}
	}
}

func overshoot(b *testing.B, d time.Duration, fine bool) {
	p, err := New(1)
	if err != nil {
		b.Error(err)
		return
	}
	defer p.Close()
	if fine {
		if err := FineTimers(); err != nil {
			b.Error(err)
			return
		}
	}
	over := make([]time.Duration, 0, b.N)
	cpu := ThreadCPU()
	for range b.N {
		begin := time.Now()
		p.Sleep(d)
		over = append(over, time.Since(begin)-d)
	}
	cpu = ThreadCPU() - cpu
	slices.Sort(over)
	at := func(q float64) float64 { return float64(over[int(q*float64(len(over)-1))]) / 1e3 }
	b.ReportMetric(at(0.5), "us-over-p50")
	b.ReportMetric(at(0.99), "us-over-p99")
	b.ReportMetric(float64(cpu)/1e3/float64(b.N), "us-CPU/op")
}
