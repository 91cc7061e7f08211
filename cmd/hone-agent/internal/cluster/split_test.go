package cluster

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gohone/hone/load"
)

// Whatever the weights: nothing is lost, each has its part to within one, and shares are together the whole.
func TestSplitLosesNothing(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(1, 70).Draw(r, "agents")
		weights := rapid.SliceOfN(rapid.Float64Range(0, 1e6), n, n).Draw(r, "weights")
		plan := load.Plan{Connections: rapid.IntRange(n, 5000).Draw(r, "connections")}
		s := load.OpenLoop(1000, time.Second)
		if closed := rapid.Bool().Draw(r, "closed"); closed {
			s = load.Schedule{Requests: rapid.Uint64Range(uint64(n), 1e9).Draw(r, "requests")}
		}
		plans, schedules, err := Split(plan, s, weights)
		if err != nil {
			r.Fatal(err)
		}
		connections, requests := 0, uint64(0)
		var all []int
		for i, p := range plans {
			connections += p.Connections
			requests += schedules[i].Requests
			all = append(all, schedules[i].Share.Classes...)
			if p.Connections < 1 || schedules[i].Validate() != nil {
				r.Fatalf("agent %d: %+v: %v", i, p, schedules[i].Validate())
			}
		}
		slices.Sort(all)
		for i, class := range all {
			if i != class {
				r.Fatalf("classes %v", all)
			}
		}
		if connections != plan.Connections || requests != s.Requests || s.Open() && len(all) != max(classes, n) {
			r.Fatalf("%d connections, %d requests, %d classes", connections, requests, len(all))
		}
	})
}

func TestSplitIsInProportion(t *testing.T) {
	plans, schedules, err := Split(load.Plan{Connections: 100}, load.OpenLoop(1000, time.Second), []float64{1, 3})
	if err != nil || plans[0].Connections != 26 || plans[1].Connections != 74 { // 1 each, then 98 by 1:3
		t.Fatalf("%+v, %v", plans, err)
	}
	if rate := schedules[0].Own().Stages[0].From; math.Abs(rate-265.625) > 1e-9 { // 17 of 64 classes
		t.Errorf("the smaller one has %g requests per second", rate)
	}
	// Classes alternate: the smaller share has about every fourth.
	for i, class := range schedules[0].Share.Classes[1:] {
		if gap := class - schedules[0].Share.Classes[i]; gap < 3 || gap > 5 {
			t.Errorf("classes %v", schedules[0].Share.Classes)
		}
	}
}

func TestWhatCannotBeSplit(t *testing.T) {
	for want, f := range map[string]func() error{
		"connections cannot be split": func() error {
			_, _, err := Split(load.Plan{Connections: 1}, load.ClosedLoop(1), []float64{1, 1})
			return err
		},
		"requests cannot be split": func() error {
			_, _, err := Split(load.Plan{Connections: 5}, load.Schedule{Requests: 1}, []float64{1, 1})
			return err
		},
		"each row belongs to one agent": func() error { _, err := SplitRows(make([][]string, 1), 2); return err },
	} {
		if err := f(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestAgentsAreChosen(t *testing.T) {
	there := []Hello{
		{ID: "small", Version: "1", CapacityHz: 1, Labels: map[string]string{"zone": "a"}},
		{ID: "large", Version: "1", CapacityHz: 9, Labels: map[string]string{"zone": "a"}},
		{ID: "far", Version: "1", CapacityHz: 9, Labels: map[string]string{"zone": "b"}},
		{ID: "old", Version: "0", CapacityHz: 9, Labels: map[string]string{"zone": "a"}},
		{ID: "busy", Version: "1", CapacityHz: 9, Busy: "x", Labels: map[string]string{"zone": "a"}},
	}
	zone := map[string]string{"zone": "a"}
	for _, c := range []struct {
		choice Choice
		want   string
	}{
		{Choice{Labels: zone}, "large small"}, {Choice{Labels: zone, Count: 1}, "large"}, {Choice{}, "far large small"},
	} {
		got, err := c.choice.Choose(there, "1")
		var ids []string
		for _, h := range got {
			ids = append(ids, h.ID)
		}
		if err != nil || strings.Join(ids, " ") != c.want {
			t.Errorf("%+v: %v, %v", c.choice, ids, err)
		}
	}
	_, err := (Choice{Labels: zone, Count: 3}).Choose(there, "1")
	if want := "the run needs 3 agents, and 2 are free that fit (5 answered, 1 are busy, 1 have another version of hone)"; err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
}

func TestLimitsOfAnAgent(t *testing.T) {
	h := Hello{MaxRateHz: 100, MaxConnections: 10}
	half := load.Share{Of: 2, Classes: []int{0}}
	for _, c := range []struct {
		connections int
		s           load.Schedule
		want        string
	}{
		{10, load.OpenLoop(100, time.Second), ""},
		{11, load.OpenLoop(100, time.Second), "11 connections are more"},
		{10, load.OpenLoop(101, time.Second), "101 requests per second are more"},
		{10, load.Schedule{Stages: []load.Stage{{From: 0, To: 200, For: time.Second}}, Share: half}, ""},
		{10, load.Schedule{Stages: []load.Stage{{From: 0, To: 202, For: time.Second}}, Share: half},
			"101 requests per second are more"},
		{10, load.ClosedLoop(time.Second), "a closed loop has no rate"},
		{10, load.Schedule{Replay: slices.Repeat([]time.Duration{time.Second}, 101)},
			"101 requests per second are more"},
	} {
		err := h.Within(load.Plan{Connections: c.connections}, c.s)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d connections, %+v: %v, want %q", c.connections, c.s, err, c.want)
		}
	}
}
