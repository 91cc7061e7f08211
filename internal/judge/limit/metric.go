package limit

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/units"
)

// Kind says what of a load test a Metric is.
type Kind string

// The kinds, by the word that a threshold has for them; Percentile stands for p and
// a number. The unit of their values is in brackets.
const (
	Min        Kind = "min"        // least latency [ns]
	Mean       Kind = "mean"       // arithmetic mean of the latency [ns]
	Max        Kind = "max"        // greatest latency [ns]
	StdDev     Kind = "stddev"     // standard deviation of the latency [ns]
	Percentile Kind = "p"          // a percentile of the latency [ns]
	Errors     Kind = "errors"     // failed requests among the settled ones [fraction, 0 to 1]
	Unanswered Kind = "unanswered" // unanswered requests among those sent [fraction, 0 to 1]
	Rate       Kind = "rate"       // right answers per second [1/s]
	Requests   Kind = "requests"   // requests sent
	Messages   Kind = "messages/s" // messages of streams per second [1/s]

	// Of a program that hone starts.
	Start       Kind = "start"       // from its beginning until it listens [ns]
	Growth      Kind = "growth"      // live heap that each request adds [B]
	Goroutines  Kind = "goroutines"  // goroutines that each request adds
	Descriptors Kind = "descriptors" // open descriptors that each request adds
)

// Clock says from where to where a latency is measured.
type Clock string

// The clocks, by the prefix that a threshold has for them.
const (
	// Headline is the latency that speaks for the target: response time in an open
	// loop, service time in a closed one.
	Headline Clock = ""
	Service  Clock = "service"  // from the write of the request to its answer
	Response Clock = "response" // from the moment the request was due to its answer
	Lag      Clock = "lag"      // from the moment the request was due to its write
	// Of answers that are streams.
	FirstByte  Clock = "ttfb"        // as Headline, to the first byte of the answer
	Gap        Clock = "gap"         // from a message of an answer to the next
	MessageAge Clock = "message-age" // from the time stamp in a message to its read
)

var (
	latencyKinds = []Kind{Min, Mean, Max, StdDev}
	otherKinds   = []Kind{Errors, Unanswered, Rate, Requests, Messages, Start, Growth, Goroutines, Descriptors}
	programKinds = []Kind{Start, Growth, Goroutines, Descriptors}
	clocks       = []Clock{Service, Response, Lag, FirstByte, Gap, MessageAge}
)

// Metric names one number of a load test.
type Metric struct {
	Kind Kind
	// Prefix is the clock of a latency; Headline for all other kinds.
	Prefix Clock
	// Percentile is above 0 and at most 100 where Kind is Percentile, else 0.
	Percentile float64
	// Target is the one of several targets that the metric is of, as the user named it; empty for all together.
	Target string
}

// Latency says whether the metric's values are durations, in nanoseconds.
func (m Metric) Latency() bool { return m.Kind == Percentile || slices.Contains(latencyKinds, m.Kind) }

// OfProgram says that only a program which hone starts has the metric.
func (m Metric) OfProgram() bool { return slices.Contains(programKinds, m.Kind) }

// OfStreams says that only answers that are streams have the metric.
func (m Metric) OfStreams() bool {
	return m.Kind == Messages || m.Prefix == FirstByte || m.Prefix == Gap || m.Prefix == MessageAge
}

// Share says whether the metric's values are fractions, 0 to 1.
func (m Metric) Share() bool { return m.Kind == Errors || m.Kind == Unanswered }

// String writes the metric as ParseThreshold reads it: p99.9, service.max, errors.
func (m Metric) String() string {
	s := string(m.Kind)
	if m.Kind == Percentile {
		s += strconv.FormatFloat(m.Percentile, 'f', -1, 64)
	}
	if m.Prefix != Headline {
		s = string(m.Prefix) + "." + s
	}
	if m.Target != "" {
		s += "{" + m.Target + "}"
	}
	return s
}

