package advice

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/holders"
)

// The finding of growth names the holder, and stands where that is declared if it is the user's.
func TestGrowthNamesItsHolder(t *testing.T) {
	grows := func(h *holders.Holder) Finding {
		t.Helper()
		v := recordedView(t, "unbounded-growth", "speaks.view")
		v.Holder = h
		var saved bytes.Buffer
		if err := v.Save(&saved); err != nil {
			t.Fatal(err)
		}
		v, err := facts.ReadView(saved.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range find(t, v).Findings {
			if f.Rule == "unbounded-growth" {
				return f
			}
		}
		t.Fatal("no unbounded-growth")
		return Finding{}
	}
	allocates := grows(nil)
	module := recordedView(t, "unbounded-growth", "speaks.view").Code.Module
	own := grows(&holders.Holder{Name: "seen", File: module + "/main.go", Line: 12, Bytes: 62e6})
	if own.Place != (code.Place{Function: "seen", File: module + "/main.go", Line: 12}) ||
		!strings.HasSuffix(own.Evidence[1].Text, "allocated at "+allocates.Place.String()) ||
		own.Evidence[2].Source != "holders" || own.Evidence[2].Text != "62.0 MB are held by seen, main.go:12" {
		t.Errorf("%v %+v", own.Place, own.Evidence)
	}
	for _, h := range []*holders.Holder{{Name: "pool", File: "net/http/server.go", Line: 1}, {Name: "pool"}} {
		if f := grows(h); f.Place != allocates.Place || len(f.Evidence) != 4 {
			t.Errorf("%v %+v", f.Place, f.Evidence)
		}
	}
}

// A timer is freed when it fires. A heap of timers does not grow without end, and is a finding only where it is large.
// What the program keeps beside them is still found, and so are timers that it keeps itself.
func TestTimersEndByThemselves(t *testing.T) {
	const ask = user + ".ask@/src/a.go:4"
	h := &holders.Holder{Name: "kept", File: user + "/a.go", Line: 3, Bytes: 5e6}
	for name, c := range map[string]struct {
		stacks map[string]int64
		live   uint64
		holder *holders.Holder
		want   string
	}{
		"timers":  {map[string]int64{"time.NewTimer < time.After < " + ask: 10e6}, 10e6, nil, ""},
		"many":    {map[string]int64{"time.NewTimer < time.After < " + ask: 90e6}, 90e6, nil, "timers"},
		"entries": {map[string]int64{"runtime.growslice < " + ask: 10e6}, 10e6, nil, "the live heap"},
		"entries, too": {map[string]int64{"time.NewTimer < " + ask: 3e6, "runtime.growslice < " + ask: 2e6,
			"runtime.newobject < " + ask: 2e6, "runtime.makemap < " + ask: 3e6}, 10e6, nil, "the live heap"},
		"tickers":         {map[string]int64{"time.NewTicker < " + ask: 10e6}, 10e6, nil, "the live heap"},
		"timers it keeps": {map[string]int64{"time.NewTimer < " + ask: 10e6}, 10e6, h, "the live heap"},
	} {
		v := cpuView(t, map[string]string{"a.go": "package m\n\nvar kept []int\n"}, c.stacks)
		heap := v.Captures["cpu"]
		heap.Kind = "heap"
		heap.Profile.SampleType = []*profile.ValueType{{Type: "inuse_objects", Unit: "count"},
			{Type: "inuse_space", Unit: "bytes"}}
		for _, s := range heap.Profile.Sample {
			s.Value[1] = s.Value[0]
		}
		v.Captures = map[string]prof.Capture{"heap": heap}
		v.Holder = c.holder
		v.Numbers.HeapLive, v.Numbers.Resident = c.live, 2*c.live
		v.Numbers.Growth = facts.Growth{HeapBytes: 1000, Requests: 8000, ToHeap: c.live}
		said := ""
		for _, f := range find(t, v).Findings {
			if f.Rule == "unbounded-growth" {
				said = f.Title
			}
		}
		if c.want == "" && said != "" || !strings.HasPrefix(said, c.want) {
			t.Errorf("%s: %q", name, said)
		}
	}
}
