package threshold

import (
	"math"

	"github.com/gohone/hone/internal/fail"
)

// valueOf reads the value that goes with a metric, in the unit of its kind. Errors have
// hints and no position.
func valueOf(m Metric, text string) (float64, *fail.Error) {
	if text == "" {
		return 0, fail.New(fail.BadInput, "no value").WithHint("write it like %s", example)
	}
	switch {
	case m.Latency():
		return latencyOf(m, text)
	case m.Share():
		return shareOf(m, text)
	case m.Kind == Rate:
		hz, err := rateOf(text)
		if err != nil {
			return 0, err.WithHint("rate takes answers per second: %s", rateExamples)
		}
		return hz, nil
	default:
		number, unit := CutNumber(text)
		n, ok := ParseNumber(number)
		scale, known := multiples[unit]
		if !ok || !known || math.IsInf(n*scale, 0) {
			return 0, fail.New(fail.BadInput, "%q is no number", text).
				WithHint("%s takes a number: %s>1000 or %s>10k", m, m, m)
		}
		return n * scale, nil
	}
}

// nanos are the units of a latency in nanoseconds.
var nanos = map[string]float64{"ns": 1, "us": 1e3, "\u00b5s": 1e3, "\u03bcs": 1e3, "ms": 1e6, "s": 1e9}

func latencyOf(m Metric, text string) (float64, *fail.Error) {
	number, unit := CutNumber(text)
	n, ok := ParseNumber(number)
	scale, known := nanos[unit]
	switch {
	case !ok || math.IsInf(n*scale, 0):
		return 0, fail.New(fail.BadInput, "%q is no duration", text).
			WithHint("%s takes a number and a unit, ns, us, ms or s: 300ms", m)
	case unit == "":
		return 0, fail.New(fail.BadInput, "%s has no unit", text).
			WithHint("%s is a latency: write %sms, %sus or %ss", m, text, text, text)
	case unit == "%":
		return 0, fail.New(fail.BadInput, "%s is a latency, and %s a share", m, text).
			WithHint("write a duration such as 300ms, or ask for errors or unanswered")
	case !known:
		return 0, fail.New(fail.BadInput, "unknown unit %q", unit).
			WithHint("units of a latency are ns, us, ms and s: 300ms")
	}
	return n * scale, nil
}

func shareOf(m Metric, text string) (float64, *fail.Error) {
	number, unit := CutNumber(text)
	n, ok := ParseNumber(number)
	switch {
	case !ok || unit != "" && unit != "%":
		return 0, fail.New(fail.BadInput, "%q is no share", text).
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
