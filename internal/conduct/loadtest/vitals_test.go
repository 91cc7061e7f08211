package loadtest_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/gohone/hone/internal/conduct/loadtest"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/live"
	"github.com/gohone/hone/internal/text/progress"
	"github.com/gohone/hone/load"
)

// looking reads what others see of a test, after each slice.
type looking struct {
	silent
	dir    string
	loaded []live.State
}

func (l *looking) Tick(progress.Tick) {
	all, err := live.Read(l.dir)
	if err != nil {
		return
	}
	for _, s := range all {
		if s.Loaded {
			l.loaded = append(l.loaded, s)
		}
	}
}

// While a load test goes on, others see its name, its rate and its latencies; when it is over, nothing.
func TestOthersSeeALoadTestThatGoesOn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "hone")
	eyes := &looking{dir: dir}
	teller := live.New("load", "http://127.0.0.1/", eyes)
	l := &loadtest.Tester{Version: "test", Progress: teller, Ledger: func() (*ledger.Ledger, error) {
		store, err := ledger.Open(dir)
		if err == nil {
			teller.Begin(dir)
		}
		return store, err
	}}
	out, err := l.Run(t.Context(), t.Context(), short(serve(t, ok), load.ClosedLoop(2500*time.Millisecond)))
	teller.End()
	if out == nil {
		t.Fatal(err)
	}
	if len(eyes.loaded) == 0 {
		t.Fatal("nothing was to be seen")
	}
	s := eyes.loaded[len(eyes.loaded)-1]
	if s.ID != out.Run || s.Kind != "load" || s.RatePerSec <= 0 || s.P99 <= 0 || len(s.Past) == 0 {
		t.Errorf("seen: %+v, of run %s", s, out.Run)
	}
	p50, has50 := s.Latest.LatencyP50Seconds.Get()
	p999, has999 := s.Latest.LatencyP999Seconds.Get()
	if !has50 || !has999 || p50 <= 0 || p999 < p50 {
		t.Errorf("latencies %v and %v", p50, p999)
	}
	if all, err := live.Read(dir); err != nil || len(all) != 0 {
		t.Errorf("still to be seen: %+v, %v", all, err)
	}
}
