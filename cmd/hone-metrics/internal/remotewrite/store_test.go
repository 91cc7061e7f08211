package remotewrite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/exp/api/remote"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/prompb"
	writev2 "github.com/prometheus/prometheus/prompb/io/prometheus/write/v2"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// base is the time of the first samples.
var base = time.Date(2026, 1, 2, 4, 0, 0, 0, time.UTC)

const every = 15 * time.Second

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func openStore(t testing.TB, dir string) *tsdb.DB {
	t.Helper()
	db, err := tsdb.Open(dir, nil, nil, tsdb.DefaultOptions(), nil)
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	return db
}

// sample is one value of a series: a float, or a histogram of either kind.
type sample struct {
	v  float64
	h  *histogram.Histogram
	fh *histogram.FloatHistogram
}

func integers(i int) *histogram.Histogram {
	n := int64(i)
	return &histogram.Histogram{
		Schema: 3, ZeroThreshold: 1e-128, ZeroCount: uint64(i), Count: uint64(9 * i), Sum: 0.125 * float64(i),
		PositiveSpans:   []histogram.Span{{Offset: -40, Length: 2}, {Offset: 3, Length: 1}},
		PositiveBuckets: []int64{n, n, n}, // n, 2n, 3n
		NegativeSpans:   []histogram.Span{{Offset: 0, Length: 2}}, NegativeBuckets: []int64{n, 0},
	}
}

// kinds are series of every kind of sample.
var kinds = []struct {
	labels []string
	at     func(i int) sample
}{
	{[]string{"__name__", "sent_total", "run", "r1", "job", "hone"},
		func(i int) sample { return sample{v: float64(i)} }},
	{[]string{"__name__", "odd", "run", "r1", "é\"", "☃\n"}, func(i int) sample {
		return sample{v: []float64{0, math.Inf(1), math.Inf(-1), math.NaN(), 5e-324, -0.1}[i%6]}
	}},
	{[]string{"__name__", "ends", "run", "r1"}, func(i int) sample {
		if i > 3 {
			return sample{v: math.Float64frombits(value.StaleNaN)}
		}
		return sample{v: 1}
	}},
	{[]string{"__name__", "latency_seconds", "run", "r1"}, func(i int) sample { return sample{h: integers(i)} }},
	{[]string{"__name__", "mixed", "run", "r1"}, func(i int) sample {
		if i%4 < 2 {
			return sample{h: integers(i)}
		}
		return sample{v: float64(i)}
	}},
	{[]string{"__name__", "queue", "run", "r1"}, func(i int) sample {
		return sample{fh: &histogram.FloatHistogram{
			CounterResetHint: histogram.GaugeType, ZeroThreshold: 0.001, ZeroCount: 0.5, Count: 3.25, Sum: float64(i),
			PositiveSpans: []histogram.Span{{Offset: 0, Length: 2}}, PositiveBuckets: []float64{1.25, 1.5},
		}}
	}},
}

// fill writes n samples of each kind into a store.
func fill(t testing.TB, db *tsdb.DB, n int) {
	t.Helper()
	a := db.AppenderV2(t.Context())
	for i := range n {
		for _, k := range kinds {
			s := k.at(i)
			_, err := a.Append(0, labels.FromStrings(k.labels...), 0, base.Add(time.Duration(i)*every).UnixMilli(), s.v,
				s.h, s.fh, storage.AppendV2Options{})
			must(t, err)
		}
	}
	must(t, a.Commit())
}

// selected is n samples from base.
func selected(n int, name string) Selection {
	return Selection{From: base, To: base.Add(time.Duration(n-1) * every), Matchers: []*labels.Matcher{
		labels.MustNewMatcher(labels.MatchRegexp, model.MetricNameLabel, name),
	}}
}

// dump is every sample of a store in words, by series, with the bits of its floats.
func dump(t testing.TB, q storage.Queryable) []string {
	t.Helper()
	reader, err := q.Querier(math.MinInt64, math.MaxInt64)
	must(t, err)
	defer reader.Close()
	set := reader.Select(t.Context(), true, nil, labels.MustNewMatcher(labels.MatchRegexp, model.MetricNameLabel, ".+"))
	var all []string
	for set.Next() {
		it := set.At().Iterator(nil)
		for kind := it.Next(); kind != chunkenc.ValNone; kind = it.Next() {
			text := ""
			switch kind {
			case chunkenc.ValFloat:
				_, v := it.At()
				text = fmt.Sprintf("%x", math.Float64bits(v))
			case chunkenc.ValHistogram:
				_, h := it.AtHistogram(nil)
				text = fmt.Sprint(h)
			case chunkenc.ValFloatHistogram:
				_, h := it.AtFloatHistogram(nil)
				text = fmt.Sprintf("%v gauge %v", h, h.CounterResetHint == histogram.GaugeType)
			}
			all = append(all, fmt.Sprintf("%s %s @%d %s", set.At().Labels(), kind, it.AtT(), text))
		}
		must(t, it.Err())
	}
	must(t, set.Err())
	return all
}

