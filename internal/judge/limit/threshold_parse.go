package limit

import (
	"math"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
)

// thresholds is the grammar of limits on a load test.
var thresholds = grammar{
	kind: "threshold", subject: "metric",
	names: "min, mean, max, stddev, pN (p50, p99, p99.9), the same after service., response. or lag. and, of streams, " +
		"ttfb., gap. or message-age., errors, unanswered, rate, requests, messages/s; of a program also start, growth, goroutines, descriptors",
	examples: "p99>300ms, errors>0.1% or rate<1000",
}

// ParseThreshold reads METRIC OP VALUE, with or without spaces between them. OP is one of
// < <= > >=. VALUE is a duration for latencies (ns, us, ms, s), a share for errors and
// unanswered (0.1% or 0.001), a rate for rate (1000, 1k, 50/1s), and a number for
// requests. Errors are *fail.Error of kind BadInput and name the column, from 1.
func ParseThreshold(text string) (Threshold, error) {
	p, err := thresholds.cut(text)
	if err != nil {
		return Threshold{}, err
	}
	name, target := cutTarget(p.name.text)
	metric, fault := metricOf(name)
	if fault == nil {
		fault = metric.setTarget(target)
	}
	if fault != nil {
		return Threshold{}, p.at(p.name, fault)
	}
	number, fault := valueOf(metric, p.value.text)
	if fault != nil {
		return Threshold{}, p.at(p.value, fault)
	}
	return Threshold{Metric: metric, Op: Op(p.op.text), Value: number, Text: strings.TrimSpace(text)}, nil
}

// valueOf reads the value that goes with a metric, in the unit of its kind. Errors have
// hints and no position.
func valueOf(m Metric, text string) (float64, *fail.Error) {
	switch {
	case text == "":
		return 0, thresholds.noValue()
	case m.Latency(), m.Kind == Start:
		return latencyOf(m, text)
	case m.Kind == Growth:
		return bytesOf(m, text)
	case m.Share():
		return shareOf(m, text)
	case m.Kind == Rate, m.Kind == Messages:
		hz, err := rateOf(text)
		if err != nil {
			what := "answers"
			if m.Kind == Messages {
				what = "messages of streams"
			}
			return 0, err.WithHint("%s takes %s per second: %s", m, what, rateExamples)
		}
		return hz, nil
	default:
		number, unit := cutNumber(text)
		n, ok := parseNumber(number)
		scale, known := multiples[unit]
		if !ok || !known || math.IsInf(n*scale, 0) {
			return 0, fail.New(fail.BadInput, "%q is not a number", text).
				WithHint("%s takes a number: %s>1000 or %s>10k", m, m, m)
		}
		return n * scale, nil
	}
}

// nanos are the units of a latency in nanoseconds.
var nanos = map[string]float64{"ns": 1, "us": 1e3, "\u00b5s": 1e3, "\u03bcs": 1e3, "ms": 1e6, "s": 1e9}

func latencyOf(m Metric, text string) (float64, *fail.Error) {
	number, unit := cutNumber(text)
	n, ok := parseNumber(number)
	scale, known := nanos[unit]
	what := "a latency"
	if m.Kind == Start {
		what = "a duration"
	}
	switch {
	case !ok || math.IsInf(n*scale, 0):
		return 0, fail.New(fail.BadInput, "%q is not a duration", text).
			WithHint("%s takes a number and a unit, ns, us, ms or s: 300ms", m)
	case unit == "":
		return 0, fail.New(fail.BadInput, "%s has no unit", text).
			WithHint("%s is %s: write %sms, %sus or %ss", m, what, text, text, text)
	case unit == "%":
		return 0, fail.New(fail.BadInput, "%s is %s, and %s a share", m, what, text).
			WithHint("write a duration such as 300ms, or ask for errors or unanswered")
	case !known:
		return 0, fail.New(fail.BadInput, "unknown unit %q", unit).
			WithHint("units of a latency are ns, us, ms and s: 300ms")
	}
	return n * scale, nil
}

// byteUnits are the units of a number of bytes, in lower case.
var byteUnits = map[string]float64{"": 1, "b": 1, "kb": 1e3, "mb": 1e6, "kib": 1 << 10, "mib": 1 << 20}

func bytesOf(m Metric, text string) (float64, *fail.Error) {
	number, unit := cutNumber(text)
	n, ok := parseNumber(number)
	scale, known := byteUnits[strings.ToLower(unit)]
	if !ok || !known || math.IsInf(n*scale, 0) {
		return 0, fail.New(fail.BadInput, "%q is not a number of bytes", text).
			WithHint("%s takes bytes for each request: %s>100B, %s>2kB", m, m, m)
	}
	return n * scale, nil
}

func shareOf(m Metric, text string) (float64, *fail.Error) {
	number, unit := cutNumber(text)
	n, ok := parseNumber(number)
	switch {
	case !ok || unit != "" && unit != "%":
		return 0, fail.New(fail.BadInput, "%q is not a share", text).
			WithHint("%s is the share of requests: write 0.1%% or 0.001", m)
	case unit == "%" && n > 100:
		return 0, fail.New(fail.BadInput, "%s is above 100 %%", text).
			WithHint("%s is the share of requests: write 0.1%% or 0.001", m)
	case unit == "%":
		return n / 100, nil
	case n > 1:
		return 0, fail.New(fail.BadInput, "%s is above 1", text).
			WithHint("%s is the share of requests, not their number: write %s%% or a fraction from 0 to 1", m, number)
	}
	return n, nil
}
