package metrics

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"google.golang.org/protobuf/proto"
)

// WriteOpenMetrics writes the series of runs as OpenMetrics text (https://prometheus.io/docs/specs/om/open_metrics_spec/),
// each sample with its time, the samples of a series one after the other: as promtool tsdb create-blocks-from openmetrics
// reads them. Series have the labels run, variant, job and instance.
//
// In this format a counter's name ends in _total: others are of unknown type. Histograms without buckets, which it cannot
// hold, are left out. Of a file that was broken off, what is whole counts.
func WriteOpenMetrics(to io.Writer, runs ...*File) error {
	families := map[string]*dto.MetricFamily{}
	for _, run := range runs {
		for s, err := range run.All() {
			if errors.Is(err, errTorn) {
				break
			}
			if err != nil {
				return err
			}
			if err := addScrape(families, run.Header, s); err != nil {
				return err
			}
		}
	}
	out := bufio.NewWriter(to)
	for _, name := range slices.Sorted(maps.Keys(families)) {
		f := families[name]
		slices.SortStableFunc(f.Metric, func(a, b *dto.Metric) int {
			return cmp.Or(strings.Compare(signature(a), signature(b)), cmp.Compare(a.GetTimestampMs(), b.GetTimestampMs()))
		})
		f.Metric = slices.CompactFunc(f.Metric, func(a, b *dto.Metric) bool { // a page may show a series twice
			return signature(a) == signature(b) && a.GetTimestampMs() == b.GetTimestampMs()
		})
		if f.GetType() == dto.MetricType_UNTYPED {
			untyped(f.Metric)
		}
		if _, err := expfmt.MetricFamilyToOpenMetrics(out, f); err != nil {
			return err
		}
	}
	if _, err := expfmt.FinalizeOpenMetrics(out); err != nil {
		return err
	}
	return out.Flush()
}

// addScrape adds what a scrape showed, and that its target was up.
func addScrape(all map[string]*dto.MetricFamily, h Header, s Scrape) error {
	families, err := s.Decode()
	if err != nil {
		return err
	}
	up := 0.0
	if s.Up {
		up = 1
	}
	families = append(families, &dto.MetricFamily{
		Name: proto.String("up"), Type: dto.MetricType_GAUGE.Enum(), Metric: []*dto.Metric{{Gauge: &dto.Gauge{Value: &up}}},
	})
	for _, f := range families {
		known := all[f.GetName()]
		if known == nil {
			known = &dto.MetricFamily{Name: f.Name, Help: f.Help, Type: f.Type}
			all[f.GetName()] = known
		}
		if known.GetType() != f.GetType() {
			if !single(known.GetType()) || !single(f.GetType()) {
				continue // one of them is not what its name says
			}
			known.Type = dto.MetricType_UNTYPED.Enum()
		}
		for _, m := range f.Metric {
			if m.Histogram != nil && len(m.Histogram.Bucket) == 0 {
				continue
			}
			m.TimestampMs = proto.Int64(s.At.UnixMilli())
			m.Label = withLabels(m.Label, h, s)
			known.Metric = append(known.Metric, m)
		}
	}
	return nil
}

// single says that a metric of this type has one value.
func single(t dto.MetricType) bool {
	return t == dto.MetricType_GAUGE || t == dto.MetricType_COUNTER || t == dto.MetricType_UNTYPED
}

// untyped makes metrics of one value untyped, whose targets disagree on what they are.
func untyped(all []*dto.Metric) {
	for _, m := range all {
		switch {
		case m.Gauge != nil:
			m.Untyped = &dto.Untyped{Value: m.Gauge.Value}
		case m.Counter != nil:
			m.Untyped = &dto.Untyped{Value: m.Counter.Value}
		}
	}
}

// withLabels adds those of the run and the target. A label of the program with such a name gets exported_ before it, as
// Prometheus does.
func withLabels(labels []*dto.LabelPair, h Header, s Scrape) []*dto.LabelPair {
	own := [][2]string{{"run", h.Run}, {"variant", h.Variant}, {"job", s.Job}, {"instance", s.Instance}}
	has := func(name string) bool {
		return slices.ContainsFunc(labels, func(l *dto.LabelPair) bool { return l.GetName() == name })
	}
	for _, l := range labels {
		if !slices.ContainsFunc(own, func(o [2]string) bool { return o[0] == l.GetName() && o[1] != "" }) {
			continue
		}
		name := "exported_" + l.GetName()
		for has(name) {
			name = "exported_" + name
		}
		l.Name = &name
	}
	for _, o := range own {
		if o[1] != "" {
			labels = append(labels, &dto.LabelPair{Name: proto.String(o[0]), Value: proto.String(o[1])})
		}
	}
	return labels
}

// signature tells the series of a family apart.
func signature(m *dto.Metric) string {
	var b strings.Builder
	for _, l := range m.Label {
		b.WriteString(l.GetName() + "\xff" + l.GetValue() + "\xff")
	}
	return b.String()
}
