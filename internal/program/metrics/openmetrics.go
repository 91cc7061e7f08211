package metrics

import (
	"bufio"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"google.golang.org/protobuf/proto"
)

// WriteOpenMetrics writes the series of runs as OpenMetrics text
// (https://prometheus.io/docs/specs/om/open_metrics_spec/), each sample with its time, the samples of a series one
// after the other: as promtool tsdb create-blocks-from openmetrics reads them. Series have the labels run, variant, job
// and instance.
//
// In this format a counter's name ends in _total: others are of unknown type. Histograms without buckets, which it
// cannot hold, are left out. Of a file that was broken off, what is whole counts.
func WriteOpenMetrics(to io.Writer, runs ...*File) error {
	all := map[string]*family{}
	for _, run := range runs {
		for s, err := range run.All() {
			if errors.Is(err, errTorn) {
				break
			}
			if err != nil {
				return err
			}
			if err := addScrape(all, run.Header, s); err != nil {
				return err
			}
		}
	}
	out := bufio.NewWriter(to)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		f := all[name]
		for _, key := range slices.Sorted(maps.Keys(f.series)) {
			f.Metric = append(f.Metric, f.series[key]...)
		}
		if f.GetType() == dto.MetricType_UNTYPED {
			untyped(f.Metric)
		}
		if _, err := expfmt.MetricFamilyToOpenMetrics(out, &f.MetricFamily); err != nil {
			return err
		}
	}
	if _, err := expfmt.FinalizeOpenMetrics(out); err != nil {
		return err
	}
	return out.Flush()
}

// family is a family of metrics with its series, by their labels, each in the order of its times.
type family struct {
	dto.MetricFamily
	series map[string][]*dto.Metric
}

// add appends a sample. One that is not later than the one before is left out, as Prometheus does: a page may show a
// series twice.
func (f *family) add(m *dto.Metric) {
	key := signature(m)
	if known := f.series[key]; len(known) > 0 && m.GetTimestampMs() <= known[len(known)-1].GetTimestampMs() {
		return
	}
	f.series[key] = append(f.series[key], m)
}

// addScrape adds what a scrape showed, and whether its target was up.
func addScrape(all map[string]*family, h Header, s Scrape) error {
	families, err := s.Decode()
	if err != nil {
		return err
	}
	up := 0.0
	if s.Up {
		up = 1
	}
	families = append(families, &dto.MetricFamily{
		Name: proto.String("up"), Type: dto.MetricType_GAUGE.Enum(),
		Metric: []*dto.Metric{{Gauge: &dto.Gauge{Value: &up}}},
	})
	for _, f := range families {
		known := all[f.GetName()]
		if known == nil {
			known = &family{series: map[string][]*dto.Metric{}}
			known.Name, known.Help, known.Type = f.Name, f.Help, f.Type
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
			m.TimestampMs, m.Label = proto.Int64(s.At.UnixMilli()), withLabels(m.Label, h, s)
			known.add(m)
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
