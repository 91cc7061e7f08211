package goruntime

import (
	"context"
	"errors"
	"math"
	"runtime"
	"runtime/metrics"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	dto "github.com/prometheus/client_model/go"

	"github.com/gohone/hone/internal/program/probeclient"
)

// ofThisProcess reads runtime/metrics here, in the shape in which the probe hands it over.
func ofThisProcess(context.Context) (probeclient.Metrics, error) {
	all := metrics.All()
	samples := make([]metrics.Sample, len(all))
	for i, d := range all {
		samples[i].Name = d.Name
	}
	metrics.Read(samples)
	read := probeclient.Metrics{}
	for _, s := range samples {
		m := probeclient.Metric{Value: math.NaN()}
		switch s.Value.Kind() {
		case metrics.KindUint64:
			m.Uint64, m.Value = s.Value.Uint64(), float64(s.Value.Uint64())
		case metrics.KindFloat64:
			m.Value = s.Value.Float64()
		case metrics.KindFloat64Histogram:
			h := s.Value.Float64Histogram()
			m.Histogram = probeclient.Histogram{}
			for i, count := range h.Counts {
				if count > 0 {
					m.Histogram = append(m.Histogram,
						probeclient.Bin{From: h.Buckets[i], To: h.Buckets[i+1], Count: count})
				}
			}
		}
		read[s.Name] = m
	}
	return read, nil
}

func fixed(m probeclient.Metrics) Source {
	return func(context.Context) (probeclient.Metrics, error) { return m, nil }
}

func gather(t *testing.T, c prometheus.Collector) map[string]*dto.MetricFamily {
	t.Helper()
	registry := prometheus.NewRegistry()
	if err := registry.Register(c); err != nil {
		t.Fatal(err)
	}
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]*dto.MetricFamily{}
	for _, f := range families {
		byName[f.GetName()] = f
	}
	return byName
}

// client_golang's own collector in the same process has the same metrics: names, types,
// help and bounds of histograms; and what counts lies between two readings of it.
func TestSameAsClientGolang(t *testing.T) {
	runtime.GC() // so that no histogram of pauses is empty
	theirs := collectors.NewGoCollector(collectors.WithGoCollectorRuntimeMetrics(collectors.MetricsAll))
	before := gather(t, theirs)
	ours := gather(t, New(ofThisProcess, 0))
	after := gather(t, theirs)

	for _, name := range []string{"go_info", "go_gc_duration_seconds", "go_memstats_last_gc_time_seconds"} {
		if ours[name] != nil {
			t.Errorf("%s cannot be told from runtime/metrics", name)
		}
		delete(after, name)
	}
	if up := ours[upName]; up.GetMetric()[0].GetGauge().GetValue() != 1 {
		t.Errorf("%s: %v", upName, up)
	}
	delete(ours, upName)
	for name, want := range after {
		got := ours[name]
		if got == nil {
			t.Errorf("no %s", name)
			continue
		}
		delete(ours, name)
		if got.GetType() != want.GetType() {
			t.Errorf("%s is a %v, with client_golang a %v", name, got.GetType(), want.GetType())
			continue
		}
		if isDerived := derivedNamed(name); !isDerived && got.GetHelp() != want.GetHelp() {
			t.Errorf("help of %s: %q, with client_golang %q", name, got.GetHelp(), want.GetHelp())
		}
		low, value, high := before[name].GetMetric()[0], got.GetMetric()[0], want.GetMetric()[0]
		switch want.GetType() {
		case dto.MetricType_COUNTER:
			if strings.HasPrefix(name, "go_cpu_classes_") {
				continue // estimates, which a collection in between may set back
			}
			between(t, name, low.GetCounter().GetValue(), value.GetCounter().GetValue(), high.GetCounter().GetValue())
		case dto.MetricType_HISTOGRAM:
			sameHistogram(t, name, low.GetHistogram(), value.GetHistogram(), high.GetHistogram())
		case dto.MetricType_GAUGE:
			if !moves(name) {
				between(t, name, low.GetGauge().GetValue(), value.GetGauge().GetValue(), high.GetGauge().GetValue())
			}
		default:
			t.Errorf("%s is a %v", name, want.GetType())
		}
	}
	for name := range ours {
		t.Errorf("client_golang has no %s", name)
	}
}

