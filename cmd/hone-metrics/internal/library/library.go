package library

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/prometheus/storage"

	"github.com/gohone/hone/internal/program/metrics"
)

// Library is the series of all runs of a store for a server: runs come and go while it is
// open. It is safe for concurrent use.
type Library struct {
	store metrics.Store

	mu     sync.RWMutex // held for reading while a query reads
	listed time.Time
	views  map[string]*openRun
}

// openRun is a run that is open.
type openRun struct {
	*View
	part   bool
	opened time.Time
}

// The store is listed again at most every relook. A run that is being recorded is read again
// every reread, from the start.
const (
	relook = time.Second
	reread = 5 * time.Second
)

// New opens nothing yet.
func New(s metrics.Store) *Library { return &Library{store: s, views: map[string]*openRun{}} }

// Open returns the series as they are now, for one request, and what ends the request.
func (l *Library) Open(context.Context) (q storage.Queryable, done func() error, err error) {
	if err := l.refresh(); err != nil {
		return nil, nil, err
	}
	l.mu.RLock()
	return reader{l}, func() error { l.mu.RUnlock(); return nil }, nil
}

// refresh opens runs that are new and closes those that are gone.
func (l *Library) refresh() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if now.Sub(l.listed) < relook {
		return nil
	}
	l.listed = now
	runs, err := l.store.Runs()
	if err != nil {
		return err
	}
	var faults []error
	for run, v := range l.views {
		stays := slices.ContainsFunc(runs, func(r metrics.Recorded) bool {
			return r.Run == run && r.Part == v.part && (!r.Part || now.Sub(v.opened) < reread)
		})
		if !stays {
			faults = append(faults, v.Close())
			delete(l.views, run)
		}
	}
	for _, r := range runs {
		if l.views[r.Run] != nil {
			continue
		}
		v, err := Open(l.store, r.Run)
		if err != nil {
			// It was removed meanwhile, or is damaged: the others can still be read.
			continue
		}
		l.views[r.Run] = &openRun{View: v, part: r.Part, opened: now}
	}
	return errors.Join(faults...)
}

// Metadata is what is known of the metrics of all runs, by name.
func (l *Library) Metadata() map[string]Metadata {
	l.mu.RLock()
	defer l.mu.RUnlock()
	all := map[string]Metadata{}
	for _, v := range l.views {
		maps.Copy(all, v.View.Metadata)
	}
	return all
}

// Close closes all runs, once no request reads any more.
func (l *Library) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var faults []error
	for _, v := range l.views {
		faults = append(faults, v.Close())
	}
	clear(l.views)
	return errors.Join(faults...)
}

// reader is a library while its lock is held for reading.
type reader struct{ *Library }

// Querier reads all runs that have samples between mint and maxt, in milliseconds.
func (r reader) Querier(mint, maxt int64) (storage.Querier, error) {
	var all Together
	for _, v := range r.views {
		all = append(all, v)
	}
	return all.Querier(mint, maxt)
}