// Format writes a value of the metric for people: 412 ms, 0.13 %, 1,000/s.
func (m Metric) Format(value float64) string {
	switch {
	case m.Latency(), m.Kind == Start:
		return units.Nanos(value)
	case m.Kind == Growth:
		return units.Bytes(value)
	case m.Share():
		return units.Digits(100*value) + " %"
	case m.Kind == Rate, m.Kind == Messages:
		return units.Rate(value)
	default:
		return units.Digits(value)
	}
}

// metricOf reads a metric's name. Errors have hints and no position.
func metricOf(name string) (Metric, *fail.Error) {
	lower := strings.ToLower(name)
	clock, kind, prefixed := cutClock(lower)
	if !prefixed || isPercentile(lower) {
		return headlineOf(name, lower)
	}
	if !slices.Contains(clocks, Clock(clock)) {
		return Metric{}, thresholds.unknown(name, behind(fail.Nearest(clock, texts(clocks)), kind))
	}
	m, err := headlineOf(name, kind)
	if err != nil {
		return Metric{}, err
	}
	if !m.Latency() {
		return Metric{}, fail.New(fail.BadInput, "%s is not a latency, and has no %s.", kind, clock).
			WithHint("write %s alone; after %s. go min, mean, max, stddev and pN", kind, clock)
	}
	m.Prefix = Clock(clock)
	return m, nil
}

// cutClock cuts a name after its clock, where there is a dot or, for a clock that is known, a minus: service.p99,
// ttfb-p99.
func cutClock(name string) (clock, kind string, ok bool) {
	for _, c := range clocks {
		if rest, found := strings.CutPrefix(name, string(c)+"-"); found {
			return string(c), rest, true
		}
	}
	return strings.Cut(name, ".")
}

// headlineOf reads a name without a prefix; lower is name in lower case.
func headlineOf(name, lower string) (Metric, *fail.Error) {
	if isPercentile(lower) {
		return percentileOf(name, lower[1:])
	}
	if k := Kind(lower); slices.Contains(latencyKinds, k) || slices.Contains(otherKinds, k) {
		return Metric{Kind: k}, nil
	}
	near := cmp.Or(metricSynonyms[lower], fail.Nearest(lower, append(texts(latencyKinds), texts(otherKinds)...)))
	return Metric{}, thresholds.unknown(name, near)
}

// isPercentile says whether a name is p and something that begins like a number.
func isPercentile(name string) bool {
	return len(name) > 1 && name[0] == 'p' && (isDigit(name[1]) || name[1] == '.')
}

func percentileOf(name, number string) (Metric, *fail.Error) {
	p, ok := parseNumber(number)
	if ok && p > 0 && p <= 100 {
		return Metric{Kind: Percentile, Percentile: p}, nil
	}
	err := fail.New(fail.BadInput, "%q is not a percentile: N of pN is above 0 and at most 100", name)
	if ok && p > 100 && number[0] == '9' && !strings.Contains(number, ".") {
		return Metric{}, err.WithHint("did you mean p%s.%s?", number[:2], number[2:])
	}
	return Metric{}, err.WithHint("write it like p50, p99 or p99.9")
}

// metricSynonyms are words that other tools have for the metrics.
var metricSynonyms = map[string]string{
	"avg": "mean", "average": "mean", "median": "p50", "med": "p50", "latency": "p99", "stdev": "stddev",
	"sd": "stddev", "rps": "rate", "qps": "rate", "tps": "rate", "throughput": "rate", "failed": "errors",
	"failures": "errors", "error_rate": "errors", "count": "requests", "sent": "requests", "messages": "messages/s",
	"events": "messages/s", "events/s": "messages/s", "ttfb": "ttfb.p99", "timeouts": "unanswered",
	"startup": "start", "cold_start": "start", "leak": "growth", "heap": "growth", "fds": "descriptors",
	"files": "descriptors",
}

// behind puts a kind behind a clock, if there is one.
func behind(clock, kind string) string {
	if clock == "" {
		return ""
	}
	return clock + "." + kind
}

func texts[T ~string](all []T) []string {
	var out []string
	for _, t := range all {
		out = append(out, string(t))
	}
	return out
}