func derivedNamed(name string) bool {
	for _, d := range derived {
		if d.name == name {
			return true
		}
	}
	return false
}

// moves says which gauges may go up and down again between two readings.
func moves(name string) bool {
	for _, steady := range []string{"gomaxprocs", "gogc", "gomemlimit", "starting_size"} {
		if strings.Contains(name, steady) {
			return false
		}
	}
	return true
}

func between(t *testing.T, name string, low, value, high float64) {
	t.Helper()
	if value < low || value > high {
		t.Errorf("%s is %v, with client_golang %v before and %v after", name, value, low, high)
	}
}

func sameHistogram(t *testing.T, name string, low, got, high *dto.Histogram) {
	t.Helper()
	if len(got.GetBucket()) != len(high.GetBucket()) {
		t.Errorf("%s has %d buckets, with client_golang %d", name, len(got.GetBucket()), len(high.GetBucket()))
		return
	}
	for i, b := range got.GetBucket() {
		l, h := low.GetBucket()[i], high.GetBucket()[i]
		if b.GetUpperBound() != h.GetUpperBound() {
			t.Errorf("%s: bucket %d ends at %v, with client_golang at %v", name, i, b.GetUpperBound(),
				h.GetUpperBound())
		}
		between(t, name+" of a bucket", float64(l.GetCumulativeCount()), float64(b.GetCumulativeCount()),
			float64(h.GetCumulativeCount()))
	}
	between(t, name+" count", float64(low.GetSampleCount()), float64(got.GetSampleCount()),
		float64(high.GetSampleCount()))
	between(t, name+" sum", low.GetSampleSum(), got.GetSampleSum(), high.GetSampleSum())
}

func TestASourceThatFails(t *testing.T) {
	fails := true
	c := New(func(ctx context.Context) (probeclient.Metrics, error) {
		if fails {
			return nil, errors.New("connection refused")
		}
		return ofThisProcess(ctx)
	}, 0)
	families := gather(t, c)
	if len(families) != 1 || families[upName].GetMetric()[0].GetGauge().GetValue() != 0 {
		t.Errorf("a source that fails leaves %v", families)
	}
	fails = false
	if families := gather(t, c); families[upName].GetMetric()[0].GetGauge().GetValue() != 1 {
		t.Errorf("after it has come back: %v", families[upName])
	}
}

// A program that is stopped does not answer. The scrape goes on after the timeout.
func TestASourceThatDoesNotAnswer(t *testing.T) {
	c := New(func(ctx context.Context) (probeclient.Metrics, error) {
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}, time.Millisecond)
	if families := gather(t, c); families[upName].GetMetric()[0].GetGauge().GetValue() != 0 {
		t.Errorf("up: %v", families[upName])
	}
}

