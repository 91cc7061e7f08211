package remotewrite

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/exp/api/remote"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/timestamp"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"

	"github.com/gohone/hone/internal/text/fail"
)

// window is how much time is sent of all series before the next window's samples are.
// Prometheus refuses a sample that is more than an hour older than the newest one it has
// (half of the range of its head block), of whatever series. So series that last for hours
// cannot go one after the other.
const window = 30 * time.Minute

// Stats are what a receiver has taken.
type Stats struct {
	Series     int `json:"series"`     // different ones
	Samples    int `json:"samples"`    // floats
	Histograms int `json:"histograms"` // samples that are native histograms
	Batches    int `json:"batches"`    // requests that were answered well
	Retries    int `json:"retries"`    // requests that were sent again
}

// Push sends the selected samples to the receiver at endpoint (http://host:9090/api/v1/write),
// in order of time, and returns when the last request is answered or one has failed for
// good. The statistics are right in both cases: what they count is stored there. To repeat a
// push is an error to Prometheus, which takes no sample older than the newest of its series,
// unless it was given an out-of-order window.
//
// Errors are *fail.Error: of the kind BadInput if the options, the address or the receiver's
// rules are to blame, of the kind Environment if the receiver cannot be reached or is broken.
func Push(ctx context.Context, endpoint string, q storage.Queryable, s Selection, o Options) (Stats, error) {
	u, err := parseEndpoint(endpoint)
	if err == nil {
		err = o.Validate()
	}
	if err == nil {
		err = s.validate()
	}
	if err != nil {
		return Stats{}, fail.New(fail.BadInput, "%w", err)
	}
	o = o.filled()
	line := newLine(o)
	defer line.close()
	client, err := line.client(u, o)
	if err != nil {
		return Stats{}, err
	}
	p := &push{line: line, client: client, to: u, options: o, selection: s, seen: map[uint64]struct{}{}}
	p.batch = p.newBatch()
	if err := p.refuseTakenLabels(ctx, q); err != nil {
		return Stats{}, err
	}
	err = p.all(ctx, q)
	return p.stats, err
}

// push is one call of Push.
type push struct {
	line      *line
	client    *remote.API
	to        *url.URL
	options   Options
	selection Selection
	batch     batch
	stats     Stats
	seen      map[uint64]struct{} // hashes of the series sent
}

// refuseTakenLabels looks for the extra labels among those of the series, before anything
// is sent.
func (p *push) refuseTakenLabels(ctx context.Context, q storage.Queryable) error {
	if len(p.options.Labels) == 0 {
		return nil
	}
	reader, err := q.Querier(timestamp.FromTime(p.selection.From), timestamp.FromTime(p.selection.To))
	if err != nil {
		return fail.New(fail.Storage, "open series: %w", err)
	}
	defer reader.Close()
	names, _, err := reader.LabelNames(ctx, nil, p.selection.Matchers...)
	if err != nil {
		return fail.New(fail.Storage, "read labels: %w", err)
	}
	var taken []string
	for name := range p.options.Labels {
		if slices.Contains(names, name) {
			taken = append(taken, name)
		}
	}
	if len(taken) == 0 {
		return nil
	}
	slices.Sort(taken)
	return fail.New(fail.BadInput, "series have a label %s already", strings.Join(taken, ", ")).
		WithHint("choose another name for the label you add")
}

// all sends window after window.
func (p *push) all(ctx context.Context, q storage.Queryable) error {
	const width = int64(window / time.Millisecond)
	last := timestamp.FromTime(p.selection.To)
	for from := timestamp.FromTime(p.selection.From); from <= last; from += width {
		if err := p.window(ctx, q, from, min(from+width-1, last)); err != nil {
			return err
		}
	}
	return nil
}

// window sends the samples from until to, both included, series by series.
func (p *push) window(ctx context.Context, q storage.Queryable, from, to int64) error {
	reader, err := q.Querier(from, to)
	if err != nil {
		return fail.New(fail.Storage, "open series: %w", err)
	}
	defer reader.Close()
	set := reader.Select(ctx, true, &storage.SelectHints{Start: from, End: to}, p.selection.Matchers...)
	var it chunkenc.Iterator
	for set.Next() {
		series := set.At()
		it = series.Iterator(it)
		if err := p.series(ctx, p.labeled(series.Labels()), it, from, to); err != nil {
			return err
		}
	}
	if err := set.Err(); err != nil {
		return stopped(ctx, fail.New(fail.Storage, "read series: %w", err))
	}
	return p.send(ctx)
}

// labeled adds the extra labels. The strings are copies: a batch is sent while the store's
// memory is held, but the labels of a failed one are told afterwards.
func (p *push) labeled(l labels.Labels) labels.Labels {
	b := labels.NewBuilder(l.Copy())
	for name, value := range p.options.Labels {
		b.Set(name, value)
	}
	return b.Labels()
}

// series adds the samples of one series to the batch, and sends it whenever it is full or
// the kind of the samples changes.
func (p *push) series(ctx context.Context, l labels.Labels, it chunkenc.Iterator, from, to int64) error {
	begun := chunkenc.ValNone // the kind of the series' samples in the batch
	for kind := it.Next(); kind != chunkenc.ValNone; kind = it.Next() {
		t := it.AtT()
		if t < from || t > to {
			continue // a store may give whole chunks
		}
		if p.batch.samples() == p.options.BatchSamples || begun != chunkenc.ValNone && begun != kind {
			if err := p.send(ctx); err != nil {
				return err
			}
			begun = chunkenc.ValNone
		}
		if begun != kind {
			p.batch.begin(l)
			p.seen[l.Hash()] = struct{}{}
			begun = kind
		}
		switch kind {
		case chunkenc.ValFloat:
			_, v := it.At()
			p.batch.float(t, v)
		case chunkenc.ValHistogram:
			_, h := it.AtHistogram(nil)
			p.batch.integers(t, h)
		case chunkenc.ValFloatHistogram:
			_, h := it.AtFloatHistogram(nil)
			p.batch.floats(t, h)
		default:
			return fail.New(fail.Storage, "read %s: no form for samples of the kind %s", l, kind)
		}
	}
	if err := it.Err(); err != nil {
		return fail.New(fail.Storage, "read %s: %w", l, err)
	}
	return nil
}

// send sends the batch, if there is anything in it, and begins a new one.
func (p *push) send(ctx context.Context) error {
	if p.batch.samples() == 0 {
		return stopped(ctx, nil)
	}
	b := p.batch
	p.batch = p.newBatch()
	message, kind := b.message()
	before := p.stats.Retries
	_, err := p.client.Write(ctx, kind, message, remote.WithWriteRetryCallback(func(why error) {
		p.stats.Retries++
		p.options.OnRetry(why)
	}))
	if err != nil {
		return stopped(ctx, p.explain(b.what(), err, p.stats.Retries > before))
	}
	p.stats.Series = len(p.seen)
	p.stats.Batches++
	p.stats.Histograms += b.what().histograms
	p.stats.Samples += b.samples() - b.what().histograms
	return nil
}

func (p *push) newBatch() batch {
	if p.options.Protocol == "2.0" {
		return newBatch2()
	}
	return &batch1{}
}

// stopped is the reason that the context ended for, if it did, and err otherwise.
func stopped(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fail.New(fail.Interrupted, "push stopped: %w", context.Cause(ctx))
	}
	return err
}

// name is the address that errors show, without a password.
func (p *push) name() string { return fmt.Sprintf("push to %s", p.to.Redacted()) }
