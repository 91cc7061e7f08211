package continuous

import (
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/internal/text/fail"
)

// ParseTime reads a moment: now, now-1h30m, a time as RFC 3339 has it (2026-11-28T17:00:00Z), or seconds since 1970.
func ParseTime(text string, now time.Time) (time.Time, error) {
	if rest, ok := strings.CutPrefix(text, "now"); ok {
		if rest == "" {
			return now, nil
		}
		if ago, err := time.ParseDuration(rest); err == nil && (rest[0] == '-' || rest[0] == '+') {
			return now.Add(ago), nil
		}
	}
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at, nil
	}
	if seconds, err := strconv.ParseInt(text, 10, 64); err == nil && seconds >= 0 && seconds < 1<<40 {
		return time.Unix(seconds, 0), nil
	}
	return time.Time{}, fail.New(fail.BadInput, "%q is not a time",
		text).WithHint("write now-1h, 2026-11-28T17:00:00Z, or seconds since 1970")
}

// ParseRange reads the two ends of a stretch of time, of which the first comes first.
func ParseRange(from, to string, now time.Time) (begin, end time.Time, err error) {
	if begin, err = ParseTime(from, now); err != nil {
		return begin, end, err
	}
	if end, err = ParseTime(to, now); err != nil {
		return begin, end, err
	}
	if !begin.Before(end) {
		return begin, end, fail.New(fail.BadInput, "--from %s is not before --to %s", from,
			to).WithHint("--from now-1h --to now")
	}
	return begin, end, nil
}
