package metrics

import (
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/gohone/hone/load"
)

// RecordLoad keeps a load test that is over as the series of its run: a scrape at the end of each slice, as a recorder
// would have taken them. askedHz is as for NewLoad. Errors are of kind fail.Storage.
func (s Store) RecordLoad(run string, askedHz float64, interval time.Duration, slices iter.Seq[load.Slice]) error {
	shown := NewLoad(askedHz)
	registry := prometheus.NewRegistry()
	if err := registry.Register(shown); err != nil {
		return fmt.Errorf("show load %s as metrics: %w", run, err)
	}
	file, out, err := s.begin(RunOptions{Run: run, Interval: interval})
	if err != nil {
		return explain(err, "record metrics of run %s", run)
	}
	t := target{job: JobLoad, instance: "hone", look: gathered(registry)}
	var state LoadState
	for one := range slices {
		if err = state.scrape(shown, t, one, out); err != nil {
			break
		}
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = s.pack(run)
	}
	if err != nil {
		err = errors.Join(err, s.Remove(run))
	}
	return explain(err, "keep metrics of run %s", run)
}

// scrape adds a slice to the state, and writes what a scrape would see at its end.
func (s *LoadState) scrape(shown *Load, t target, slice load.Slice, out *writer) error {
	s.Add(slice)
	latency, err := slice.EncodeLatency()
	if err != nil {
		return err
	}
	var all [][]byte
	if latency != nil {
		all = append(all, latency)
	}
	if err := shown.Show(*s, all...); err != nil {
		return err
	}
	seen, _, err := t.scrape(longestScrape)
	if err != nil {
		return err
	}
	seen.At = slice.Start.Add(slice.Duration).Truncate(time.Millisecond)
	return out.record(seen.append(nil))
}
