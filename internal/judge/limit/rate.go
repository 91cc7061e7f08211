package limit

import (
	"math"
	"strings"
	"time"

	"github.com/gohone/hone/internal/text/fail"
)

// rateExamples are rates that hints show.
const rateExamples = "1000, 1k, 2.5M, 50/1s or 600/m"

// multiples are the suffixes of numbers.
var multiples = map[string]float64{"": 1, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9}

// ParseRate reads a number of requests per second: 1000, 1k, 2.5M, or a number for each
// span of time: 50/1s, 600/m, 5/100ms. It is above 0 and finite. Errors are *fail.Error
// of kind BadInput.
func ParseRate(text string) (hz float64, err error) {
	hz, fault := rateOf(strings.TrimSpace(text))
	if fault == nil && hz == 0 {
		fault = fail.New(fail.BadInput, "rate %q is 0", text).
			WithHint("leave the rate out to send as fast as the answers come (closed loop)")
	}
	if fault != nil {
		return 0, fault
	}
	return hz, nil
}

// ParseRange reads FROM..TO, two rates of which one may be 0, for a ramp. Errors are
// *fail.Error of kind BadInput.
func ParseRange(text string) (from, to float64, err error) {
	first, second, ok := strings.Cut(strings.TrimSpace(text), "..")
	if strings.HasPrefix(second, ".") {
		return 0, 0, fail.New(fail.BadInput, "range %q has three dots", text).
			WithHint("write it like 100..5000, and 0.5 instead of .5")
	}
	if !ok {
		return 0, 0, fail.New(fail.BadInput, "range %q has no \"..\"", text).
			WithHint("write it like 100..5000, or one rate without dots")
	}
	from, fault := rateOf(strings.TrimSpace(first))
	if fault == nil {
		to, fault = rateOf(strings.TrimSpace(second))
	}
	if fault != nil {
		return 0, 0, fail.New(fail.BadInput, "range %q: %w", text, fault).WithHint("write it like 100..5000 or 1k..20k")
	}
	if from == 0 && to == 0 {
		return 0, 0, fail.New(fail.BadInput, "range %q goes from 0 to 0", text).WithHint("write it like 0..5000")
	}
	return from, to, nil
}

// rateOf reads a rate, which may be 0. Errors have hints and no position.
func rateOf(text string) (float64, *fail.Error) {
	count, span, perSpan := strings.Cut(text, "/")
	number, suffix := cutNumber(strings.TrimSpace(count))
	n, ok := parseNumber(number)
	scale, known := multiples[suffix]
	seconds := 1.0
	bad := func(format string, args ...any) (float64, *fail.Error) {
		return 0, fail.New(fail.BadInput, "rate %q: "+format, append([]any{text}, args...)...).
			WithHint("write it like %s", rateExamples)
	}
	switch {
	case strings.HasPrefix(suffix, ","):
		return 0, fail.New(fail.BadInput, "rate %q: a number has no commas", text).
			WithHint("write %s", strings.ReplaceAll(text, ",", ""))
	case !ok:
		return bad("it is not a number")
	case !known && suffix == "m":
		return 0, fail.New(fail.BadInput, "rate %q: m is neither a million nor a minute here", text).
			WithHint("write %sM for millions each second, %s/m for a number each minute", number, number)
	case !known:
		return bad("unknown suffix %q: k is a thousand, M a million", suffix)
	}
	if perSpan {
		if seconds, ok = secondsOf(strings.TrimSpace(span)); !ok {
			return bad("%q is not a span of time: s, m, h, or a duration such as 100ms", span)
		}
	}
	hz := n * scale / seconds
	if math.IsInf(hz, 0) {
		return bad("it is too large")
	}
	return hz, nil
}

// secondsOf reads a span of time above 0: a duration of Go's, or its unit alone.
func secondsOf(text string) (float64, bool) {
	if text != "" && !isDigit(text[0]) && text[0] != '.' {
		text = "1" + text
	}
	d, err := time.ParseDuration(text)
	return d.Seconds(), err == nil && d > 0
}
