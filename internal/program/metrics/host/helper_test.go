package host

import (
	"bytes"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// gather scrapes a collector the way Prometheus does: what would fail a whole scrape fails
// the test.
func gather(t *testing.T, c prometheus.Collector) []*dto.MetricFamily {
	t.Helper()
	registry := prometheus.NewRegistry()
	if err := registry.Register(c); err != nil {
		t.Fatal(err)
	}
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	return families
}

// exposition is the text of all families but the times that the reading took.
func exposition(t *testing.T, families []*dto.MetricFamily) string {
	t.Helper()
	var text bytes.Buffer
	for _, f := range families {
		if f.GetName() == durationName {
			continue
		}
		if _, err := expfmt.MetricFamilyToText(&text, f); err != nil {
			t.Fatal(err)
		}
	}
	return text.String()
}

// series are the values by name and labels, those with an empty value left out: to
// Prometheus there is no difference.
func series(families []*dto.MetricFamily) map[string]float64 {
	all := map[string]float64{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			var labels []string
			for _, l := range m.GetLabel() {
				if l.GetValue() != "" {
					labels = append(labels, l.GetName()+"="+l.GetValue())
				}
			}
			// Of the three all but one are nil, and a nil message has the value 0.
			all[f.GetName()+"{"+strings.Join(labels, ",")+"}"] = m.GetCounter().GetValue() + m.GetGauge().GetValue() +
				m.GetUntyped().GetValue()
		}
	}
	return all
}
