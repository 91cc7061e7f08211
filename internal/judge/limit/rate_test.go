package limit_test

import (
	"math"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/judge/limit"
	"github.com/gohone/hone/internal/text/fail"
)

func TestRatesAsPeopleWriteThem(t *testing.T) {
	for text, want := range map[string]float64{
		"1000": 1000, " 1k ": 1000, "1K": 1000, "2.5M": 2.5e6, "0.5": 0.5, ".5": 0.5,
		"50/1s": 50, "50/s": 50, "600/m": 10, "36k/h": 10, "5/100ms": 50, "50 / 2s": 25, "1/ms": 1000,
		"1/1m30s": 1.0 / 90,
	} {
		if got, err := limit.ParseRate(text); err != nil || got != want {
			t.Errorf("%q is %v, %v, want %v", text, got, err, want)
		}
	}
	for text, want := range map[string]struct{ message, hint string }{
		"":                             {"it is not a number", "50/1s"},
		"fast":                         {"it is not a number", "50/1s"},
		"0":                            {"is 0", "closed loop"},
		"0/s":                          {"is 0", "closed loop"},
		"-5":                           {"it is not a number", "50/1s"},
		"1,000":                        {"no commas", "write 1000"},
		"5x":                           {`unknown suffix "x"`, "2.5M"},
		"5m":                           {"neither a million nor a minute", "5M for millions each second, 5/m"},
		"5/":                           {"not a span of time", "50/1s"},
		"5/0s":                         {"not a span of time", "50/1s"},
		"5/x":                          {"not a span of time", "50/1s"},
		"5/-1s":                        {"not a span of time", "50/1s"},
		"5/1s/1s":                      {"not a span of time", "50/1s"},
		"1e9":                          {`unknown suffix "e9"`, "2.5M"},
		"Infinity":                     {"it is not a number", "50/1s"},
		strings.Repeat("9", 308) + "G": {"it is too large", "50/1s"},
	} {
		got, err := limit.ParseRate(text)
		if fail.ExitCode(err) != int(fail.BadInput) || !strings.Contains(err.Error(), want.message) ||
			!strings.Contains(fail.HintOf(err), want.hint) {
			t.Errorf("%q is %v, %v (%s), want %q (%s)", text, got, err, fail.HintOf(err), want.message, want.hint)
		}
	}
}

func TestRangesAsPeopleWriteThem(t *testing.T) {
	for text, want := range map[string][2]float64{
		"100..5000": {100, 5000}, "1k..20k": {1000, 20_000}, "0..5000": {0, 5000}, "5000..0": {5000, 0},
		" 60/m .. 100/s ": {1, 100}, "1.5..2.5": {1.5, 2.5},
	} {
		if from, to, err := limit.ParseRange(text); err != nil || from != want[0] || to != want[1] {
			t.Errorf("%q is %v, %v, %v, want %v", text, from, to, err, want)
		}
	}
	for text, want := range map[string]string{
		"": `has no ".."`, "1000": `has no ".."`, "1..": "not a number", "..1": "not a number", "0..0": "from 0 to 0",
		"1...5": "three dots", "1..2..3": "not a number", "5m..9": "neither",
	} {
		from, to, err := limit.ParseRange(text)
		if fail.ExitCode(err) != int(fail.BadInput) || !strings.Contains(err.Error(), want) || fail.HintOf(err) == "" {
			t.Errorf("%q is %v, %v, %v, want %q", text, from, to, err, want)
		}
	}
}

func FuzzParseRate(f *testing.F) {
	for _, s := range []string{"1000", "2.5M", "50/1s", "600/m", "0", "1,000", "5m", "1/0s", "1/1ns", "9/1e9s",
		"100..5000", "1...2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		hz, err := limit.ParseRate(text)
		if err == nil && !(hz > 0 && hz <= math.MaxFloat64) {
			t.Fatalf("%q is %v", text, hz)
		}
		from, to, rangeErr := limit.ParseRange(text)
		if rangeErr == nil && !(from >= 0 && to >= 0 && from+to > 0) {
			t.Fatalf("%q is %v..%v", text, from, to)
		}
		for _, err := range []error{err, rangeErr} {
			if err != nil && (fail.ExitCode(err) != int(fail.BadInput) || fail.HintOf(err) == "") {
				t.Fatalf("%q: %v has no hint", text, err)
			}
		}
	})
}
