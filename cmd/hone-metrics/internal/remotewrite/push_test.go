package remotewrite

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/exp/api/remote"
	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"github.com/prometheus/prometheus/tsdb/chunks"
	"github.com/prometheus/prometheus/util/annotations"

	"github.com/gohone/hone/internal/text/fail"
)

// What was pushed is there, bit by bit, in either protocol and however small the requests.
func TestEverySampleArrives(t *testing.T) {
	const n = 40
	source := openStore(t, t.TempDir())
	fill(t, source, n)
	want := dump(t, source)
	if len(want) < n*len(kinds)-n { // a store keeps one of several stale markers or all
		t.Fatalf("only %d samples to send", len(want))
	}
	for _, o := range []Options{{}, {Protocol: "1.0", BatchSamples: 7}, {Protocol: "2.0"},
		{Protocol: "2.0", BatchSamples: 1}} {
		t.Run(fmt.Sprintf("%s by %d", o.Protocol, o.BatchSamples), func(t *testing.T) {
			kind := remote.WriteV1MessageType
			if o.Protocol == "2.0" {
				kind = remote.WriteV2MessageType
			}
			to := newReceiver(t, kind)
			stats, err := Push(t.Context(), to.url, source, selected(n, ".+"), o)
			must(t, err)
			wantSame(t, want, dump(t, to.db))
			histograms := 0
			for _, line := range want {
				if strings.Contains(line, " histogram @") || strings.Contains(line, " floathistogram @") {
					histograms++
				}
			}
			if wanted := (Stats{len(kinds), len(want) - histograms, histograms, stats.Batches, 0}); stats != wanted {
				t.Errorf("%+v, want %+v", stats, wanted)
			}
			if o.BatchSamples == 1 && stats.Batches != len(want) {
				t.Errorf("%d requests for %d samples", stats.Batches, len(want))
			}
		})
	}
}

// Requests keep to their size, and within a series time only goes on.
func TestBatches(t *testing.T) {
	const n = 30
	source := openStore(t, t.TempDir())
	fill(t, source, n)
	to := newReceiver(t, remote.WriteV1MessageType)
	_, err := Push(t.Context(), to.url, source, selected(n, "sent_total|latency_seconds"), Options{BatchSamples: 13})
	must(t, err)
	last, total := map[string]int64{}, 0
	requests := to.taken()
	for i, r := range requests {
		size := 0
		for _, s := range r.Timeseries {
			name := fmt.Sprint(s.Labels)
			var times []int64
			for _, v := range s.Samples {
				times = append(times, v.Timestamp)
			}
			for _, h := range s.Histograms {
				times = append(times, h.Timestamp)
			}
			for _, at := range times {
				if at <= last[name] {
					t.Errorf("request %d: %s goes back from %d to %d", i, name, last[name], at)
				}
				last[name] = at
			}
			size += len(times)
		}
		if size > 13 || size < 13 && i < len(requests)-1 {
			t.Errorf("request %d has %d samples", i, size)
		}
		total += size
	}
	if total != 2*n {
		t.Errorf("%d samples in all, want %d", total, 2*n)
	}
}

// A series that changes its kind has no request with two kinds.
func TestKindsGoApart(t *testing.T) {
	const n = 12 // two histograms, two floats, and so on
	source := openStore(t, t.TempDir())
	fill(t, source, n)
	to := newReceiver(t, remote.WriteV1MessageType)
	stats, err := Push(t.Context(), to.url, source, selected(n, "mixed"), Options{})
	must(t, err)
	for i, r := range to.taken() {
		for _, s := range r.Timeseries {
			if len(s.Samples)+len(s.Histograms) != 2 || len(s.Samples)*len(s.Histograms) != 0 {
				t.Errorf("request %d: %d floats and %d histograms of one series", i, len(s.Samples), len(s.Histograms))
			}
		}
	}
	if stats != (Stats{1, n / 2, n / 2, n / 2, 0}) {
		t.Errorf("%+v", stats)
	}
}

// A store refuses samples that are an hour older than its newest: five hours of many series
// still arrive.
func TestLongSeriesGoTogether(t *testing.T) {
	const step, n = time.Minute, 5 * 60
	source := openStore(t, t.TempDir())
	a := source.AppenderV2(t.Context())
	for i := range n {
		for s := range 12 {
			_, err := a.Append(0, labels.FromStrings("__name__", "long", "n", fmt.Sprint(s)), 0,
				base.Add(time.Duration(i)*step).UnixMilli(), float64(i*s), nil, nil, storage.AppendV2Options{})
			must(t, err)
		}
	}
	must(t, a.Commit())
	to := newReceiver(t, remote.WriteV1MessageType)
	s := selected(1, "long")
	s.To = base.Add(n * step)
	stats, err := Push(t.Context(), to.url, source, s, Options{BatchSamples: 100})
	must(t, err)
	if stats.Samples != 12*n || stats.Series != 12 {
		t.Errorf("%+v", stats)
	}
	wantSame(t, dump(t, source), dump(t, to.db))
}

