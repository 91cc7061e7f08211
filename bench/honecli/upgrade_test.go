package honecli

import (
	"encoding/json"
	"strings"
	"testing"
)

// The division is that of one measure, of a service or a benchmark; what was not measured is an
// error.
func TestUpgradeAnswer(t *testing.T) {
	const divided = `{"parts": {"measures": [{"key": "peak_rss"},
		{"key": "cpu", "rest_share": 0.01, "change": {"share": 0.06}, "parts": [{"name": "tea",
			"off": ["GOEXPERIMENT=notea"], "cost": {"share": 0.05, "low": 0.04, "high": 0.06, "shown": true}}]}]}}`
	const schema = `{"schema": "hone.upgrade/1", `
	read := func(text string) (*Divided, error) {
		var u upgradeAnswer
		if err := json.Unmarshal([]byte(text), &u); err != nil {
			t.Fatal(err)
		}
		return u.of("cpu")
	}
	for _, text := range []string{schema + `"boxes": [{"rows": [{}, ` + divided + `]}]}`,
		schema + `"benchmarks": [` + divided + `]}`} {
		d, err := read(text)
		if err != nil || d == nil || d.Rest != 0.01 || len(d.Parts) != 1 || !d.Parts[0].Cost.Shown ||
			len(d.Parts[0].Off) != 1 {
			t.Errorf("%+v, %v", d, err)
		}
	}
	if d, err := read(schema + `"benchmarks": [{}]}`); d != nil || err != nil {
		t.Errorf("no difference: %+v, %v", d, err)
	}
	for why, text := range map[string]string{"schema": `{"schema": "hone.upgrade/9"}`,
		"cannot build": schema + `"missing": [{"name": "go1.99", "reason": "not found"}]}`,
		"killed":       schema + `"boxes": [{"failure": "killed"}]}`,
		"too short":    schema + `"benchmarks": [{"parts": {"failure": "too short"}}]}`} {
		if d, err := read(text); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %+v, %v", why, d, err)
		}
	}
}
