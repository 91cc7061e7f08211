package watch

import (
	"cmp"
	"slices"
	"time"

	"github.com/gohone/hone/internal/program/metricname"
	"github.com/gohone/hone/internal/text/vitals"
)

// Names under which client_golang exposes the process and the runtime, by its default
// collectors and by the one of runtime/metrics.
const (
	nameCPU         = "process_cpu_seconds_total"
	nameResident    = "process_resident_memory_bytes"
	nameFDs         = "process_open_fds"
	nameGoroutines  = "go_goroutines"
	nameGoroutines2 = "go_sched_goroutines_goroutines"
	nameThreads     = "go_threads"
	nameHeap        = "go_memstats_heap_alloc_bytes"
	nameHeap2       = "go_memory_classes_heap_objects_bytes"
	nameHeapLive    = "go_gc_heap_live_bytes"
	nameGoal        = "go_memstats_next_gc_bytes"
	nameGoal2       = "go_gc_heap_goal_bytes"
	nameCycles      = "go_gc_duration_seconds_count" // of a summary
	nameCycles2     = "go_gc_cycles_total_gc_cycles_total"
	nameAllocs      = "go_memstats_alloc_bytes_total"
	nameAllocs2     = "go_gc_heap_allocs_bytes_total"
	namePauses      = "go_sched_pauses_total_gc_seconds"
	namePauses2     = "go_gc_pauses_seconds" // before Go 1.22
	nameGCCPU       = "go_cpu_classes_gc_total_cpu_seconds_total"
	nameAllCPU      = "go_cpu_classes_total_cpu_seconds_total"
	nameIdleCPU     = "go_cpu_classes_idle_cpu_seconds_total"
)

// wantedGauges are the gauges that are read; all others are passed over.
var wantedGauges = map[string]bool{
	nameResident: true, nameFDs: true, nameGoroutines: true, nameGoroutines2: true, nameThreads: true,
	nameHeap: true, nameHeap2: true, nameHeapLive: true, nameGoal: true, nameGoal2: true,
}

// reading makes values of what the families grew by in elapsed seconds.
func (s *scrape) reading(now time.Time, elapsed float64) vitals.Reading {
	var r vitals.Reading
	gauge := func(names ...string) vitals.Value {
		for _, name := range names {
			if f := s.families[name]; f != nil {
				return vitals.Of(f.value)
			}
		}
		return vitals.Value{}
	}
	rate := func(names ...string) vitals.Value {
		for _, name := range names {
			if f := s.families[name]; f != nil && f.grown && elapsed > 0 {
				return vitals.Of(f.increase / elapsed)
			}
		}
		return vitals.Value{}
	}
	r.CPUCores, r.ResidentBytes, r.OpenFiles = rate(nameCPU), gauge(nameResident), gauge(nameFDs)
	r.Goroutines, r.Threads = gauge(nameGoroutines, nameGoroutines2), gauge(nameThreads)
	r.HeapBytes, r.HeapLiveBytes, r.HeapGoalBytes = gauge(nameHeap, nameHeap2), gauge(nameHeapLive),
		gauge(nameGoal, nameGoal2)
	r.GCCyclesPerSec, r.AllocBytesPerSec = rate(nameCycles, nameCycles2), rate(nameAllocs, nameAllocs2)
	s.collector(&r, now)
	s.load(&r, elapsed)
	return r
}

// collector fills in pauses and the share of the CPU time.
func (s *scrape) collector(r *vitals.Reading, now time.Time) {
	for _, name := range []string{namePauses, namePauses2} {
		f := s.families[name]
		if f == nil {
			continue
		}
		for _, b := range f.bins() {
			s.pauses.Add(now, b.upper, b.count)
		}
		break
	}
	r.GCPauseP99Seconds = s.pauses.Quantile(now, 0.99)
	gc, all, idle := s.families[nameGCCPU], s.families[nameAllCPU], s.families[nameIdleCPU]
	if gc == nil || all == nil || idle == nil {
		return
	}
	// The runtime brings these up to date at the end of each collection.
	if used := all.increase - idle.increase; all.grown && used > 0 {
		s.collected(vitals.Of(gc.increase/used), now)
	}
	r.GCShare = s.shareNow(now)
}

const (
	mostRates     = 5
	mostLatencies = 3
)

// choice is the family that stands for the service. It is kept as long as it is there, so
// that the picture does not jump.
type choice struct {
	name string
	// settled says that it counted something when it was chosen.
	settled bool
}

// candidate is a family that may stand for the service.
type candidate struct {
	*family
	perSec float64
	score  int
}

// pick returns the family of the choice, or makes one: the best name first, then the
// busiest. The candidates are sorted by that.
func (c *choice) pick(all []candidate) *candidate {
	if len(all) == 0 {
		return nil
	}
	at := slices.IndexFunc(all, func(one candidate) bool { return one.name == c.name })
	if at < 0 || !c.settled {
		at = 0
		*c = choice{all[0].name, all[0].perSec > 0}
	}
	return &all[at]
}

func byScore(a, b candidate) int {
	return cmp.Or(b.score-a.score, cmp.Compare(b.perSec, a.perSec), cmp.Compare(a.name, b.name))
}

func byRate(a, b candidate) int {
	return cmp.Or(cmp.Compare(b.perSec, a.perSec), cmp.Compare(a.name, b.name))
}

// load fills in rates and latencies.
func (s *scrape) load(r *vitals.Reading, elapsed float64) {
	if elapsed <= 0 {
		return
	}
	var counters, histograms []candidate
	for _, f := range s.families {
		if !f.grown || metricname.AboutItself(f.name) {
			continue
		}
		one := candidate{f, f.increase / elapsed, metricname.Score(f.name)}
		switch {
		case f.histogram && metricname.DurationUnit(f.name, f.unit) > 0:
			histograms = append(histograms, one)
		case f.counter && !metricname.Amount(f.name):
			counters = append(counters, one)
		}
	}
	slices.SortFunc(counters, byScore)
	slices.SortFunc(histograms, byScore)
	main := counters
	if len(main) == 0 || len(histograms) > 0 && histograms[0].score > main[0].score {
		main = histograms // what takes time is counted, too
	}
	if c := s.rate.pick(main); c != nil {
		r.RatePerSec, r.RateName = vitals.Of(c.perSec), c.name
		r.ErrorsPerSec = vitals.Of(c.failures / elapsed)
	}
	if c := s.latency.pick(histograms); c != nil {
		r.LatencyName = c.name
		bins := c.bins()
		r.LatencyP50Seconds, r.LatencyP99Seconds, r.LatencyP999Seconds = quantile(bins, 0.5), quantile(bins, 0.99),
			quantile(bins, 0.999)
	}
	slices.SortFunc(counters, byRate)
	for _, c := range counters[:min(len(counters), mostRates)] {
		if c.perSec > 0 {
			r.Rates = append(r.Rates, vitals.Rate{Name: c.name, PerSec: c.perSec})
		}
	}
	slices.SortFunc(histograms, byRate)
	for _, c := range histograms[:min(len(histograms), mostLatencies)] {
		bins := c.bins()
		r.Latencies = append(r.Latencies, vitals.Latency{
			Name: c.name, PerSec: c.perSec, P50Seconds: quantile(bins, 0.5), P99Seconds: quantile(bins, 0.99),
		})
	}
}
