package ws

import (
	"testing"
	"time"

	"github.com/tidwall/gjson"
)

func TestAgesOfMessages(t *testing.T) {
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	for stamp, want := range map[string]time.Duration{
		"1795435199":                  time.Second,
		"1795435199.5":                time.Second / 2,
		"1795435199999":               time.Millisecond,
		"1795435199999000":            time.Millisecond,
		"1795435199999999000":         time.Microsecond,
		`"2026-11-23T11:59:58Z"`:      2 * time.Second,
		`"2026-11-23T13:00:00+02:00"`: time.Hour,
		"1795435201":                  1, // from a clock that is ahead
		`"yesterday"`:                 0,
		"true":                        0,
	} {
		got := ageOf(gjson.Parse(stamp), now)
		if diff := time.Duration(got) - want; diff.Abs() > time.Microsecond {
			t.Errorf("%s is %v old, want %v", stamp, time.Duration(got), want)
		}
	}
}
