package watch

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"runtime"
	"strings"
	"testing"
	"time"
)

// pprofMux has the pages as net/http/pprof registers them, with the index or without.
func pprofMux(index bool) *http.ServeMux {
	mux := http.NewServeMux()
	if index {
		mux.HandleFunc("/debug/pprof/", pprof.Index)
		return mux
	}
	mux.Handle("/debug/pprof/heap", pprof.Handler("heap"))
	mux.Handle("/debug/pprof/goroutine", pprof.Handler("goroutine"))
	return mux
}

func testPages(t *testing.T, h http.Handler) *pages {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	born := time.Now().Add(-time.Hour)
	p := newPages(s.URL+defaultPages+"/", func() (time.Time, bool) { return born, true })
	t.Cleanup(p.close)
	return p
}

// The real pages of this very process.
func TestPagesOfARealService(t *testing.T) {
	for _, index := range []bool{true, false} {
		p := testPages(t, pprofMux(index))
		runtime.GC()
		r, err := p.read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if r.GCCyclesPerSec.Known() || r.GCPauseP99Seconds.Known() {
			t.Errorf("one reading has no rates: %+v", r)
		}
		runtime.GC()
		runtime.GC()
		if r, err = p.read(t.Context()); err != nil {
			t.Fatal(err)
		}
		heap, goal := must(t, "heap", r.HeapBytes), must(t, "goal", r.HeapGoalBytes)
		if heap < 1e5 || goal < 4e6*0.9 || heap > 1e10 {
			t.Errorf("heap %v, goal %v", heap, goal)
		}
		if n, real := must(t, "goroutines", r.Goroutines), float64(runtime.NumGoroutine()); n < 2 || n > 2*real+20 {
			t.Errorf("%v goroutines, the process says %v", n, real)
		}
		if x := must(t, "cycles", r.GCCyclesPerSec); x <= 0 {
			t.Errorf("%v cycles/s after two collections", x)
		}
		if x := must(t, "pause", r.GCPauseP99Seconds); x <= 0 || x > 10 {
			t.Errorf("pause of %v s", x)
		}
		if x := must(t, "share since start", r.GCShareSinceStart); x < 0 || x > 1 {
			t.Errorf("share since start %v", x)
		}
		if x := must(t, "share", r.GCShareOfAvailable); x < 0 {
			t.Errorf("share %v", x)
		}
		if x := must(t, "allocations", r.AllocBytesPerSec); x <= 0 {
			t.Errorf("allocates %v/s", x)
		}
		if p.noIndex == index {
			t.Errorf("index %v: noIndex is %v", index, p.noIndex)
		}
	}
}

func TestPagesThatAreNone(t *testing.T) {
	page := func(text string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, text) })
	}
	endless := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		line := bytes.Repeat([]byte("x"), 1<<20)
		for {
			if _, err := w.Write(line); err != nil {
				return
			}
		}
	})
	for _, c := range []struct {
		name    string
		h       http.Handler
		refused bool
		says    string
	}{
		{"nothing there", http.NotFoundHandler(), true, "404"},
		{"another page", page("<html>hello</html>"), true, "no runtime.MemStats"},
		{"broken off", page("# runtime.MemStats\n# HeapAlloc = 5\n"), false, "breaks off"},
		{"no number", page("# HeapAlloc = five\n"), false, "HeapAlloc"},
		{"endless", endless, true, "over 64 MB"},
		{"ill", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, "shutting down", http.StatusServiceUnavailable)
		}), false, "503 Service Unavailable: shutting down"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := testPages(t, c.h).read(t.Context())
			if err == nil || !strings.Contains(err.Error(), c.says) || errors.As(err, new(refusal)) != c.refused {
				t.Errorf("error %v (%T), want one with %q, refused %v", err, err, c.says, c.refused)
			}
		})
	}
}

func TestNoServerThere(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	s.Close()
	p := newPages(s.URL+defaultPages, func() (time.Time, bool) { return time.Time{}, false })
	defer p.close()
	if _, err := p.read(t.Context()); !errors.As(err, new(unreachable)) {
		t.Errorf("error %v, want unreachable", err)
	}
}

// The runtime keeps the last pauses in a circle: the n-th at (n+255)%256.
func TestPausesSince(t *testing.T) {
	m := &memStats{numGC: 6, pauses: []time.Duration{5, 6, 3, 4}} // collections 5, 6, 3, 4
	for n, want := range map[uint64]string{6: "[]", 5: "[6ns]", 4: "[5ns 6ns]", 2: "[3ns 4ns 5ns 6ns]",
		0: "[3ns 4ns 5ns 6ns]"} {
		if got := strings.Join(strings.Fields(sprint(m.pausesSince(n))), " "); got != want {
			t.Errorf("pauses since %d: %s, want %s", n, got, want)
		}
	}
	if got := (&memStats{numGC: 3}).pausesSince(0); got != nil {
		t.Errorf("of no pauses: %v", got)
	}
}

// Of a program that is 100 s old at one collection and 110 s at the next, whose share went
// from 1 % to 2 %, the collector had 0.02*110 - 0.01*100 = 1.2 s of those 10.
func TestShareBetweenCollections(t *testing.T) {
	born := time.Unix(1000, 0)
	p := newPages("http://x", func() (time.Time, bool) { return born, true })
	p.last = &memStats{numGC: 1, lastGC: born.Add(100 * time.Second), gcFraction: 0.01}
	share := p.shareSince(&memStats{numGC: 2, lastGC: born.Add(110 * time.Second), gcFraction: 0.02})
	if x := must(t, "share", share); x < 0.1199 || x > 0.1201 {
		t.Errorf("share %v, want 0.12", x)
	}
}

func FuzzMemStats(f *testing.F) {
	var page bytes.Buffer
	rec := httptest.NewRecorder()
	pprof.Handler("heap").ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/?debug=1", nil))
	page.Write(rec.Body.Bytes()[bytes.Index(rec.Body.Bytes(), []byte("# runtime")):])
	f.Add(page.Bytes())
	f.Add([]byte("# PauseNs = [1 2"))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := parseMemStats(bytes.NewReader(text))
		if err == nil {
			m.pausesSince(0)
			m.pausesSince(m.numGC)
		}
	})
}
