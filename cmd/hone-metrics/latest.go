package main

import (
	"cmp"
	"maps"
	"slices"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"google.golang.org/protobuf/proto"

	"github.com/gohone/hone/internal/program/metrics"
	"github.com/gohone/hone/internal/spec/cli"
)

// latest gathers what was recorded last of each run that goes on, and which hone serves it.
type latest struct{ store metrics.Store }

// Gather implements prometheus.Gatherer. Series have the labels run, variant and job of their target.
func (l latest) Gather() ([]*dto.MetricFamily, error) {
	all := map[string]*dto.MetricFamily{"hone_info": {
		Name: proto.String("hone_info"), Help: proto.String("The hone that serves."), Type: dto.MetricType_GAUGE.Enum(),
		Metric: []*dto.Metric{{Label: []*dto.LabelPair{pair("version", cli.ThisBuild().Version)},
			Gauge: &dto.Gauge{Value: proto.Float64(1)}}},
	}}
	runs, err := l.store.Runs()
	if err != nil {
		return nil, err
	}
	for _, r := range runs {
		if r.Part {
			l.add(all, r.Run)
		}
	}
	return slices.SortedFunc(maps.Values(all), func(a,
		b *dto.MetricFamily) int {
		return cmp.Compare(a.GetName(), b.GetName())
	}), nil
}

var _ prometheus.Gatherer = latest{}

// add adds the last scrapes of a run. One that ended meanwhile is left out, and so is the torn end of a file.
func (l latest) add(to map[string]*dto.MetricFamily, run string) {
	file, part, err := l.store.Open(run)
	if err != nil {
		return
	}
	defer file.Close()
	scrapes, err := metrics.Read(file)
	if err != nil || !part {
		return
	}
	last := map[string]metrics.Scrape{}
	for s, err := range scrapes.All() {
		if err != nil {
			break
		}
		last[s.Job] = s
	}
	for _, job := range slices.Sorted(maps.Keys(last)) {
		families, err := last[job].Decode()
		if err != nil {
			continue
		}
		own := []*dto.LabelPair{pair("job", job), pair("run", run)}
		if v := scrapes.Variant; v != "" {
			own = append(own, pair("variant", v))
		}
		for _, f := range families {
			merge(to, f, own)
		}
	}
}

// merge adds a family with further labels. One of another type than the family of its name is left out.
func merge(to map[string]*dto.MetricFamily, f *dto.MetricFamily, own []*dto.LabelPair) {
	for _, m := range f.Metric {
		m.Label = slices.DeleteFunc(m.Label, func(l *dto.LabelPair) bool {
			return slices.ContainsFunc(own, func(o *dto.LabelPair) bool { return o.GetName() == l.GetName() })
		})
		m.Label = append(m.Label, own...)
		slices.SortFunc(m.Label, func(a, b *dto.LabelPair) int { return cmp.Compare(a.GetName(), b.GetName()) })
	}
	switch known := to[f.GetName()]; {
	case known == nil:
		to[f.GetName()] = f
	case known.GetType() == f.GetType():
		known.Metric = append(known.Metric, f.Metric...)
	}
}

func pair(name, value string) *dto.LabelPair {
	return &dto.LabelPair{Name: proto.String(name), Value: proto.String(value)}
}
