package lab

import (
	"encoding/json"
	"testing"

	"github.com/gohone/hone/internal/compare"
)

func TestComparisonsOfTheFirstSchemaAreRead(t *testing.T) {
	const doc = `{"schema":"hone.comparison/1","id":"b76d7ef7","status":"complete","runs":["db0dda09","27ae200f"],"verdict":"faster",
		"verdicts":[{"measure":{"key":"cpu","name":"CPU per request","unit":"ns","better":"lower"},"verdict":"faster","a":13000,"b":1470,
		"ratio":0.094,"low":0.078,"high":0.119,"conf":0.95,"p":0.0005,"pairs":24,"starts":4,"alpha":0.05,"delta":0.01,"start_margin":0.003,"resolution":0.2}],
		"changes":[{"share":-0.72}]}`
	var c ComparisonRecord
	if err := json.Unmarshal([]byte(doc), &c); err != nil {
		t.Fatal(err)
	}
	if c.Schema != ComparisonSchema || c.ID != "b76d7ef7" || len(c.Contests) != 1 {
		t.Fatalf("%+v", c)
	}
	one := c.Contests[0]
	if one.Word != compare.Faster || one.B != 1 || len(one.Changes) != 1 || len(one.Verdicts) != 1 || one.Verdicts[0].Ratio != 0.094 || one.Verdicts[0].Starts != 4 {
		t.Errorf("%+v", one)
	}
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var again ComparisonRecord
	if err := json.Unmarshal(text, &again); err != nil || len(again.Contests) != 1 || again.Contests[0].Verdicts[0].Ratio != 0.094 {
		t.Errorf("%v: %s became %+v", err, text, again)
	}
}
