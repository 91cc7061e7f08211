package lab

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/metrics"
	"github.com/gohone/hone/internal/metrics/goruntime"
	"github.com/gohone/hone/internal/metrics/host"
	"github.com/gohone/hone/internal/metrics/process"
	"github.com/gohone/hone/internal/subject"
)

// Metrics says what is recorded as time series beside a run.
type Metrics struct {
	// Off records nothing.
	Off bool
	// Page is where the program serves metrics for Prometheus: a URL, in which
	// subject.PortTemplate is filled in. Empty: the ports that it opens are asked.
	Page string
	// Interval is the time between two scrapes; 0 is metrics.DefaultInterval.
	Interval time.Duration
}

// validate reports what is wrong with the settings.
func (r Metrics) validate() error {
	if r.Interval < 0 || r.Interval > 0 && r.Interval < shortestScrape {
		return fmt.Errorf("interval of metrics is %v, want %v or more", r.Interval, shortestScrape)
	}
	if r.Page == "" {
		return nil
	}
	page, err := url.Parse(strings.ReplaceAll(r.Page, subject.PortTemplate, "1"))
	if err == nil && (page.Scheme != "http" && page.Scheme != "https" || page.Host == "") {
		err = errors.New("want http://host:port/path")
	}
	if err != nil {
		return fmt.Errorf("page of metrics %q: %w", r.Page, err)
	}
	return nil
}

// shortestScrape bounds what scraping takes from the program.
const shortestScrape = 100 * time.Millisecond

// recordMetrics begins to record the metrics of a run. A run without metrics is worth more than
// none: what goes wrong is a warning.
func (m *measurement) recordMetrics(ctx context.Context, t *trial) {
	if m.request.Metrics.Off {
		return
	}
	if err := m.beginRecord(ctx, t); err != nil {
		t.warn("no metrics: %v", err)
	}
}

func (m *measurement) beginRecord(ctx context.Context, t *trial) error {
	store := metrics.In(m.Ledger.Dir())
	if err := m.makeRoom(store); err != nil {
		return err
	}
	page, err := m.metricsPage(ctx, t)
	if err != nil {
		return err
	}
	t.loadMetrics = metrics.NewLoad(m.request.RateHz)
	sources, err := t.sources(m.Version)
	if err != nil {
		return err
	}
	t.recorder, err = store.Record(metrics.Record{
		Run: t.draft.ID(), Interval: m.request.Metrics.Interval, Page: page, Sources: sources,
	})
	if err != nil {
		return err
	}
	t.metrics = &MetricsRecord{Interval: t.recorder.Interval()}
	if page != nil {
		t.metrics.Page = page.String()
	}
	if m.Recording != nil {
		t.recorded = m.Recording(t.recorder)
	}
	return nil
}

// makeRoom removes the series of old runs.
func (m *measurement) makeRoom(store metrics.Store) error {
	pinned, err := m.Ledger.Pinned()
	if err != nil {
		return err
	}
	_, err = store.Keep(metrics.KeptRuns-1, pinned...)
	return err
}

// sources are the metrics that hone knows by itself.
func (t *trial) sources(version string) (map[string]prometheus.Gatherer, error) {
	node, err := host.New()
	if err != nil {
		return nil, err
	}
	p := t.process
	about := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "hone_info", Help: "The hone that measures.", ConstLabels: prometheus.Labels{"version": version},
	}, func() float64 { return 1 })
	program := []prometheus.Collector{process.New(p.Usage, p.PID)}
	if p.Probes() != nil {
		program = append(program, goruntime.New(t.lastRuntime, shortestScrape))
	}
	sources := map[string]prometheus.Gatherer{}
	for name, collectors := range map[string][]prometheus.Collector{
		metrics.JobLoad: {t.loadMetrics, about},
		metrics.JobGo:   program,
		metrics.JobNode: {node},
	} {
		registry := prometheus.NewRegistry()
		for _, c := range collectors {
			if err := registry.Register(c); err != nil {
				return nil, err
			}
		}
		sources[name] = registry
	}
	return sources, nil
}

// metricsPage is where the program serves its metrics: as the user says, or the first of
// its ports that does. The port under load is asked only if it speaks HTTP anyway: a
// request of HTTP is an error to any other protocol.
func (m *measurement) metricsPage(ctx context.Context, t *trial) (*url.URL, error) {
	if page := m.request.Metrics.Page; page != "" {
		if strings.Contains(page, subject.PortTemplate) {
			page = strings.ReplaceAll(page, subject.PortTemplate, portOf(t.process.Address()))
		}
		return url.Parse(page)
	}
	listeners, err := t.process.Listeners()
	if err != nil {
		return nil, err
	}
	var ask []string
	for _, l := range listeners {
		address := l.DialAddress().String()
		if portOf(address) == portOf(t.process.Address()) && !strings.HasPrefix(t.target, "http://") {
			continue
		}
		ask = append(ask, address)
	}
	return metrics.Find(ctx, ask), nil
}

func portOf(address string) string { return address[strings.LastIndexByte(address, ':')+1:] }

// tellFaults warns of metrics that are missing.
func (t *trial) tellFaults() {
	if t.recorder == nil {
		return
	}
	for _, fault := range t.recorder.Faults() {
		t.warn("%s", fault)
	}
}

// endRecord ends the recording; the program must be up still, for its last word.
func (t *trial) endRecord() {
	if t.recorder == nil {
		return
	}
	t.tellFaults()
	if t.recorded != nil {
		t.recorded()
	}
	if err := t.recorder.Stop(); err != nil {
		t.warn("%v", err)
	}
	t.metrics.Series = t.recorder.Series()
	t.recorder, t.recorded = nil, nil
}

// errNoReading is why the runtime's metrics are absent for a moment.
var errNoReading = fail.New(fail.Environment, "the runtime has not been read yet")

// lastRuntime is the latest reading that the measurement took by itself: scrapes add
// nothing to what the program allocates.
func (t *trial) lastRuntime(context.Context) (subject.Metrics, error) {
	if last := t.latest.Load(); last != nil {
		return *last, nil
	}
	return nil, errNoReading
}
