package service

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/gohone/hone/internal/program/metrics"
	"github.com/gohone/hone/internal/program/recorder"
	"github.com/gohone/hone/internal/program/routes"
	"github.com/gohone/hone/internal/program/templates"
	"github.com/gohone/hone/internal/store/record"
)

// recordMetrics has the metrics of programs recorded that have just been started. A
// measurement without metrics is worth more than none: what goes wrong is a warning.
func (m *services) recordMetrics(ctx context.Context, group []*start) {
	if m.Task.Metrics.Off || m.noMetrics || len(m.Recorder) == 0 {
		return
	}
	if m.recorder == nil {
		if err := m.openRecorder(); err != nil {
			m.noMetrics = true
			for _, v := range m.sides {
				v.Warn("no metrics: %v", err)
			}
			return
		}
	}
	for _, s := range group {
		if err := m.watchProgram(ctx, s); err != nil {
			s.Warn("no metrics: %v", err)
		}
	}
}

// openRecorder starts the process that records.
func (m *services) openRecorder() error {
	if err := m.makeRoom(metrics.In(m.Ledger.Dir())); err != nil {
		return err
	}
	o := recorder.Options{
		Argv: m.Recorder, Dir: m.Ledger.Dir(), Interval: m.Task.Metrics.Interval, CPUs: m.spareCPUs, Version: m.Version,
		Hard: m.Hard,
	}
	var err error
	m.recorder, err = recorder.Start(o)
	return err
}

// watchProgram records one start of a program. The record of its run begins with the first.
func (m *services) watchProgram(ctx context.Context, s *start) error {
	if s.metrics == nil {
		run := recorder.RunOptions{ID: s.Draft.ID(), Variant: s.Letter, RateHz: m.Task.RateHz,
			Probed: s.process.Probes() != nil}
		if err := m.recorder.Begin(run); err != nil {
			return err
		}
		s.recorder = m.recorder
		s.metrics = &record.RecordedMetrics{Interval: cmp.Or(m.Task.Metrics.Interval, metrics.DefaultInterval)}
	}
	if s.recorder == nil {
		return nil // it has ended
	}
	page, err := m.metricsPage(ctx, s)
	if err != nil {
		return err
	}
	p := recorder.Program{Tree: s.process.Tree(), OnlyEnds: m.Referee != nil}
	if page != nil {
		p.Page = page.String()
		s.metrics.Page = p.Page
	}
	return s.recorder.Up(s.Draft.ID(), p)
}

// makeRoom removes the series of old runs.
func (m *services) makeRoom(store metrics.Store) error {
	pinned, err := m.Ledger.Pinned()
	if err != nil {
		return err
	}
	_, err = store.Keep(metrics.KeptRuns-len(m.sides), pinned...)
	return err
}

// metricsPage is where the program serves its metrics: as the user says, or the first of
// its ports that does. The port under load is asked only if it speaks HTTP anyway, and others
// only if the program looks like one with metrics: a request of HTTP is an error to any other
// protocol, and may end a program. A variant whose first start had no page is not asked again.
// One in a network namespace of its own cannot be reached.
func (m *services) metricsPage(ctx context.Context, s *start) (*url.URL, error) {
	if m.arrangement == record.Namespaces || len(s.timed.Starts) > 0 && s.metrics.Page == "" {
		return nil, nil
	}
	if page := m.Task.Metrics.Page; page != "" {
		if s.process.Network() == "tcp" {
			page = strings.ReplaceAll(page, templates.Port, portOf(s.process.Address()))
		}
		return url.Parse(s.process.Fill(page))
	}
	listeners, err := s.process.Listeners()
	if err != nil {
		return nil, err
	}
	others := sync.OnceValue(s.mayHaveMetrics) // it reads the source
	var ask []string
	for _, l := range listeners {
		address := l.DialAddress().String()
		underLoad := portOf(address) == portOf(s.process.Address())
		if underLoad && strings.HasPrefix(s.latest.target, "http://") || !underLoad && others() {
			ask = append(ask, address)
		}
	}
	return metrics.Find(ctx, ask), nil
}

// mayHaveMetrics says whether the program links a module for metrics, or its source has a route for them.
func (s *start) mayHaveMetrics() bool {
	b := s.Binary
	return b.ExportsMetrics || slices.Contains(routes.In(routes.Program{Dir: b.Dir, Package: b.Package,
		Module: b.Module}).Paths, metrics.Path)
}

func portOf(address string) string { return address[strings.LastIndexByte(address, ':')+1:] }

// tellFaults warns of metrics that are missing.
func (v *service) tellFaults() {
	if v.recorder == nil {
		return
	}
	for _, fault := range v.recorder.Faults(v.Draft.ID()) {
		v.Warn("%s", fault)
	}
}

// leaveMetrics has the program scraped a last time before it is stopped. Its run goes on.
func (v *service) leaveMetrics() {
	if v.recorder == nil {
		return
	}
	if err := v.recorder.Down(v.Draft.ID()); err != nil {
		v.Warn("%v", err)
	}
	v.tellFaults()
}

// endMetrics makes the records whole; programs that are up are scraped a last time.
func (m *services) endMetrics() {
	for _, v := range m.sides {
		if v.recorder == nil {
			continue
		}
		series, err := v.recorder.End(v.Draft.ID())
		if v.metrics.Series = series; err != nil {
			v.Warn("%v", err)
		}
		v.tellFaults()
		v.recorder = nil
	}
	if m.recorder != nil {
		m.recorder.Stop()
		m.recorder, m.noMetrics = nil, true
	}
}
