package limit

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
)

func TestThresholdsOfOneTarget(t *testing.T) {
	for text, want := range map[string]Metric{
		"p99{/items}<5ms":             {Kind: Percentile, Percentile: 99, Target: "/items"},
		"errors { GET /a?b>=1 } > 1%": {Kind: Errors, Target: "GET /a?b>=1"},
		"rate{log in}<100":            {Kind: Rate, Target: "log in"},
		"p99<5ms":                     {Kind: Percentile, Percentile: 99},
	} {
		got, err := ParseThreshold(text)
		if err != nil || got.Metric != want {
			t.Errorf("%s: %+v, %v", text, got.Metric, err)
			continue
		}
		plain := got
		plain.Text = ""
		if again, err := ParseThreshold(plain.String()); err != nil || again.Metric != want ||
			again.Value != got.Value {
			t.Errorf("%s is written as %s, which is %+v, %v", text, plain, again, err)
		}
	}
	for text, hint := range map[string]string{
		"ttfb.p99{/a}<5ms": "of one target there are", "requests{/a}>5": "of one target there are",
		"p99{/items<5ms": "", "p99}<5ms": "", "{/items}<5ms": "",
	} {
		if got, err := ParseThreshold(text); fail.KindOf(err) != fail.BadInput ||
			!strings.Contains(fail.HintOf(err), hint) {
			t.Errorf("%s: %+v, %v (%s)", text, got, err, fail.HintOf(err))
		}
	}
}

func TestFindTarget(t *testing.T) {
	targets := []string{"GET /items", "POST /items", "GET /", "log in"}
	for meant, want := range map[string]int{"GET /items": 0, "POST /items": 1, "/": 2, "log in": 3} {
		if got, err := FindTarget(meant, targets); err != nil || got != want {
			t.Errorf("%s: %d, %v", meant, got, err)
		}
	}
	for meant, hint := range map[string]string{
		"/items": "name one of GET /items, POST /items", "/itens": "did you mean /items?",
		"zzzzzzzzzz": "targets are GET /items",
	} {
		if _, err := FindTarget(meant, targets); fail.KindOf(err) != fail.BadInput ||
			!strings.Contains(fail.HintOf(err), hint) {
			t.Errorf("%s: %v (%s)", meant, err, fail.HintOf(err))
		}
	}
	if _, err := FindTarget("/items", nil); !strings.Contains(fail.HintOf(err), "one target only") {
		t.Errorf("without targets: %v", err)
	}
}
