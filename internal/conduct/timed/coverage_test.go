package timed

import (
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/program/usage"
)

func TestCoverage(t *testing.T) {
	ms := func(number, pid int, name string, n int) usage.ProcessCPU {
		return usage.ProcessCPU{Number: number, PID: pid, Name: name, CPU: time.Duration(n) * time.Millisecond}
	}
	pids := func(all ...int) map[int]bool {
		m := map[int]bool{}
		for _, pid := range all {
			m[pid] = true
		}
		return m
	}
	for _, c := range []struct {
		name             string
		before, after    []usage.ProcessCPU
		answered         map[int]bool // at both ends
		ended            map[int]bool // before only
		share            float64
		incomplete       bool
		says, doesNotSay string
	}{
		{
			name:  "all have a probe",
			after: []usage.ProcessCPU{ms(1, 10, "server", 100), ms(2, 11, "worker", 900)}, answered: pids(10, 11),
			share: 1,
		},
		{
			name:     "the workers have none",
			before:   []usage.ProcessCPU{ms(1, 10, "server", 100), ms(2, 11, "worker", 500)},
			after:    []usage.ProcessCPU{ms(1, 10, "server", 110), ms(2, 11, "worker", 860), ms(3, 12, "helper", 30)},
			answered: pids(10),
			share:    0.025, incomplete: true,
			says: "98 % of the CPU time was used by processes that the probe did not see: worker (PID 11); " +
				"helper (PID 12)",
			doesNotSay: "ended",
		},
		{
			name:   "one ended after its last reading",
			before: []usage.ProcessCPU{ms(1, 10, "server", 100), ms(2, 11, "worker", 500)},
			after:  []usage.ProcessCPU{ms(1, 10, "server", 190), ms(2, 11, "worker", 510)}, answered: pids(10),
			ended: pids(11),
			share: 0.9, incomplete: true,
			says: "10 % of the CPU time was used by processes that the probe did not see: worker (PID 11), which " +
				"ended before it was read",
		},
		{
			name:  "a shell around it counts for nothing",
			after: []usage.ProcessCPU{ms(1, 9, "sh", 1), ms(2, 10, "server", 999)}, answered: pids(10), share: 0.999,
		},
		{
			name:     "the oldest of many that ended became one",
			before:   []usage.ProcessCPU{ms(1, 10, "server", 100), ms(2, 11, "job", 50), ms(3, 12, "job", 50)},
			after:    []usage.ProcessCPU{ms(1, 10, "server", 200), ms(0, 0, "processes that have ended", 100)},
			answered: pids(10), share: 1,
		},
		{name: "nothing was used", share: 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			var one Coverage
			before := pids()
			for pid := range c.answered {
				before[pid] = true
			}
			for pid := range c.ended {
				before[pid] = true
			}
			one.Add(c.before, c.after, before, c.answered)
			var all Coverage
			all.Merge(one)
			all.Merge(one)
			for _, got := range []Coverage{one, all} {
				if share := got.ReadShare(); share < c.share-1e-9 || share > c.share+1e-9 ||
					got.Incomplete() != c.incomplete {
					t.Errorf("share %v, incomplete %v; want %v, %v", share, got.Incomplete(), c.share, c.incomplete)
				}
				if why := got.Why(); c.says != "" &&
					(why != c.says || c.doesNotSay != "" && strings.Contains(why, c.doesNotSay)) {
					t.Errorf("%s\nwant %s", why, c.says)
				}
			}
		})
	}
}
