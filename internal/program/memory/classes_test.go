package memory

import (
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/program/pprofhttp"
)

// What the page of the heap says of this very process is what its runtime says.
func TestHeapPage(t *testing.T) {
	kept := make([]byte, 64<<20)
	runtime.GC()
	server := httptest.NewServer(http.HandlerFunc(pprof.Index))
	defer server.Close()
	pages, err := pprofhttp.New(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	var c Classes
	var live Sampled
	if err := pages.HeapPage(t.Context(), func(r io.Reader) (err error) {
		c, live, err = FromHeapPage(r)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	near := func(what string, got, want uint64) {
		if math.Abs(float64(got)-float64(want)) > 16<<20 {
			t.Errorf("%s: %d, want %d", what, got, want)
		}
	}
	near("objects", c.Objects, m.HeapAlloc)
	near("mapped", c.inArenas()+c.Released, m.HeapSys+m.StackInuse)
	near("goal", c.Goal, m.NextGC)
	if c.Stacks == 0 || c.structures() < m.MSpanSys {
		t.Errorf("no stacks, or no structures: %+v", c)
	}
	if live.Bytes < 64<<20 || live.Samples == 0 {
		t.Errorf("%+v", live)
	}
	c.SetEnvironment(nil)
	if !c.SetLive(live) {
		t.Fatal("the live heap is not known")
	}
	near("live", c.Live, m.HeapAlloc)
	runtime.KeepAlive(kept)
}

// The live heap follows from the goal; where samples contradict that, the program has set GOGC itself.
func TestLiveByGoalAndSamples(t *testing.T) {
	const mb = 1 << 20
	for name, c := range map[string]struct {
		Classes
		Sampled
		live, gogc float64
	}{
		"by the goal":     {Classes{Objects: 150 * mb, Goal: 200 * mb, GOGC: 100}, Sampled{Bytes: 90 * mb, Samples: 100}, 100 * mb, 100},
		"another GOGC":    {Classes{Objects: 150 * mb, Goal: 200 * mb, GOGC: 100}, Sampled{Bytes: 40 * mb, Samples: 400}, 40 * mb, 400},
		"too few samples": {Classes{Objects: 150 * mb, Goal: 200 * mb, GOGC: 100}, Sampled{Bytes: 10 * mb, Samples: 3}, 100 * mb, 100},
		"a small heap":    {Classes{Objects: 3 * mb, Goal: 4 * mb, GOGC: 100}, Sampled{Bytes: 2 * mb, Samples: 3}, 2 * mb, 100},
		"a limit":         {Classes{Objects: 150 * mb, Goal: 200 * mb, GOGC: -1, Limit: 250 * mb}, Sampled{Bytes: 50 * mb, Samples: 100}, 50 * mb, -1},
		"not at all":      {Classes{Objects: 3 * mb, Goal: 4 * mb, GOGC: 100}, Sampled{}, 0, 100},
	} {
		if known := c.SetLive(c.Sampled); known != (c.live > 0) || math.Abs(float64(c.Live)-c.live) > mb/10 ||
			c.GOGC != c.gogc {
			t.Errorf("%s: %v, %d with GOGC=%v, want %v with %v", name, known, c.Live, c.GOGC, c.live, c.gogc)
		}
	}
}

func TestEnvironment(t *testing.T) {
	for text, want := range map[string]float64{"": 100, "GOGC=400": 400, "GOGC=off": -1, "GOGC=x": 100} {
		c := Classes{GOGC: math.NaN()}
		if c.SetEnvironment([]string{"A=1", text, "GOMEMLIMIT=1GiB"}); c.GOGC != want || c.Limit != 1<<30 {
			t.Errorf("%q: %v and %d, want %v", text, c.GOGC, c.Limit, want)
		}
	}
}

// A heap dump of this process has what its runtime has mapped, and says that nothing is known to be resident.
func TestDump(t *testing.T) {
	file, err := os.CreateTemp(t.TempDir(), "dump")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	kept := make([]byte, 32<<20)
	debug.FreeOSMemory() // what earlier tests have left
	debug.WriteHeapDump(file.Fd())
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	a, err := OfDump(file, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	runtime.KeepAlive(kept)
	if p := a.Part(LiveHeap); p == nil || p.Bytes < 32<<20 || a.Resident != 0 || a.Largest != LiveHeap ||
		!strings.Contains(strings.Join(a.Missing, ""), "resident") {
		t.Errorf("%+v", a)
	}
}

// Only what differs by more than the starts of a variant do, and a tenth as much as the largest, is a change.
func TestCompare(t *testing.T) {
	of := func(live, garbage, stacks uint64) *Account {
		return &Account{Resident: live + garbage + stacks, Parts: []Part{{Name: LiveHeap, Bytes: live}, {Name: Garbage, Bytes: garbage},
			{Name: Stacks, Bytes: stacks}}}
	}
	a := []*Account{of(100, 50, 10), of(101, 90, 10), of(99, 70, 10)}
	b := []*Account{of(140, 60, 11), of(141, 95, 11), of(139, 75, 11)}
	got := Compare(a, b)
	if len(got) != 1 || got[0] != (Change{LiveHeap, 100, 140}) {
		t.Errorf("%+v", got)
	}
	if Compare(nil, b) != nil || Middle(nil) != nil {
		t.Error("something of nothing")
	}
	if m := Middle(b); m != b[0] && m != b[2] {
		t.Errorf("%+v", m)
	}
}

func FuzzHeapPage(f *testing.F) {
	f.Add("heap profile: 1: 2 [3: 4] @ heap/1048576\n1: 2 [3: 4] @ 0x1\n# runtime.MemStats\n# HeapSys = 5\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, live, err := FromHeapPage(strings.NewReader(text))
		if err == nil && (live.Bytes < 0 || math.IsNaN(live.Bytes)) {
			t.Errorf("%+v %+v", c, live)
		}
	})
}

// A setting is tried only where it can make the part smaller.
func TestSettingsOfParts(t *testing.T) {
	const mb = 1 << 20
	c := Classes{Objects: 60 * mb, Free: 60 * mb, Live: 20 * mb, GOGC: 400}
	for name, want := range map[string]struct {
		part string
		of   func(c *Classes)
		all  []string
	}{
		"a large GOGC":   {Garbage, func(*Classes) {}, []string{"GOGC=100", "GOMEMLIMIT=34MiB"}},
		"free spans":     {FreeSpans, func(*Classes) {}, []string{"GOMEMLIMIT=34MiB", "GOGC=100"}},
		"the usual GOGC": {Garbage, func(c *Classes) { c.GOGC = 100 }, []string{"GOGC=50", "GOMEMLIMIT=34MiB"}},
		"a limit":        {Garbage, func(c *Classes) { c.Limit = 90 * mb }, []string{"GOGC=100"}},
		"all is live":    {Garbage, func(c *Classes) { c.Live = 110 * mb }, []string{"GOGC=100"}},
		"live heap":      {LiveHeap, func(*Classes) {}, nil},
	} {
		c := c
		if want.of(&c); !slices.Equal(settings(want.part, c), want.all) {
			t.Errorf("%s: %q, want %q", name, settings(want.part, c), want.all)
		}
	}
	a := Account{Parts: []Part{{Name: Garbage, Reducible: 1, Settings: []string{"GOGC=50", "GOMEMLIMIT=9MiB"}},
		{Name: FreeSpans, Reducible: 2, Settings: []string{"GOMEMLIMIT=9MiB", "GOGC=50"}}}}
	if all := a.Settings(); len(all) != 2 || all[0] != (Suggestion{"GOMEMLIMIT=9MiB", FreeSpans}) {
		t.Errorf("%+v", all)
	}
}
