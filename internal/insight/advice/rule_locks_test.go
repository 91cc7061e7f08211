package advice

import (
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/prof"
)

// waiting is a profile of contention of 1 s with 4 connections, in which waited goes to a function.
func waiting(function string, waited time.Duration, procs int) prof.Capture {
	f := &profile.Function{ID: 1, Name: function}
	l := &profile.Location{ID: 1, Line: []profile.Line{{Function: f, Line: 20}}}
	return prof.Capture{Kind: "mutex", Operations: 100, Duration: time.Second, Procs: procs, Profile: &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "contentions", Unit: "count"}, {Type: "delay", Unit: "nanoseconds"}},
		Function:   []*profile.Function{f}, Location: []*profile.Location{l},
		Sample: []*profile.Sample{{Location: []*profile.Location{l}, Value: []int64{10, int64(waited)}}},
	}}
}

func TestContended(t *testing.T) {
	for name, c := range map[string]struct {
		mutex prof.Capture
		cost  float64
		want  string
	}{
		"waited for by 40 %": {waiting("main.(*store).deferred", 1600*time.Millisecond, 2), 0.8,
			"80 % of the CPU time is spent under the lock s.mu: at most 1.25 processors can work at the same time"},
		"waited for by 2 %":             {waiting("main.(*store).deferred", 80*time.Millisecond, 2), 0.8, ""},
		"another lock is waited for":    {waiting("main.(*other).f", 1600*time.Millisecond, 2), 0.8, ""},
		"little CPU time is under it":   {waiting("main.(*store).deferred", 1600*time.Millisecond, 2), 0.2, ""},
		"one processor sees no waiting": {waiting("main.(*store).deferred", 1600*time.Millisecond, 1), 0.8, ""},
	} {
		v, s := onStack(t, map[string]string{"main.go": counting}, "main.work main.go after",
			"main.(*store).deferred main.go deferred", "net/http.HandlerFunc.ServeHTTP")
		s.Cost = c.cost
		v.Numbers.Connections = 4
		v.Captures = map[string]prof.Capture{"mutex": c.mutex}
		all := v.contended(lockHeld, nil, v.UnderLocks())
		switch {
		case c.want == "" && len(all) != 0:
			t.Errorf("%s: %+v", name, all[0].Finding)
		case c.want != "" && (len(all) != 1 || all[0].Title != c.want || all[0].Cost != 0.4 ||
			all[0].Place.Function != "main.(*store).deferred"):
			t.Errorf("%s: %+v, want %q", name, all, c.want)
		}
		if again := v.contended(lockHeld,
			[]*found{{Finding: Finding{Place: code.Place{Function: "main.(*store).deferred"}}}},
			v.UnderLocks()); len(again) != 0 {
			t.Errorf("%s: said again, though the trace shows it: %+v", name, again)
		}
		if said := len(v.Missing) > 0; said != (c.mutex.Procs == 1) {
			t.Errorf("%s: missing %q", name, v.Missing)
		}
	}
}

// A lock is held for long since what is done under it could be cheaper: then that is the finding.
func TestALockIsAConsequence(t *testing.T) {
	v := &search{View: &facts.View{Spending: facts.Spending{Stacks: []facts.Stack{{Cost: 0.3}, {Cost: 0.3}, {Cost: 0.2}}}}}
	lock := func() *found {
		return &found{rule: lockHeld, held: []int{0, 1},
			Finding: Finding{Costs: Costs{Measure: Latency}, Place: code.Place{File: "a.go", Line: 9}}}
	}
	writes := func(gain float64, stacks ...int) *found {
		return &found{rule: unbufferedWrites, stacks: stacks,
			Finding: Finding{Costs: Costs{Measure: CPU, Cost: 0.3, Gain: gain}, Place: code.Place{File: "a.go", Line: 30}}}
	}
	for name, c := range map[string]struct {
		other *found
		kept  int
	}{
		"half of it":        {writes(0.3, 0), 1},
		"half, not gained":  {writes(0.1, 0), 2},
		"not under it":      {writes(0.3, 2), 2},
		"not of its stacks": {writes(0.3), 2},
	} {
		f := lock()
		if kept := v.underOne([]*found{f, c.other}); len(kept) != c.kept ||
			(c.kept == 1) != (len(c.other.Evidence) == 1) {
			t.Errorf("%s: %d findings, %+v", name, len(kept), c.other.Evidence)
		}
	}
}

// counting is a program that works under a lock.
const counting = `package main

import "sync"

type store struct {
	mu sync.Mutex
	m  map[string]int
}

func (s *store) deferred(k string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.m[k] + work() // deferred
}

func work() int { return 1 } // after
`
