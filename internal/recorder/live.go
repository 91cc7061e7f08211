package recorder

import (
	"context"
	"maps"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/prometheus/storage"

	"github.com/gohone/hone/internal/metrics"
)

var _ Live = (*worker)(nil)

// Open keeps the databases open until done.
func (w *worker) Open(context.Context) (q storage.Queryable, done func() error, err error) {
	w.open.RLock()
	var all metrics.Together
	for _, j := range w.jobs() {
		all = append(all, j.recorder.Queryable())
	}
	return all, func() error { w.open.RUnlock(); return nil }, nil
}

// Gather asks all sources of the runs.
func (w *worker) Gather() ([]*dto.MetricFamily, error) {
	var all prometheus.Gatherers
	for _, j := range w.jobs() {
		all = append(all, j.recorder.Gatherer())
	}
	return all.Gather()
}

// Metadata is that of all runs.
func (w *worker) Metadata() map[string]metrics.Metadata {
	all := map[string]metrics.Metadata{}
	for _, j := range w.jobs() {
		maps.Copy(all, j.recorder.Metadata())
	}
	return all
}
