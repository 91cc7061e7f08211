package model

import (
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/cgroup"
	"github.com/gohone/hone/prof/holders"
)

func TestARunSaysWhatRisesAndWhenItReachesItsLimit(t *testing.T) {
	r := record.Run{Growth: &record.Growth{HeapBytes: 1100, Requests: 60_000, HeapAtEnd: 100 << 20,
		HeapPerMinute: &record.Interval{Value: 10 << 20, Low: 9 << 20, High: 11 << 20, Conf: 0.95}}}
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
	r.Binary.Variant.Env = []string{"GOMEMLIMIT=200MiB"}
	r.Box, r.ResidentBytes = &record.Box{Limits: cgroup.Limits{Memory: 256 << 20}}, 156<<20
	if rows := growthRows(r); !strings.HasSuffix(rows[0].Text,
		", GOMEMLIMIT after 10m0s more, the memory of the box ("+r.Box.MemoryText()+") is full after 10m0s more") {
		t.Errorf("in a box: %s", rows[0].Text)
	}
	r.Growth = &record.Growth{Goroutines: 0.5, Descriptors: 0.25, Requests: 1000}
	if rows := growthRows(r); rows[0].Text != "0.500 goroutines per request; 0.250 descriptors per request" ||
		rows[0].Note != "over 1,000 requests" {
		t.Errorf("%+v", rows)
	}
	if rows := growthRows(record.Run{}); rows != nil {
		t.Errorf("%v", rows)
	}
}

func TestARunSaysWhoHoldsItsMemory(t *testing.T) {
	r := record.Run{Holders: &record.Holders{Paused: 120 * time.Millisecond,
		Report: &holders.Report{Bytes: 65e6, Missing: []string{"no types"}, Holders: []holders.Holder{
			{Name: "seen", Type: "map[string][]byte", Entries: 63_000, Unit: "entries", File: "/src/main.go", Line: 12,
				Bytes: 62e6, Parts: []holders.Part{{Name: "[]byte"}}},
		}}}}
	want := "62.0 MB of 65.0 MB: seen (map[string][]byte, 63,000 entries), main.go:12 -> []byte; paused 120 ms"
	if row, ok := runHolders(r, Brief); !ok || row.Text != want || row.Note != "no types" {
		t.Errorf("%+v, want %s", row, want)
	}
	if row, ok := runHolders(record.Run{}, Full); ok {
		t.Errorf("%+v of a run without", row)
	}
}