// receiver is a store that takes remote write: client_golang's handler before a TSDB, with
// Prometheus' choice of statuses.
type receiver struct {
	db       *tsdb.DB
	protocol remote.WriteMessageType
	url      string

	mu       sync.Mutex
	requests []prompb.WriteRequest // of protocol 1.0
}

func newReceiver(t testing.TB, accepted remote.WriteMessageType) *receiver {
	t.Helper()
	r := &receiver{db: openStore(t, t.TempDir()), protocol: accepted}
	quiet := slog.New(slog.DiscardHandler)
	server := httptest.NewServer(remote.NewWriteHandler(r, remote.MessageTypes{accepted},
		remote.WithWriteHandlerLogger(quiet)))
	t.Cleanup(server.Close)
	r.url = server.URL + "/api/v1/write"
	return r
}

// taken are the requests of protocol 1.0 so far.
func (r *receiver) taken() []prompb.WriteRequest {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.requests)
}

func (r *receiver) Store(q *http.Request, kind remote.WriteMessageType) (*remote.WriteResponse, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	answer := remote.NewWriteResponse()
	body, err := io.ReadAll(q.Body)
	if err != nil {
		return answer, err
	}
	a := r.db.AppenderV2(context.WithoutCancel(q.Context()))
	if kind == remote.WriteV1MessageType {
		err = r.take1(a, body)
	} else {
		answer.WriteResponseStats, err = take2(a, body)
	}
	if err != nil {
		answer.SetStatusCode(http.StatusBadRequest)
		return answer, errors.Join(err, a.Rollback())
	}
	return answer, a.Commit()
}

func (r *receiver) take1(a storage.AppenderV2, body []byte) error {
	var w prompb.WriteRequest
	if err := w.Unmarshal(body); err != nil {
		return err
	}
	r.requests = append(r.requests, w)
	b := labels.NewScratchBuilder(0)
	for _, s := range w.Timeseries {
		l := s.ToLabels(&b, nil)
		if !slices.IsSortedFunc(s.Labels, func(a, b prompb.Label) int { return strings.Compare(a.Name, b.Name) }) {
			return fmt.Errorf("labels %s are not in order", l)
		}
		for _, v := range s.Samples {
			if _, err := a.Append(0, l, 0, v.Timestamp, v.Value, nil, nil, storage.AppendV2Options{}); err != nil {
				return err
			}
		}
		for _, h := range s.Histograms {
			var fh *histogram.FloatHistogram
			if h.IsFloatHistogram() {
				fh = h.ToFloatHistogram()
			}
			if _, err := a.Append(0, l, 0, h.Timestamp, 0, h.ToIntHistogram(), fh,
				storage.AppendV2Options{}); err != nil {
				return err
			}
		}
	}
	return nil
}

func take2(a storage.AppenderV2, body []byte) (taken remote.WriteResponseStats, err error) {
	var w writev2.Request
	if err := w.Unmarshal(body); err != nil {
		return taken, err
	}
	b := labels.NewScratchBuilder(0)
	for _, s := range w.Timeseries {
		l, err := s.ToLabels(&b, w.Symbols)
		if err != nil {
			return taken, err
		}
		if len(s.Samples) > 0 && len(s.Histograms) > 0 {
			return taken, fmt.Errorf("%s has floats and histograms in one entry", l)
		}
		for _, v := range s.Samples {
			if _, err := a.Append(0, l, 0, v.Timestamp, v.Value, nil, nil, storage.AppendV2Options{}); err != nil {
				return taken, err
			}
			taken.Samples++
		}
		for _, h := range s.Histograms {
			var fh *histogram.FloatHistogram
			if h.IsFloatHistogram() {
				fh = h.ToFloatHistogram()
			}
			if _, err := a.Append(0, l, 0, h.Timestamp, 0, h.ToIntHistogram(), fh,
				storage.AppendV2Options{}); err != nil {
				return taken, err
			}
			taken.Histograms++
		}
	}
	return taken, nil
}
