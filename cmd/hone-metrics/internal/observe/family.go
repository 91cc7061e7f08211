package observe

import (
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/metricname"
)

// Family is one metric of a service, as its page of metrics showed it.
type Family struct {
	Name, Help string
	Kind       Kind
	// Labels are the names of its labels, sorted, without those that belong to its kind.
	Labels []string
	// Unit is the one that the page declares; empty for none.
	Unit string
}

// Kind is what a metric is.
type Kind string

// The kinds. A metric without one is a counter if its name ends with _total, else a gauge.
const (
	KindCounter   Kind = "counter"
	KindGauge     Kind = "gauge"
	KindHistogram Kind = "histogram"
	KindSummary   Kind = "summary"
)

// has says that a metric is among all.
func has(all []Family, name string) bool {
	return slices.ContainsFunc(all, func(f Family) bool { return f.Name == name })
}

// own are the families that are about the service itself, not its runtime, of a kind. Those
// that sound most like its work come first.
func own(all []Family, kinds ...Kind) []Family {
	var found []Family
	for _, f := range all {
		if slices.Contains(kinds, f.Kind) && !metricname.AboutItself(f.Name) {
			found = append(found, f)
		}
	}
	slices.SortFunc(found, func(a, b Family) int {
		if by := metricname.Score(b.Name) - metricname.Score(a.Name); by != 0 {
			return by
		}
		return strings.Compare(a.Name, b.Name)
	})
	return found
}

// work is the counter, or else the histogram, of the service's work; nil if it shows
// none.
func work(all []Family) *Family {
	events := slices.DeleteFunc(own(all, KindCounter), func(f Family) bool {
		return metricname.Amount(f.Name) || metricname.Score(f.Name) < 0
	})
	events = append(events, slices.DeleteFunc(own(all, KindHistogram), func(f Family) bool { return !f.duration() })...)
	if len(events) == 0 {
		return nil
	}
	return &events[0]
}

// duration says that a histogram is one of durations.
func (f Family) duration() bool { return metricname.DurationUnit(f.Name, f.Unit) > 0 }

// sumBy is a sum by some labels, "" for none.
func sumBy(labels string) string {
	if labels == "" {
		return "sum"
	}
	return "sum by (" + labels + ") "
}

// events is the rate of a counter, or of the observations of a histogram, by some labels.
// Matchers and window are in braces and brackets.
func (f Family) events(by, matchers, window string) string {
	sum := sumBy(by)
	if f.Kind != KindHistogram {
		return sum + "(rate(" + f.Name + matchers + window + "))"
	}
	return "(" + sum + "(rate(" + f.Name + "_count" + matchers + window + ")) or " +
		sum + "(histogram_count(rate(" + f.Name + matchers + window + "))))"
}

// quantile is a quantile of a histogram, classic or native, by some labels.
func (f Family) quantile(q, by, matchers, window string) string {
	buckets := "le"
	if by != "" {
		buckets += ", " + by
	}
	return "histogram_quantile(" + q + ", " + sumBy(buckets) + "(rate(" + f.Name + "_bucket" + matchers + window +
		"))) or " +
		"histogram_quantile(" + q + ", " + sumBy(by) + "(rate(" + f.Name + matchers + window + ")))"
}

// splitters are labels that say how something ended or what it was, and have few values.
var splitters = []string{
	"code", "status", "status_code", "http_status_code", "http_response_status_code", "grpc_code", "result", "outcome",
	"error",
	"cause", "reason", "type", "kind", "state", "method", "op", "operation",
}

// splitBy is the label by which a chart of the family has its lines; "" for none.
func (f Family) splitBy() string {
	for _, label := range splitters {
		if slices.Contains(f.Labels, label) {
			return label
		}
	}
	return ""
}

// failures is the matcher for the events that failed; "" if no label says it.
func (f Family) failures() string {
	for _, label := range f.Labels {
		if m := metricname.FailureMatcher(label); m != "" {
			return m
		}
	}
	return ""
}
