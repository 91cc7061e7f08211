package metrics

import (
	"errors"
	"log/slog"
	"maps"
	"math"
	"os"
	"slices"
	"time"

	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb"
	"github.com/prometheus/prometheus/tsdb/chunkenc"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/tempdir"
)

// View is the series of some runs as they were when it was opened. Its queriers may be
// used at the same time.
type View struct {
	// Metadata is what is known of the metrics, by name.
	Metadata map[string]Metadata

	blocks  []*tsdb.Block
	scratch []*tempdir.Dir // directories to be removed by Close
}

var _ storage.Queryable = (*View)(nil)

// Open opens the series of runs, or of all without a name. It fails with kind
// fail.BadInput for a run without series.
func (s Store) Open(runs ...string) (*View, error) {
	known, err := s.Runs()
	if err != nil {
		return nil, err
	}
	chosen := known
	if len(runs) > 0 {
		chosen = nil
		for _, run := range runs {
			i := slices.IndexFunc(known, func(r Recorded) bool { return r.Run == run })
			if i < 0 {
				return nil, fail.New(fail.BadInput, "run %s has no metrics", run).
					WithHint("hone metrics runs lists those that have")
			}
			chosen = append(chosen, known[i])
		}
	}
	v := &View{Metadata: map[string]Metadata{}}
	for _, r := range chosen {
		if err := v.add(s, r); err != nil {
			return nil, explain(errors.Join(err, v.Close()), "open metrics of run %s", r.Run)
		}
	}
	return v, nil
}

// add opens the blocks of one run. Of one that is not whole its log is made a block, aside.
func (v *View) add(s Store, r Recorded) error {
	if !r.Part {
		if err := s.check(wholeName(r.Run)); err != nil {
			return err
		}
		metadata, err := readMetadata(s.whole(r.Run))
		maps.Copy(v.Metadata, metadata)
		return errors.Join(err, v.open(s.whole(r.Run)))
	}
	if err := s.check(partName(r.Run)); err != nil {
		return err
	}
	scratch, err := tempdir.Make()
	if err != nil {
		return err
	}
	v.scratch = append(v.scratch, scratch)
	if err := replay(s.part(r.Run), scratch.Path); err != nil {
		return err
	}
	return errors.Join(v.open(s.part(r.Run)), v.open(scratch.Path))
}

// replay makes a block in scratch of the log of a database that another process may be
// writing to. The log is copied first: reading one repairs its end.
func replay(dir, scratch string) error {
	copied, err := os.MkdirTemp(scratch, "log-")
	if err != nil {
		return err
	}
	if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
		return err
	}
	defer os.RemoveAll(copied)
	db, err := tsdb.OpenDBReadOnly(copied, "", slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	return errors.Join(db.FlushWAL(scratch), db.Close())
}

// open opens the blocks in a directory.
func (v *View) open(dir string) error {
	blocks, err := blocksIn(dir)
	if err != nil {
		return err
	}
	for _, path := range blocks {
		b, err := tsdb.OpenBlock(nil, path, chunkenc.NewPool(), nil)
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
	for _, dir := range v.scratch {
		faults = append(faults, dir.Remove())
	}
	v.blocks, v.scratch = nil, nil
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
	if len(v.blocks) == 0 {
		return from, to
	}
	least, most := int64(math.MaxInt64), int64(math.MinInt64)
	for _, b := range v.blocks {
		least, most = min(least, b.MinTime()), max(most, b.MaxTime()-1) // a block ends before MaxTime
	}
	return time.UnixMilli(least), time.UnixMilli(most)
}
