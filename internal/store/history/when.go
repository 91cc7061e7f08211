package history

import (
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/internal/text/fail"
)

// The layouts of moments, from the coarsest on, and how long each of them lasts.
var layouts = []struct {
	layout string
	lasts  func(time.Time) time.Time
}{
	{"2006-01-02", func(t time.Time) time.Time { return t.AddDate(0, 0, 1) }},
	{"2006-01-02 15:04", func(t time.Time) time.Time { return t.Add(time.Minute) }},
	{"2006-01-02T15:04", func(t time.Time) time.Time { return t.Add(time.Minute) }},
	{"2006-01-02 15:04:05", func(t time.Time) time.Time { return t.Add(time.Second) }},
	{"2006-01-02T15:04:05", func(t time.Time) time.Time { return t.Add(time.Second) }},
	{time.RFC3339, func(t time.Time) time.Time { return t.Add(time.Second) }},
}

// ParseWhen reads a moment as people type it: an age before now such as 90m, 36h, 3d
// or 2w, or a date or time (2026-11-01, "2026-11-01 15:04", RFC 3339) in the zone of now
// unless it names its own. It returns the moment and the end of what was named, so that
// "until 2026-11-01" can hold all of that day; for an age the two are equal. Anything
// else is fail.BadInput.
func ParseWhen(text string, now time.Time) (from, to time.Time, err error) {
	if age, ok := parseAge(text); ok {
		return now.Add(-age), now.Add(-age), nil
	}
	for _, l := range layouts {
		if t, err := time.ParseInLocation(l.layout, text, now.Location()); err == nil {
			return t, l.lasts(t), nil
		}
	}
	return time.Time{}, time.Time{}, fail.New(fail.BadInput, "time %q: want an age or a date", text).
		WithHint("for example 2w, 3d, 12h, 2026-11-01 or \"2026-11-01 15:04\"")
}

// maxAge keeps ages away from overflow: over two hundred years.
const maxAge = 200 * 365 * 24 * time.Hour

func parseAge(text string) (time.Duration, bool) {
	if text == "" {
		return 0, false
	}
	number, unit := text[:len(text)-1], time.Duration(0)
	switch text[len(text)-1] {
	case 'w':
		unit = 7 * 24 * time.Hour
	case 'd':
		unit = 24 * time.Hour
	case 'h':
		unit = time.Hour
	case 'm':
		unit = time.Minute
	case 's':
		unit = time.Second
	default:
		return 0, false
	}
	if strings.Trim(number, "0123456789.") != "" {
		return 0, false
	}
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || n > float64(maxAge/unit) {
		return 0, false
	}
	return time.Duration(n * float64(unit)), true
}