// A program on another Go release: metrics that this one does not know, others missing, and
// a kind without a value.
func TestAnotherGoRelease(t *testing.T) {
	whole := func(n uint64) probeclient.Metric { return probeclient.Metric{Value: float64(n), Uint64: n} }
	families := gather(t, New(fixed(probeclient.Metrics{
		"/gc/heap/allocs:objects":   whole(10), // without /gc/heap/tiny/allocs:objects
		"/sched/fibres:fibres":      whole(3),
		"/gc/arenas/created:arenas": whole(4),
		"/cpu/classes/magic:cpu-seconds": {
			Value: 1.5,
		},
		"/gc/strange:kind": {Value: math.NaN()},
		"/single:bytes":    whole(1),
		"no name":          whole(1),
		"/bad/nämé:bytes":  whole(1),
		"/sync/waits:seconds": {Value: math.NaN(),
			Histogram: probeclient.Histogram{{From: math.Inf(-1), To: 0, Count: 1}, {From: 1e-7, To: 3e-6, Count: 5},
				{From: 2, To: math.Inf(1), Count: 1}}},
		"/sync/spins:turns":       {Value: math.NaN(), Histogram: probeclient.Histogram{{From: 0, To: 1, Count: 1}}},
		"/sync/none:seconds":      {Value: math.NaN(), Histogram: probeclient.Histogram{}},
		"/gc/heap/tiny:bytes/run": whole(6),
		"/same/a-b:objects":       whole(1),
		"/same/a/b:objects":       whole(1),
	}), 0))
	for name, want := range map[string]struct {
		kind  dto.MetricType
		value float64
	}{
		"go_gc_heap_allocs_objects_total":        {dto.MetricType_COUNTER, 10},
		"go_sched_fibres_fibres":                 {dto.MetricType_GAUGE, 3},
		"go_gc_arenas_created_arenas_total":      {dto.MetricType_COUNTER, 4},
		"go_cpu_classes_magic_cpu_seconds_total": {dto.MetricType_COUNTER, 1.5},
		"go_gc_heap_tiny_bytes_per_run":          {dto.MetricType_GAUGE, 6},
		"go_same_a_b_objects":                    {dto.MetricType_GAUGE, 1},
		"go_sync_waits_seconds":                  {kind: dto.MetricType_HISTOGRAM},
		"go_sync_none_seconds":                   {kind: dto.MetricType_HISTOGRAM},
		upName:                                   {dto.MetricType_GAUGE, 1},
	} {
		f := families[name]
		if f == nil || f.GetType() != want.kind {
			t.Errorf("%s: %v", name, f)
			continue
		}
		delete(families, name)
		m := f.GetMetric()[0]
		if value := m.GetCounter().GetValue() + m.GetGauge().GetValue(); value != want.value {
			t.Errorf("%s is %v, want %v", name, value, want.value)
		}
		if h := m.GetHistogram(); name == "go_sync_waits_seconds" {
			first, last := h.GetBucket()[0], h.GetBucket()[len(h.GetBucket())-1]
			if h.GetSampleCount() != 7 || first.GetCumulativeCount() != 1 || last.GetCumulativeCount() != 6 ||
				last.GetUpperBound() > 1 {
				t.Errorf("%s: %v", name, h)
			}
		}
	}
	for name := range families {
		t.Errorf("unexpected %s", name)
	}
}

// Estimates may go back by a little; a program that was restarted begins at 0.
func TestCountersThatGoBack(t *testing.T) {
	const cpu, heap = "/cpu/classes/user:cpu-seconds", "/gc/heap/allocs:bytes"
	now := probeclient.Metrics{}
	c := New(func(context.Context) (probeclient.Metrics, error) { return now, nil }, 0)
	for _, step := range []struct {
		what string
		cpu  float64
		heap uint64
		want float64
	}{
		{"first", 5, 100, 5},
		{"back by a little", 4.9, 200, 5},
		{"on", 5.5, 300, 5.5},
		{"another process", 0.1, 10, 0.1},
	} {
		now = probeclient.Metrics{cpu: {Value: step.cpu}, heap: {Value: float64(step.heap), Uint64: step.heap}}
		families := gather(t, c)
		if got := families["go_cpu_classes_user_cpu_seconds_total"].GetMetric()[0].GetCounter().GetValue(); got != step.want {
			t.Errorf("%s: %v, want %v", step.what, got, step.want)
		}
		if got := families["go_gc_heap_allocs_bytes_total"].GetMetric()[0].GetCounter().GetValue(); got != float64(step.heap) {
			t.Errorf("%s: %v bytes, want %v", step.what, got, step.heap)
		}
	}
}

// The rule for names that hone does not know agrees with all those that it knows.
func TestWhatSoundsCumulative(t *testing.T) {
	for _, d := range metrics.All() {
		if d.Kind != metrics.KindFloat64Histogram && soundsCumulative(d.Name) != d.Cumulative {
			t.Errorf("%s sounds cumulative: %v, and is: %v", d.Name, !d.Cumulative, d.Cumulative)
		}
	}
}

func TestScrapesAtTheSameTime(t *testing.T) {
	c := New(ofThisProcess, 0)
	var scrapes sync.WaitGroup
	for range 4 {
		scrapes.Go(func() {
			if families := gather(t, c); families["go_goroutines"] == nil {
				t.Error("no go_goroutines")
			}
		})
	}
	scrapes.Wait()
}
