package model

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/conduct/lab"
)

func TestARunSaysWhatRisesAndWhenItReachesItsLimit(t *testing.T) {
	r := lab.Record{Growth: &lab.Growth{HeapBytes: 1100, Requests: 60_000, HeapAtEnd: 100 << 20,
		HeapPerMinute: &lab.Interval{Value: 10 << 20, Low: 9 << 20, High: 11 << 20, Conf: 0.95}}}
	for env, want := range map[string]string{
		"":                                   "1.10 kB of live heap per request, 10.5 MB a minute (95 % interval 9.44 MB ... 11.5 MB)",
		"GOMEMLIMIT=200MiB":                  "..., GOMEMLIMIT after 10m0s more",
		"GOMEMLIMIT=off GOMEMLIMIT=50MiB":    "..., over GOMEMLIMIT by now",
		"GOMEMLIMIT=200MiB GOMEMLIMIT=off":   "... interval 9.44 MB ... 11.5 MB)",
		"GOMEMLIMIT=12XB GOGC=10 GOMAXPROCS": "... 11.5 MB)",
	} {
		r.Binary.Variant.Env = strings.Fields(env)
		rows := growthRows(r)
		end, from := strings.CutPrefix(want, "...")
		if len(rows) != 1 || !strings.HasSuffix(rows[0].Text, strings.TrimSpace(end)) || !from && rows[0].Text != want {
			t.Errorf("%q: %+v, want %s", env, rows, want)
		}
	}
	if rows := growthRows(lab.Record{}); rows != nil {
		t.Errorf("%v", rows)
	}
}
