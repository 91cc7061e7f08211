package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/gohone/hone/internal/metrics"
	"github.com/gohone/hone/internal/recorder"
	"github.com/gohone/hone/internal/subject"
)

// Metrics says what is recorded as time series beside a run.
type Metrics struct {
	// Off records nothing.
	Off bool
	// Page is where the program serves metrics for Prometheus: a URL, in which templates
	// such as subject.PortTemplate are filled in. Empty: the ports that it opens are asked.
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
	page, err := url.Parse(subject.FillTemplates(r.Page, func(string) string { return "1" }))
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

// recordMetrics has the metrics of programs recorded that have just been started. A
// measurement without metrics is worth more than none: what goes wrong is a warning.
func (m *measurement) recordMetrics(ctx context.Context, group []*trial) {
	if m.request.Metrics.Off || len(m.Recorder) == 0 {
		return
	}
	if m.recorder == nil {
		if err := m.openRecorder(); err != nil {
			m.request.Metrics.Off = true
			for _, t := range m.trials {
				t.warn("no metrics: %v", err)
			}
			return
		}
	}
	for _, t := range group {
		if err := m.watchProgram(ctx, t); err != nil {
			t.warn("no metrics: %v", err)
		}
	}
}

// openRecorder starts the process that records.
func (m *measurement) openRecorder() error {
	if err := m.makeRoom(metrics.In(m.Ledger.Dir())); err != nil {
		return err
	}
	o := recorder.Options{
		Argv: m.Recorder, Dir: m.Ledger.Dir(), Interval: m.request.Metrics.Interval, CPUs: m.spareCPUs, Version: m.Version, Hard: m.Hard,
	}
	if m.Listen != nil {
		o.Listener = m.Listen()
	}
	var err error
	m.recorder, err = recorder.Start(o)
	return err
}

// watchProgram records one start of a program. The record of its run begins with the first.
func (m *measurement) watchProgram(ctx context.Context, t *trial) error {
	if t.metrics == nil {
		run := recorder.Run{ID: t.draft.ID(), Variant: t.letter(), RateHz: m.request.RateHz, Probed: t.process.Probes() != nil}
		if err := m.recorder.Begin(run); err != nil {
			return err
		}
		t.recorder = m.recorder
		t.metrics = &MetricsRecord{Interval: cmp.Or(m.request.Metrics.Interval, metrics.DefaultInterval)}
	}
	if t.recorder == nil {
		return nil // it has ended
	}
	page, err := m.metricsPage(ctx, t)
	if err != nil {
		return err
	}
	p := recorder.Program{Tree: t.process.Tree(), OnlyEnds: m.referee != nil}
	if page != nil {
		p.Page = page.String()
		t.metrics.Page = p.Page
	}
	return t.recorder.Up(t.draft.ID(), p)
}

// makeRoom removes the series of old runs.
func (m *measurement) makeRoom(store metrics.Store) error {
	pinned, err := m.Ledger.Pinned()
	if err != nil {
		return err
	}
	_, err = store.Keep(metrics.KeptRuns-len(m.trials), pinned...)
	return err
}

// metricsPage is where the program serves its metrics: as the user says, or the first of
// its ports that does. The port under load is asked only if it speaks HTTP anyway: a
// request of HTTP is an error to any other protocol. A variant whose first start had no
// page is not asked again. One in a network namespace of its own cannot be reached.
func (m *measurement) metricsPage(ctx context.Context, t *trial) (*url.URL, error) {
	if m.arrangement == Namespaces || len(t.starts) > 0 && t.metrics.Page == "" {
		return nil, nil
	}
	if page := m.request.Metrics.Page; page != "" {
		page = strings.ReplaceAll(page, subject.PortTemplate, portOf(t.process.Address()))
		return url.Parse(t.process.Fill(page))
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
	for _, fault := range t.recorder.Faults(t.draft.ID()) {
		t.warn("%s", fault)
	}
}

// leaveMetrics has the program scraped a last time before it is stopped. Its run goes on.
func (t *trial) leaveMetrics() {
	if t.recorder == nil {
		return
	}
	if err := t.recorder.Down(t.draft.ID()); err != nil {
		t.warn("%v", err)
	}
	t.tellFaults()
}

// endMetrics makes the records whole; programs that are up are scraped a last time.
func (m *measurement) endMetrics() {
	for _, t := range m.trials {
		if t.recorder == nil {
			continue
		}
		series, err := t.recorder.End(t.draft.ID())
		if t.metrics.Series = series; err != nil {
			t.warn("%v", err)
		}
		t.tellFaults()
		t.recorder = nil
	}
	if m.recorder != nil {
		m.recorder.Stop()
		m.recorder, m.request.Metrics.Off = nil, true
	}
}
