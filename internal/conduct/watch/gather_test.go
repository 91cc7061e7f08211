package watch

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gohone/hone/internal/text/vitals"
)

// scripted is a source whose reads are told what to do, one after the other; the last
// one goes for all that follow.
type scripted struct {
	what   string
	steps  []step
	reads  int
	closed bool
}

type step struct {
	takes time.Duration
	value vitals.Reading
	err   error
	panic string
}

func (s *scripted) name() string { return s.what }

func (s *scripted) close() { s.closed = true }

func (s *scripted) read(ctx context.Context) (vitals.Reading, error) {
	now := s.steps[min(s.reads, len(s.steps)-1)]
	s.reads++
	select {
	case <-time.After(now.takes):
	case <-ctx.Done():
		return vitals.Reading{}, errors.New("no answer in time")
	}
	if now.panic != "" {
		panic(now.panic)
	}
	return now.value, now.err
}

// aside is a scripted companion.
type aside struct{ scripted }

func (*aside) companion() {}

func goroutines(n float64) vitals.Reading {
	return vitals.Reading{Runtime: vitals.Runtime{Goroutines: vitals.Of(n)}}
}

func cores(n float64) vitals.Reading {
	return vitals.Reading{Process: vitals.Process{CPUCores: vitals.Of(n)}}
}

// ticks calls do once a second, n times, from now on.
func ticks(n int, do func(i int)) {
	start := time.Now()
	for i := range n {
		time.Sleep(time.Until(start.Add(time.Duration(i) * time.Second)))
		do(i)
	}
}

// A source that stands still leaves a gap in its own values and in no others, says so, and
// is read again when it has answered.
func TestASlowSourceDelaysNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		quick := &scripted{what: "quick", steps: []step{{value: cores(1)}}}
		slow := &scripted{what: "slow", steps: []step{{value: goroutines(1)},
			{takes: 3300 * time.Millisecond, value: goroutines(2)}, {value: goroutines(3)}}}
		g := newGatherer(t.Context(), []source{quick, slow}, time.Second)
		defer g.close()
		var seen []string
		ticks(8, func(int) {
			r, err := g.round()
			if err != nil {
				t.Fatal(err)
			}
			if !r.CPUCores.Known() {
				t.Error("the quick one has a gap")
			}
			n, known := r.Goroutines.Get()
			text := "-"
			if known {
				text = string('0' + rune(n))
			}
			if w := g.warnings(time.Now()); len(w) > 0 {
				text += "!"
				if !strings.HasPrefix(w[0], "slow: no answer for ") {
					t.Errorf("warnings %q", w)
				}
			}
			seen = append(seen, text)
		})
		if got := strings.Join(seen, " "); got != "1 - - -! -! 2 3 3" {
			t.Errorf("readings %s", got)
		}
		if quick.reads != 8 {
			t.Errorf("the quick one was read %d times, want 8", quick.reads)
		}
	})
}

// A source that is always slow to read is read more seldom; its values hold meanwhile.
func TestCostlySourcesAreSpared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		costly := &scripted{what: "costly", steps: []step{{takes: 200 * time.Millisecond, value: goroutines(7)}}}
		g := newGatherer(t.Context(), []source{costly}, time.Second)
		defer g.close()
		gaps := 0
		ticks(40, func(int) {
			r, _ := g.round()
			if !r.Goroutines.Known() {
				gaps++
			}
		})
		if costly.reads < 9 || costly.reads > 12 { // every 4 s, but for the first two
			t.Errorf("read %d times in 40 s, want every 20 times its 200 ms", costly.reads)
		}
		if gaps > 0 {
			t.Errorf("%d gaps", gaps)
		}
		if w := g.warnings(time.Now()); len(w) != 1 || w[0] != "costly: takes 200ms, so it is read every 4.0 s only" {
			t.Errorf("warnings %q", w)
		}
	})
}

// One read that took long is no cost: the service stood still.
func TestOneLongReadIsNoCost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{what: "s", steps: []step{{}, {takes: 2 * time.Second}, {}}}
		g := newGatherer(t.Context(), []source{s}, time.Second)
		defer g.close()
		ticks(10, func(int) { _, _ = g.round() })
		if s.reads < 7 {
			t.Errorf("read %d times in 10 s", s.reads)
		}
	})
}

func TestEachSourceFailsAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		good := &scripted{what: "good", steps: []step{{value: cores(1)}}}
		half := &scripted{what: "half", steps: []step{{value: goroutines(5), err: errors.New("no system calls")}}}
		no := &scripted{what: "no", steps: []step{{err: refusal{errors.New("answers HTML")}}}}
		flaky := &scripted{what: "flaky", steps: []step{{err: errors.New("hiccup")}, {}}}
		g := newGatherer(t.Context(), []source{good, half, no, flaky}, time.Second)
		defer g.close()
		r, err := g.round()
		if err != nil || !r.CPUCores.Known() || !r.Goroutines.Known() {
			t.Errorf("%+v, %v", r, err)
		}
		if got := strings.Join(g.warnings(time.Now()),
			"; "); got != "half: no system calls; no: answers HTML; flaky: hiccup" {
			t.Errorf("warnings %s", got)
		}
		time.Sleep(time.Second)
		_, _ = g.round()
		if got := strings.Join(g.warnings(time.Now()), "; "); got != "half: no system calls; no: answers HTML" {
			t.Errorf("warnings %s", got)
		}
		if no.reads != 1 || flaky.reads != 2 {
			t.Errorf("what refused was read %d times, what failed %d", no.reads, flaky.reads)
		}
		if g.whyEnded() != nil || g.exhausted() != nil {
			t.Errorf("gone %v, exhausted %v", g.whyEnded(), g.exhausted())
		}
	})
}

func TestWhenAServiceIsGone(t *testing.T) {
	gone := step{err: unreachable{errors.New("connection refused")}}
	for _, c := range []struct {
		name      string
		sources   []source
		gone      string
		exhausted bool
	}{
		{"it has ended, whatever others say", []source{
			&scripted{what: "a", steps: []step{{value: cores(1)}}},
			&scripted{what: "p", steps: []step{{err: ended{errors.New("PID 7 has ended")}}}},
		}, "p: PID 7 has ended", false},
		{"none answers", []source{
			&scripted{what: "a", steps: []step{gone}},
			&scripted{what: "b", steps: []step{{err: refusal{errors.New("404")}}}},
		}, "a: connection refused", false},
		{"one answers", []source{
			&scripted{what: "a", steps: []step{gone}}, &scripted{what: "b", steps: []step{{err: errors.New("503")}}},
		}, "", false},
		{"a companion knows nothing by itself", []source{
			&scripted{what: "p", steps: []step{{err: refusal{errors.New("not this machine")}}}},
			&aside{scripted{what: "connections", steps: []step{{}}}}, &scripted{what: "a", steps: []step{gone}},
		}, "a: connection refused", false},
		{"a companion of refusals", []source{
			&scripted{what: "p", steps: []step{{err: refusal{errors.New("not this machine")}}}},
			&aside{scripted{what: "connections", steps: []step{{}}}},
		}, "", true},
		{"all refuse", []source{
			&scripted{what: "a", steps: []step{{err: refusal{errors.New("404")}}}},
			&scripted{what: "b", steps: []step{{err: refusal{errors.New("HTML")}}}},
		}, "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := newGatherer(t.Context(), c.sources, time.Second)
				defer g.close()
				if g.whyEnded() != nil || g.exhausted() != nil {
					t.Error("gone before anything was read")
				}
				_, _ = g.round()
				got := ""
				if err := g.whyEnded(); err != nil {
					got = err.Error()
				}
				if got != c.gone || (g.exhausted() != nil) != c.exhausted {
					t.Errorf("gone %q, exhausted %v", got, g.exhausted())
				}
			})
		})
	}
}

// A fault of hone in a source ends the watch; it does not take the process with it, whose
// terminal would stay as it is.
func TestPanicsAreCaught(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{what: "s", steps: []step{{panic: "nil map"}}}
		g := newGatherer(t.Context(), []source{s}, time.Second)
		defer g.close()
		_, err := g.round()
		if err == nil || !strings.Contains(err.Error(), "nil map") || !strings.Contains(err.Error(), "scripted") {
			t.Errorf("error %v, want the panic with its stack", err)
		}
	})
}

// What is under way at the end is ended, and everything is closed.
func TestCloseEndsReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{what: "s", steps: []step{{takes: time.Hour}}}
		g := newGatherer(t.Context(), []source{s}, time.Second)
		_, _ = g.round()
		before := time.Now()
		g.close()
		if !s.closed || time.Since(before) != 0 {
			t.Errorf("closed %v after %v", s.closed, time.Since(before))
		}
	})
}
