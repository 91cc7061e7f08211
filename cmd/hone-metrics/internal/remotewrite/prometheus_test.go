package remotewrite

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/storage"

	"github.com/gohone/hone/cmd/hone-metrics/internal/promapi/promtest"
	"github.com/gohone/hone/internal/text/fail"
)

// A packaged Prometheus stores what is pushed to it, and what it refuses is explained.
func TestPrometheusStoresTheSame(t *testing.T) {
	const n = 40
	source := openStore(t, t.TempDir())
	fill(t, source, n)
	p := promtest.Start(t, filepath.Join(t.TempDir(), "data"), "--web.enable-remote-write-receiver",
		"--enable-feature=native-histograms")
	url := p.URL + "/api/v1/write"
	options := Options{BatchSamples: 50}
	if p.Major >= 3 {
		options.Protocol = "2.0"
	}
	stats, err := Push(t.Context(), url, source, selected(n, ".+"), options)
	must(t, err)
	if stats.Samples+stats.Histograms != n*len(kinds) {
		t.Errorf("%+v", stats)
	}
	_, err = Push(t.Context(), url, source, selected(n, ".+"), Options{})
	wantFault(t, err, fail.BadInput, "out of order", "from an earlier push")
	old := one(base.Add(-2 * time.Hour))
	s := selected(1, "up")
	s.From, s.To = base.Add(-2*time.Hour), base
	_, err = Push(t.Context(), url, old, s, Options{})
	wantFault(t, err, fail.BadInput, "out of bounds", "storage.tsdb.out_of_order_time_window")
	other := openStore(t, t.TempDir())
	a := other.AppenderV2(t.Context())
	_, err = a.Append(0, labels.FromStrings(kinds[0].labels...), 0, base.Add((n-1)*every).UnixMilli(), -1, nil, nil,
		storage.AppendV2Options{})
	must(t, err)
	must(t, a.Commit())
	_, err = Push(t.Context(), url, other, selected(n, ".+"), Options{})
	wantFault(t, err, fail.BadInput, "duplicate sample", "add a label")
	_, err = Push(t.Context(), p.URL, source, selected(n, ".+"), Options{})
	wantFault(t, err, fail.BadInput, "push to "+p.URL, "/api/v1/write")

	p.Stop(t)
	wantSame(t, dump(t, source), dump(t, openStore(t, p.Data)))
}

// Without its receiver, Prometheus says so, and hone what to do.
func TestPrometheusWithoutReceiver(t *testing.T) {
	p := promtest.Start(t, filepath.Join(t.TempDir(), "data"))
	_, err := Push(t.Context(), p.URL+"/api/v1/write", one(base), selected(1, "up"), Options{})
	wantFault(t, err, fail.BadInput, "404", "--web.enable-remote-write-receiver")
}
