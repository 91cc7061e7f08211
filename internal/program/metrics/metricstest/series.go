// Package metricstest reads what was recorded of runs, for tests.
package metricstest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	dto "github.com/prometheus/client_model/go"

	"github.com/gohone/hone/internal/program/metrics"
)

// Series are the samples of all runs of a store in the order of their scrapes, by name and labels, those of the target
// among them: `up{instance="hone", job="go", run="r1"}`. Histograms and summaries have their counts.
func Series(t *testing.T, s metrics.Store) map[string][]float64 {
	t.Helper()
	runs, err := s.Runs()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]float64{}
	for _, run := range runs {
		add(t, s, run, all)
	}
	return all
}

// Last is the last sample of each series whose name and labels begin so.
func Last(t *testing.T, s metrics.Store, prefix string) map[string]float64 {
	t.Helper()
	found := map[string]float64{}
	for name, values := range Series(t, s) {
		if strings.HasPrefix(name, prefix) {
			found[name] = values[len(values)-1]
		}
	}
	return found
}

func add(t *testing.T, s metrics.Store, run metrics.Recorded, all map[string][]float64) {
	t.Helper()
	file, part, err := s.Open(run.Run)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	scrapes, err := metrics.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	for one, err := range scrapes.All() {
		if err != nil && part {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		own := []string{fmt.Sprintf("instance=%q", one.Instance), fmt.Sprintf("job=%q", one.Job),
			fmt.Sprintf("run=%q", scrapes.Run)}
		if scrapes.Variant != "" {
			own = append(own, fmt.Sprintf("variant=%q", scrapes.Variant))
		}
		up := 0.0
		if one.Up {
			up = 1
		}
		key := "up{" + strings.Join(own, ", ") + "}"
		all[key] = append(all[key], up)
		families, err := one.Decode()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range families {
			for _, m := range f.Metric {
				key := f.GetName() + "{" + strings.Join(labelsOf(m, own), ", ") + "}"
				all[key] = append(all[key], valueOf(m))
			}
		}
	}
}

func labelsOf(m *dto.Metric, own []string) []string {
	all := slices.Clone(own)
	for _, l := range m.Label {
		all = append(all, fmt.Sprintf("%s=%q", l.GetName(), l.GetValue()))
	}
	slices.SortFunc(all, cmp.Compare)
	return all
}

func valueOf(m *dto.Metric) float64 {
	switch {
	case m.Counter != nil:
		return m.Counter.GetValue()
	case m.Gauge != nil:
		return m.Gauge.GetValue()
	case m.Histogram != nil:
		return float64(m.Histogram.GetSampleCount())
	case m.Summary != nil:
		return float64(m.Summary.GetSampleCount())
	}
	return m.Untyped.GetValue()
}
