package accesslog

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// layouts are those of Apache and nginx, RFC 3339, zap's ISO 8601, of Go's package log, gin and HAProxy. A fraction of
// a second may follow the seconds in all of them.
var layouts = []string{
	"02/Jan/2006:15:04:05 -0700", time.RFC3339, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05",
	"2006-01-02 15:04:05", "2006/01/02 15:04:05",
	"2006/01/02 - 15:04:05", "02/Jan/2006:15:04:05",
}

// parseTime reads a time: in one of the layouts, or as a number of seconds, milliseconds, microseconds or nanoseconds
// since 1970, which its size tells apart.
func parseTime(text string) (time.Time, bool) {
	for _, one := range layouts {
		if at, err := time.Parse(one, text); err == nil {
			return at, at.Unix() > 0
		}
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || v < 1e8 || v > 1e20 { // 1e8 s is in 1973
		return time.Time{}, false
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && v > 1e17 {
		return time.Unix(0, n), true
	}
	for v > 1e11 { // as seconds that is the year 5138
		v /= 1000
	}
	return time.UnixMicro(int64(math.Round(v * 1e6))), true
}

// took is how long a request took, as the log has it.
type took struct {
	key   string // where it stands; empty: the log does not have it
	value float64
	unit  time.Duration // of the value; 0: not said
	// decimals is how many digits the value has after its point.
	decimals int
}

// endings are those of names that say a unit.
var endings = []struct {
	ending string
	unit   time.Duration
}{
	{"milliseconds", time.Millisecond}, {"microseconds", time.Microsecond}, {"nanoseconds", time.Nanosecond},
	{"seconds", time.Second},
	{"millis", time.Millisecond}, {"micros", time.Microsecond}, {"nanos", time.Nanosecond}, {"msec", time.Millisecond},
	{"usec", time.Microsecond},
	{"nsec", time.Nanosecond}, {"secs", time.Second}, {"sec", time.Second}, {"ms", time.Millisecond},
	{"us", time.Microsecond}, {"µs", time.Microsecond}, {"ns", time.Nanosecond}, {"s", time.Second},
}

// tookNames are the names of durations, the best first: one that is written with its unit before one that is not.
var tookNames = []string{
	"latencyhuman", "eventduration", "requesttime", "rt", "duration", "latency", "elapsed", "took", "requestduration",
	"responsetime", "timetaken", "dur",
	"respelapsed", "responseelapsed", "httpresponseelapsed", "httpduration", "httpserverrequestduration",
	"httprequestlatency", "responselatency", "responseduration", "totaltime", "time",
}

// isDuration says that a name stands for a duration.
func isDuration(name string) bool {
	_, ok := tookOf(name, "1")
	return ok
}

// tookOf reads the value of a name as a duration.
func tookOf(name, text string) (took, bool) {
	t := took{key: name}
	base := name
	if !slices.Contains(tookNames, base) {
		for _, u := range endings {
			if cut, ends := strings.CutSuffix(name, u.ending); ends && slices.Contains(tookNames, cut) {
				base, t.unit = cut, u.unit
				break
			}
		}
	}
	switch base {
	case "time":
		if t.unit == 0 { // a moment
			return took{}, false
		}
	case "eventduration": // Elastic Common Schema
		t.unit = time.Nanosecond
	case "requesttime", "rt": // of nginx
		t.unit = time.Second
	default:
		if !slices.Contains(tookNames, base) {
			return took{}, false
		}
	}
	if d, err := time.ParseDuration(text); err == nil && text != "0" {
		t.value, t.unit = float64(d), time.Nanosecond
		return t, d >= 0
	}
	v, err := strconv.ParseFloat(text, 64)
	t.value, t.decimals = v, decimalsOf(text)
	return t, err == nil && v >= 0 && !math.IsInf(v, 0)
}

// decimalsOf is how many digits a number has after its point.
func decimalsOf(text string) int {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	_, fraction, _ := strings.Cut(mantissa, ".")
	e, _ := strconv.Atoi(exponent)
	return max(0, len(fraction)-e)
}
