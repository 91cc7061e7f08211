package service

import (
	"fmt"
	"slices"
	"time"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/cgroup"
	"github.com/gohone/hone/judge"
)

// A quota is given anew once in a period of 100 ms, and an idle program has all of it. So a slice must have many
// periods: in short ones the program uses more than its limit. services/visits with 0.25 CPUs (8 connections, two
// shared CPUs, 28 November 2026) used 0.51 CPUs in slices of 25 ms, 0.33 in those of 100 ms, and 0.25 in those of 500
// ms, of 1 s and of 2 s, as under steady load; it was throttled for 26, 35, 31, 44, 45 and 39 % of the time.
const (
	boxSlice  = 10 * cgroup.Period
	boxWarmUp = time.Second
)

// boxed is a request for programs in a box: what they do takes longer there.
func boxed(r lab.Task) lab.Task {
	if r.Box.CPUs > 0 && r.WarmUp > 0 {
		r.WarmUp = max(r.WarmUp, boxWarmUp)
	}
	return r
}

// leastSlice is the shortest slice of a comparison that shows what a box does; 0 without a limit of CPU time.
func leastSlice(r lab.Task) time.Duration {
	if r.Box.CPUs > 0 {
		return boxSlice
	}
	return 0
}

// readyIn is how long a start may take: with a quota of less than a CPU longer, by as much as it is less.
func readyIn(r lab.Task) time.Duration {
	if r.Box.CPUs > 0 && r.Box.CPUs < 1 {
		return time.Duration(float64(r.ReadyTimeout) / r.Box.CPUs)
	}
	return r.ReadyTimeout
}

// programCPUs are the CPUs that the programs may run on, of those that hone may use and those that the load generator
// leaves. A quota says how much time a program gets, and not where: in a cluster it sees all CPUs of the node, and the
// Go runtime goes by both.
func programCPUs(r lab.Task, allowed, left []int) []int {
	if r.Box.CPUs > 0 {
		return allowed
	}
	return left
}

// tightBox says that the load generator takes CPU time that the box is said to have; empty where it does not.
func (m *services) tightBox() string {
	e, limit := m.Env, m.Task.Box
	free := len(e.SubjectCPUs)
	for _, cpu := range e.GeneratorCPUs {
		if slices.Contains(e.SubjectCPUs, cpu) {
			free--
		}
	}
	if limit.CPUs <= float64(free) {
		return ""
	}
	return fmt.Sprintf("the box may use %s, and the load generator leaves %d of the %d CPUs of this machine: what "+
		"the program waits for the generator is in its latency",
		limit.CPUText(), free, len(e.SubjectCPUs))
}

// endBox adds what the kernel counted of a start from before to now, under timed load of that length.
func (s *start) endBox(before cgroup.Counters, loaded time.Duration, values judge.Sample) {
	if s.task.Box == (cgroup.Limits{}) {
		return
	}
	now := s.process.Box()
	used := now.Since(before)
	s.timed.Box = s.timed.Box.Plus(used)
	s.timed.BoxTime += loaded
	if s.task.Box.CPUs > 0 && loaded > 0 {
		values[measure.Throttled.Key] = 100 * s.timed.ThrottledShare(used.Throttled, loaded, s.host.cpus)
	}
	if now.OOMKills > 0 {
		s.Warn("%d process(es) that the program had started were killed at the memory limit of the box (%s)",
			now.OOMKills, s.task.Box.MemoryText())
	}
}

// boxRecord is what a run says of its box; nil without one.
func (m *services) boxRecord(v *service) *record.Box {
	limits := m.Task.Box
	if limits == (cgroup.Limits{}) {
		return nil
	}
	return &record.Box{
		Limits: limits, Counters: v.timed.Box, GOMAXPROCS: v.timed.MaxProcs(),
		ThrottledShare: v.timed.ThrottledShare(v.timed.Box.Throttled, v.timed.BoxTime, m.Env.SubjectCPUs),
	}
}