// A store may give more than it was asked for: whole chunks, or the same in each window.
func TestOnlyWhatWasSelected(t *testing.T) {
	var all []chunks.Sample
	for i := range 100 {
		all = append(all, point{base.Add(time.Duration(i) * time.Minute).UnixMilli(), float64(i)})
	}
	whole := memory(labels.FromStrings("__name__", "whole"), all...)
	to := newReceiver(t, remote.WriteV1MessageType)
	s := selected(1, "whole")
	s.From, s.To = base.Add(10*time.Minute), base.Add(90*time.Minute)
	stats, err := Push(t.Context(), to.url, whole, s, Options{})
	must(t, err)
	if stats.Samples != 81 {
		t.Errorf("%+v", stats)
	}
}

// memory is a store of one series, which it gives whole whatever it is asked for.
func memory(l labels.Labels, all ...chunks.Sample) storage.Queryable {
	return storage.QueryableFunc(func(int64, int64) (storage.Querier, error) {
		return &storage.MockQuerier{SelectMockFunction: func(bool, *storage.SelectHints,
			...*labels.Matcher) storage.SeriesSet {
			return &oneSeries{series: storage.NewListSeries(l, all)}
		}}, nil
	})
}

// oneSeries is a set that ends after its only series.
type oneSeries struct {
	series storage.Series
	given  bool
}

func (s *oneSeries) Next() bool                        { first := !s.given; s.given = true; return first }
func (s *oneSeries) At() storage.Series                { return s.series }
func (s *oneSeries) Err() error                        { return nil }
func (s *oneSeries) Warnings() annotations.Annotations { return nil }

// point is a float in memory.
type point struct {
	t int64
	v float64
}

var _ chunks.Sample = point{}

func (p point) T() int64                      { return p.t }
func (p point) ST() int64                     { return 0 }
func (p point) F() float64                    { return p.v }
func (p point) H() *histogram.Histogram       { return nil }
func (p point) FH() *histogram.FloatHistogram { return nil }
func (p point) Type() chunkenc.ValueType      { return chunkenc.ValFloat }
func (p point) Copy() chunks.Sample           { return p }

// Extra labels are on every series; one that a series has already is refused before anything
// is sent.
func TestExtraLabels(t *testing.T) {
	source := openStore(t, t.TempDir())
	fill(t, source, 3)
	to := newReceiver(t, remote.WriteV1MessageType)
	_, err := Push(t.Context(), to.url, source, selected(3, ".+"),
		Options{Labels: map[string]string{"branch": "main", "a": "1"}})
	must(t, err)
	for _, line := range dump(t, to.db) {
		if !strings.Contains(line, `a="1"`) || !strings.Contains(line, `branch="main"`) {
			t.Errorf("%s", line)
		}
	}
	sent := len(to.taken())
	_, err = Push(t.Context(), to.url, source, selected(3, ".+"),
		Options{Labels: map[string]string{"branch": "main", "run": "r2", "job": "x"}})
	wantFault(t, err, fail.BadInput, "series have a label job, run already", "choose another name")
	if len(to.taken()) != sent {
		t.Error("something was sent before")
	}
}

// Nothing to send is not an error, and no request.
func TestNothing(t *testing.T) {
	to := newReceiver(t, remote.WriteV1MessageType)
	stats, err := Push(t.Context(), to.url, openStore(t, t.TempDir()), selected(3, ".+"), Options{})
	if err != nil || stats != (Stats{}) || len(to.taken()) != 0 {
		t.Errorf("%+v, %v, %d requests", stats, err, len(to.taken()))
	}
}

// wantSame wants the same samples in the same order.
func wantSame(t *testing.T, sent, arrived []string) {
	t.Helper()
	if len(sent) != len(arrived) {
		t.Errorf("%d samples sent, %d arrived", len(sent), len(arrived))
	}
	for i := range min(len(sent), len(arrived)) {
		if sent[i] != arrived[i] {
			t.Errorf("sent\n%s\narrived\n%s", sent[i], arrived[i])
		}
	}
}

// wantFault wants an error of a kind with texts in it and in its hint.
func wantFault(t *testing.T, err error, kind fail.Kind, text, hint string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error; want %q", text)
		return
	}
	if !strings.Contains(err.Error(), text) || !strings.Contains(fail.HintOf(err), hint) ||
		fail.ExitCode(err) != int(kind) {
		t.Errorf("%v\nhint: %s\nexit code %d\nwant %q, %q, %d", err, fail.HintOf(err), fail.ExitCode(err), text, hint,
			kind)
	}
}
