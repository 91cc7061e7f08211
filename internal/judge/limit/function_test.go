package limit_test

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/judge/limit"
	"github.com/gohone/hone/internal/text/fail"
)

var withFunctions = []limit.Measure{{Key: "cpu", Unit: "ns"}, {Key: "func", Unit: "ns", OfFunction: true}}

func TestLimitsOnFunctions(t *testing.T) {
	for text, want := range map[string]limit.Change{
		"func(main.work)<+5%":                      {Function: "main.work", Op: "<", Limit: 0.05, Relative: true},
		" func(example.com/a.(*T).Get) <= +10 us ": {Function: "example.com/a.(*T).Get", Op: "<=", Limit: 10e3},
		"func(a.Map[go.shape.int]) < 2%": {Function: "a.Map[go.shape.int]", Op: "<", Limit: 0.02,
			Relative: true},
		"func(a.Send[chan<- int])<0": {Function: "a.Send[chan<- int]", Op: "<", Limit: 0},
	} {
		got, err := limit.ParseChange(text, withFunctions)
		want.Measure, want.Text = 1, strings.TrimSpace(text)
		if strings.Contains(text, "chan<-") {
			if err == nil { // spaces are in no symbol that a gate can name
				t.Errorf("%q: %+v", text, got)
			}
			continue
		}
		if err != nil || got != want {
			t.Errorf("%q is %+v, %v, want %+v", text, got, err, want)
		}
	}
}

func TestFaultsInLimitsOnFunctions(t *testing.T) {
	for text, want := range map[string]struct{ message, hint string }{
		"func()<+5%":           {"column 1: func() names no function", "func(main.work)<+5%"},
		"func<+5%":             {"column 1: func names no function", "func(main.work)<+5%"},
		"func(work)<+5%":       {`column 1: "work" is not the name of a function with its package`, "func(main.work)"},
		"func(main.work)":      {"column 16: no operator", "< <= > >="},
		"func(main.work<+5%":   {`unknown measure "func(main.work"`, "func(PACKAGE.NAME)"},
		"func(main.work)>+5%":  {"column 16: func is better when it is lower", "a gate says what has to hold"},
		"func(main.work)<5":    {"column 17: 5 has no unit", "2%"},
		"fun(main.work)<+5%":   {`unknown measure "fun(main.work)"`, "func(PACKAGE.NAME)"},
		"func(main.work)x<+5%": {`unknown measure "func(main.work)x"`, "func(PACKAGE.NAME)"},
	} {
		_, err := limit.ParseChange(text, withFunctions)
		if fail.ExitCode(err) != int(fail.BadInput) || !strings.Contains(err.Error(), want.message) ||
			!strings.Contains(fail.HintOf(err), want.hint) {
			t.Errorf("%q: %v (%s)", text, err, fail.HintOf(err))
		}
	}
}
