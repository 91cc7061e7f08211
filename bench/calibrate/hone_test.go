package calibrate

import (
	"strings"
	"testing"

	"github.com/gohone/hone/bench/honecli"
)

func document2(verdict string) string {
	return `{"schema": "hone.compare/2", "comparison": {"elapsed_ns": 12345678901, "reason": "replies withheld",
		"contests": [` + verdict + `]}, "runs": []}`
}

func TestReadComparison(t *testing.T) {
	slow := `{"verdicts": [{"measure": {"key": "cpu"}, "verdict": "slower", "ratio": 1.0300004, "low": 1.02, "high": null, "starts": 6, "pairs": 48}, {"verdict": "same"}]}`
	for _, c := range []struct {
		name, out string
		code      int
		want      comparison
		err       string
	}{
		{"a verdict", document2(slow), 0, comparison{Verdict: slower, Ratio: 1.03, Low: 1.02, Starts: 6, Pairs: 48,
			Seconds: 12.35}, ""},
		{"undecided", document2(strings.Replace(slow, "slower", "undecided", 1)), honecli.Undecided,
			comparison{Verdict: undecided, Ratio: 1.03, Low: 1.02, Starts: 6, Pairs: 48, Seconds: 12.35}, ""},
		{"invalid", document2(""), honecli.Invalid,
			comparison{Verdict: invalid, Seconds: 12.35, Reason: "replies withheld"}, ""},
		{"no contest", document2(""), 0, comparison{}, "no verdict"},
		{"a new word", document2(`{"verdicts": [{"verdict": "equal"}]}`), 0, comparison{}, `unknown verdict "equal"`},
		{"an older hone", `{"schema": "hone.compare/1", "comparison": {}}`, 0, comparison{}, "want hone.compare/2"},
		{"no document", "", 0, comparison{}, "read hone's comparison"},
	} {
		got, err := readComparison([]byte(c.out), c.code)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: error %v, want one that says %q", c.name, err, c.err)
			}
			continue
		}
		if err != nil || got != c.want {
			t.Errorf("%s: %+v, %v\nwant %+v", c.name, got, err, c.want)
		}
	}
}

func TestArguments(t *testing.T) {
	got := strings.Join(tool{}.arguments(services[0], "L", "compare", []string{"a", "b"}, "--budget", "1m0s"), " ")
	want := "compare a b --target framed://127.0.0.1:{port} -c 100 --depth 16 --budget 1m0s --ledger L --json --no-profile --quiet -- -addr 127.0.0.1:{port}"
	if got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
