package library

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/oklog/ulid/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"github.com/prometheus/prometheus/tsdb/chunks"

	"github.com/gohone/hone/internal/program/metrics"
	"github.com/gohone/hone/internal/sys/tempdir"
	"github.com/gohone/hone/internal/text/fail"
)

// View is the series of some runs as they were when it was opened. Its queriers may be
// used at the same time.
type View struct {
	// Metadata is what is known of the metrics, by name.
	Metadata map[string]Metadata

	from, to int64 // of all samples, milliseconds since 1970
	blocks   []*tsdb.Block
	scratch  *tempdir.Dir // removed by Close
}

var _ storage.Queryable = (*View)(nil)

// Open opens the series of runs, or of all without a name. It fails with kind
// fail.BadInput for a run without series. Of a file whose end is damaged the rest is read.
func Open(s metrics.Store, runs ...string) (*View, error) {
	if len(runs) == 0 {
		known, err := s.Runs()
		if err != nil {
			return nil, err
		}
		for _, r := range known {
			runs = append(runs, r.Run)
		}
	}
	scratch, err := tempdir.Make()
	if err != nil {
		return nil, err
	}
	v := &View{Metadata: map[string]Metadata{}, from: math.MaxInt64, to: math.MinInt64, scratch: scratch}
	for _, run := range runs {
		if err := v.add(s, run); err != nil {
			var known *fail.Error
			if !errors.As(err, &known) {
				err = fail.New(fail.Storage, "%w", err)
			}
			return nil, fmt.Errorf("open metrics of run %s: %w", run, errors.Join(err, v.Close()))
		}
	}
	return v, nil
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// add makes blocks of the scrapes of one run.
func (v *View) add(s metrics.Store, run string) error {
	file, _, err := s.Open(run)
	if err != nil {
		return err
	}
	defer file.Close()
	scrapes, err := metrics.Read(file)
	if err != nil {
		return err
	}
	dir := filepath.Join(v.scratch.Path, run)
	db, err := tsdb.Open(dir+".db", quiet(), prometheus.NewRegistry(), databaseOptions(), tsdb.NewDBStats())
	if err != nil {
		return err
	}
	f := &filler{
		to: db, run: labelsOf(scrapes.Header), live: map[string]map[string]labels.Labels{},
		last:  map[string]time.Time{},
		known: v.Metadata, symbols: labels.NewSymbolTable(), from: v.from, end: v.to,
	}
	for one, damage := range scrapes.All() {
		if damage != nil {
			break // of a run that goes on or died the end is torn
		}
		if err = f.add(one); err != nil {
			break
		}
	}
	v.from, v.to = f.from, f.end
	if err == nil && db.Head().NumSeries() > 0 {
		err = db.Snapshot(dir, true)
	}
	err = errors.Join(err, db.Close(), os.RemoveAll(dir+".db"))
	if err != nil {
		return err
	}
	return v.open(dir)
}

func labelsOf(h metrics.Header) labels.Labels {
	b := labels.NewScratchBuilder(2)
	b.Add("run", h.Run)
	if h.Variant != "" {
		b.Add("variant", h.Variant)
	}
	return b.Labels()
}

// databaseOptions are those of a small database of one run: nothing ages, and nothing has to survive a crash.
func databaseOptions() *tsdb.Options {
	o := tsdb.DefaultOptions()
	o.RetentionDuration = (100 * 365 * 24 * time.Hour).Milliseconds()
	o.NoLockfile = true
	o.WALSegmentSize = -1
	o.StripeSize = 1 << 10
	o.HeadChunksWriteBufferSize = chunks.MinWriteBufferSize
	return o
}

// open opens the blocks in a directory; none if it is not there.
func (v *View) open(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries { // names that are ULIDs sort by time
		if _, err := ulid.ParseStrict(e.Name()); err != nil {
			continue
		}
		b, err := tsdb.OpenBlock(nil, filepath.Join(dir, e.Name()), chunkenc.NewPool(), nil)
		if err != nil {
			return err
		}
		v.blocks = append(v.blocks, b)
	}
	return nil
}

// Close closes the view; no querier may be open.
func (v *View) Close() error {
	var faults []error
	for _, b := range v.blocks {
		faults = append(faults, b.Close())
	}
	v.blocks = nil
	if v.scratch != nil {
		faults = append(faults, v.scratch.Remove())
		v.scratch = nil
	}
	return errors.Join(faults...)
}

// Querier reads samples from mint to maxt, milliseconds since 1970, both included.
func (v *View) Querier(mint, maxt int64) (storage.Querier, error) {
	var all Together
	for _, b := range v.blocks {
		all = append(all, block{b})
	}
	return all.Querier(mint, maxt)
}

// Range is from the first sample to the last; both are zero without samples.
func (v *View) Range() (from, to time.Time) {
	if v.from > v.to {
		return from, to
	}
	return time.UnixMilli(v.from), time.UnixMilli(v.to)
}
