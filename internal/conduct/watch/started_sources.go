package watch

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/gohone/hone/internal/program/probeclient"
	"github.com/gohone/hone/internal/program/subject"
	"github.com/gohone/hone/internal/text/vitals"
)

// usage reads what the system knows about a program that hone has started, all its
// processes together.
type usage struct {
	process                                    *subject.Process
	cpu, reads, writes, voluntary, involuntary vitals.Counter
	unheld
}

func (u *usage) name() string { return "process" }

func (u *usage) read(context.Context) (vitals.Reading, error) {
	var r vitals.Reading
	now := time.Now()
	all, err := u.process.Usage()
	if err != nil {
		if exit := u.process.Exit(); exit != nil {
			return r, ended{exit}
		}
		return r, err
	}
	r.CPUCores = u.cpu.Rate(now, all.AllCPU().Seconds())
	r.ResidentBytes = vitals.Of(float64(all.RSS))
	if runtime.GOOS != "linux" { // ps knows no more
		return r, nil
	}
	r.Threads, r.OpenFiles = vitals.Of(float64(all.Threads)), vitals.Of(float64(all.FDs))
	r.ReadCallsPerSec, r.WriteCallsPerSec = u.reads.Rate(now, float64(all.ReadCalls)),
		u.writes.Rate(now, float64(all.WriteCalls))
	r.VoluntaryPerSec, r.InvoluntaryPerSec = u.voluntary.Grow(now, float64(all.Voluntary)),
		u.involuntary.Grow(now, float64(all.Involuntary))
	return r, nil
}

// runtimeSource reads runtime/metrics of all processes through their probes.
type runtimeSource struct {
	probes *probeclient.Probes
	totals probeclient.Totals
	at     time.Time
	last   probeclient.Runtime
	lately
	unheld
}

func newRuntimeSource(p *probeclient.Probes) *runtimeSource {
	return &runtimeSource{probes: p, lately: newLately()}
}

func (s *runtimeSource) name() string { return "probe" }

// probeGoroutines are those of the probe itself in each process while it answers.
const probeGoroutines = 2

func (s *runtimeSource) read(ctx context.Context) (vitals.Reading, error) {
	var r vitals.Reading
	answers, err := s.probes.RuntimeMetrics(ctx)
	if err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			return r, errors.New("no answer")
		}
		return r, err
	}
	all := s.totals.Take(answers).Runtime()
	all.Processes = len(answers.Of)
	s.fill(&r, all, time.Now())
	return r, nil
}

func (s *runtimeSource) fill(r *vitals.Reading, all probeclient.Runtime, now time.Time) {
	of := func(metric string, n uint64) vitals.Value {
		if slices.Contains(all.Missing, metric) {
			return vitals.Value{}
		}
		return vitals.Of(float64(n))
	}
	r.HeapBytes = of("/memory/classes/heap/objects:bytes", all.HeapObjectBytes)
	r.HeapLiveBytes = of("/gc/heap/live:bytes", all.HeapLiveBytes)
	r.HeapGoalBytes = of("/gc/heap/goal:bytes", all.HeapGoalBytes)
	r.Goroutines = of("/sched/goroutines:goroutines",
		all.Goroutines-min(all.Goroutines, uint64(probeGoroutines*max(1, all.Processes))))
	before, elapsed := s.last, now.Sub(s.at).Seconds()
	first := s.at.IsZero()
	s.last, s.at = all, now
	if first || elapsed <= 0 {
		return
	}
	d := all.Sub(before)
	r.GCCyclesPerSec = vitals.Of(float64(d.GCCycles) / elapsed)
	r.AllocBytesPerSec = vitals.Of(float64(d.AllocBytes) / elapsed)
	for _, b := range d.Pauses {
		upper := b.To
		if math.IsInf(upper, 1) {
			upper = b.From
		}
		s.pauses.Add(now, upper, float64(b.Count))
	}
	r.GCPauseP99Seconds = s.pauses.Quantile(now, 0.99)
	if used := d.CPU.Total - d.CPU.Idle; d.GCCycles > 0 && used > 0 {
		s.collected(vitals.Of(d.CPU.GC.Seconds()/used.Seconds()), now)
	}
	r.GCShare = s.shareNow(now)
}
