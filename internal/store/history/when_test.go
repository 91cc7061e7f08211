package history

import (
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/fail"
)

func TestParseWhen(t *testing.T) {
	zone := time.FixedZone("somewhere", 3600)
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, zone)
	day := func(d, h, m, s int) time.Time { return time.Date(2026, 11, d, h, m, s, 0, zone) }
	for text, want := range map[string][2]time.Time{
		"2w":                   {day(7, 12, 0, 0), day(7, 12, 0, 0)},
		"1.5d":                 {day(20, 0, 0, 0), day(20, 0, 0, 0)},
		"90m":                  {day(21, 10, 30, 0), day(21, 10, 30, 0)},
		"0s":                   {now, now},
		"2026-11-01":           {day(1, 0, 0, 0), day(2, 0, 0, 0)},
		"2026-11-01 15:04":     {day(1, 15, 4, 0), day(1, 15, 5, 0)},
		"2026-11-01T15:04:05":  {day(1, 15, 4, 5), day(1, 15, 4, 6)},
		"2026-11-01T14:04:05Z": {day(1, 15, 4, 5), day(1, 15, 4, 6)},
	} {
		from, to, err := ParseWhen(text, now)
		if err != nil || !from.Equal(want[0]) || !to.Equal(want[1]) {
			t.Errorf("%q: %v ... %v, want %v: %v", text, from, to, want, err)
		}
	}
	for _, text := range []string{"", "w", "-1d", "1e9w", "999999999w", "yesterday", "2026-13-01", "2026-11-1", "1y",
		"1.2.3d", "NaNd"} {
		if _, _, err := ParseWhen(text, now); fail.ExitCode(err) != int(fail.BadInput) || fail.HintOf(err) == "" {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestParsePeriod(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	from, to, err := ParsePeriod("2026-11-01", "2026-11-01", now)
	if err != nil || to.Sub(from) != 24*time.Hour {
		t.Errorf("one day is %v ... %v: %v", from, to, err)
	}
	if from, to, err := ParsePeriod("", "", now); err != nil || !from.IsZero() || !to.IsZero() {
		t.Errorf("no bounds: %v, %v, %v", from, to, err)
	}
	for _, bad := range [][2]string{{"1d", "2d"}, {"x", ""}, {"", "x"}, {"1h", "1h"}} {
		if _, _, err := ParsePeriod(bad[0], bad[1], now); fail.ExitCode(err) != int(fail.BadInput) ||
			fail.HintOf(err) == "" {
			t.Errorf("%v: %v", bad, err)
		}
	}
}

// Words of filters that no run has are named with what there is.
func TestCheckFilter(t *testing.T) {
	b := newBook(t)
	b.run("a", ledger.Complete, 1, func(r *ledger.Run) {
		r.Package, r.Label, r.Target = "example.com/cmd/server", "./cmd/server", "http://x/"
	})
	for _, good := range []ledger.RunFilter{{}, {Package: "cmd/server"}, {Package: "server"},
		{Package: "example.com/cmd/server", Label: "./cmd/server"}, {Target: "http://x/"}, {Commit: "zzz"}} {
		if err := CheckFilter(b, good); err != nil {
			t.Errorf("%+v: %v", good, err)
		}
	}
	for hint, bad := range map[string]ledger.RunFilter{
		`did you mean "server"?`: {Package: "servr"}, `did you mean "./cmd/server"?`: {Label: "./cmd/serve"},
		"there is http://x/": {Target: "https://elsewhere"}, "there is example.com/cmd/server": {Package: "erver.x"},
	} {
		err := CheckFilter(b, bad)
		if fail.ExitCode(err) != int(fail.BadInput) || !strings.Contains(fail.HintOf(err), hint) {
			t.Errorf("%+v: %v, hint %q, want %q", bad, err, fail.HintOf(err), hint)
		}
	}
	if s, err := ParseStatus([]string{"complete", "crashed"}); err != nil || len(s) != 2 {
		t.Errorf("%v, %v", s, err)
	}
	if _, err := ParseStatus([]string{"invalit"}); !strings.Contains(fail.HintOf(err), "invalid") {
		t.Errorf("%v", err)
	}
}

// What ParseWhen reads is a moment with an end not before it, not in the future if it
// is an age, and it never panics.
func FuzzParseWhen(f *testing.F) {
	for _, s := range []string{"2w", "1.5d", "0s", "2026-11-01", "2026-11-01 15:04", "2026-11-01T14:04:05Z",
		"9999999999999999999w", ".", "..h", "1e3d", "\x00d"} {
		f.Add(s)
	}
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		from, to, err := ParseWhen(text, now)
		if err != nil {
			if fail.HintOf(err) == "" {
				t.Errorf("%q: no hint", text)
			}
			return
		}
		if to.Before(from) || to.Equal(from) && from.After(now) {
			t.Errorf("%q: %v ... %v", text, from, to)
		}
	})
}
