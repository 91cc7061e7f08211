package lab

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/sys/cgroup"
	"github.com/gohone/hone/judge"
)

// Box is what the programs of a run may use of CPU time and memory, and what the kernel counted of it during the timed load of all starts.
type Box struct {
	cgroup.Limits
	cgroup.Counters
	// ThrottledShare is the part of the time of the load in which the quota held the program back, 0 to 1: see throttledShare.
	ThrottledShare float64 `json:"throttled_share"`
	// GOMAXPROCS is what the Go runtime chose, or was told; 0 where it is not known.
	GOMAXPROCS int `json:"gomaxprocs,omitempty"`
}

// A quota is given anew once in a period of 100 ms, and an idle program has all of it. So a slice must have many periods: in short ones the
// program uses more than its limit. services/visits with 0.25 CPUs (8 connections, two shared CPUs, 28 November 2026) used 0.51 CPUs in
// slices of 25 ms, 0.33 in those of 100 ms, and 0.25 in those of 500 ms, of 1 s and of 2 s, as under steady load; it was throttled for 26,
// 35, 31, 44, 45 and 39 % of the time.
const (
	boxSlice  = 10 * cgroup.Period
	boxWarmUp = time.Second
)

// boxed is a request for programs in a box: what they do takes longer there.
func (r Request) boxed() Request {
	if r.Box.CPUs > 0 && r.WarmUp > 0 {
		r.WarmUp = max(r.WarmUp, boxWarmUp)
	}
	return r
}

// leastSlice is the shortest slice of a comparison that shows what a box does; 0 without a limit of CPU time.
func (r Request) leastSlice() time.Duration {
	if r.Box.CPUs > 0 {
		return boxSlice
	}
	return 0
}

// readyIn is how long a start may take: with a quota of less than a CPU longer, by as much as it is less.
func (r Request) readyIn() time.Duration {
	if r.Box.CPUs > 0 && r.Box.CPUs < 1 {
		return time.Duration(float64(r.ReadyTimeout) / r.Box.CPUs)
	}
	return r.ReadyTimeout
}

// programCPUs are the CPUs that the programs may run on, of those that hone may use and those that the load generator leaves. A quota says
// how much time a program gets, and not where: in a cluster it sees all CPUs of the node, and the Go runtime goes by both.
func (r Request) programCPUs(allowed, left []int) []int {
	if r.Box.CPUs > 0 {
		return allowed
	}
	return left
}

// tightBox says that the load generator takes CPU time that the box is said to have; empty where it does not.
func (m *services) tightBox() string {
	e, limit := m.env, m.request.Box
	free := len(e.SubjectCPUs)
	for _, cpu := range e.GeneratorCPUs {
		if slices.Contains(e.SubjectCPUs, cpu) {
			free--
		}
	}
	if limit.CPUs <= float64(free) {
		return ""
	}
	return fmt.Sprintf("the box may use %s, and the load generator leaves %d of the %d CPUs of this machine: what the program waits for the generator is in its latency",
		limit.CPUText(), free, len(e.SubjectCPUs))
}

// endBox adds what the kernel counted of a start from before to now, under timed load of that length.
func (s *start) endBox(before cgroup.Counters, loaded time.Duration, values judge.Sample) {
	if s.request.Box == (cgroup.Limits{}) {
		return
	}
	now := s.process.Box()
	used := now.Since(before)
	s.timed.box = s.timed.box.Plus(used)
	s.timed.boxTime += loaded
	if s.request.Box.CPUs > 0 && loaded > 0 {
		values[measure.Throttled.Key] = 100 * s.throttledShare(used.Throttled, loaded, s.host.cpus)
	}
	if now.OOMKills > 0 {
		s.warn("%d process(es) that the program had started were killed at the memory limit of the box (%s)", now.OOMKills, s.request.Box.MemoryText())
	}
}

// throttledShare is the part of a time in which a program was held back, 0 to 1. The kernel adds up the time over CPUs. A Go program runs on
// GOMAXPROCS of them at most, and another on all that it may use.
func (v *service) throttledShare(throttled, of time.Duration, cpus []int) float64 {
	width := max(1, len(cpus))
	if procs := v.maxProcs(); procs > 0 {
		width = min(width, procs)
	}
	if of <= 0 {
		return 0
	}
	return min(1, throttled.Seconds()/of.Seconds()/float64(width))
}

// maxProcs is GOMAXPROCS of the latest process; 0 where it is not known.
func (v *service) maxProcs() int {
	if len(v.timed.moments) == 0 {
		return 0
	}
	last := v.timed.moments[len(v.timed.moments)-1].runtime
	return int(min(last.GOMAXPROCS/uint64(max(last.Processes, 1)), 1<<20))
}

// boxRecord is what a run says of its box; nil without one.
func (m *services) boxRecord(v *service) *Box {
	limits := m.request.Box
	if limits == (cgroup.Limits{}) {
		return nil
	}
	return &Box{
		Limits: limits, Counters: v.timed.box, GOMAXPROCS: v.maxProcs(),
		ThrottledShare: v.throttledShare(v.timed.box.Throttled, v.timed.boxTime, m.env.SubjectCPUs),
	}
}

// NodeCPUs says what the runtime would choose on a node of production that has more CPUs than this machine; empty where that is the same,
// or the runtime was told.
func (r Record) NodeCPUs() string {
	v, sees := r.Binary.Variant, len(r.Environment.SubjectCPUs)
	told := slices.ContainsFunc(slices.Concat(v.Env, v.RunEnv), func(e string) bool { return strings.HasPrefix(e, "GOMAXPROCS=") })
	switch b := r.Box; {
	case b == nil || b.CPUs == 0 || told || b.GOMAXPROCS != sees:
		return ""
	case r.Binary.IgnoresQuota:
		return fmt.Sprintf("GOMAXPROCS is %d, the number of CPUs that the program sees on this machine: by its toolchain, or by the go line of its go.mod, the runtime does not go by the limit. "+
			"On a node of 16 CPUs it is 16: measure with --env GOMAXPROCS=16, too", sees)
	case math.Ceil(b.CPUs) > float64(sees):
		return fmt.Sprintf("GOMAXPROCS is %d, the number of CPUs of this machine; on a node with more of them it is %.0f", sees, math.Ceil(b.CPUs))
	}
	return ""
}

// boxOf is what the rules see of a box; nil without one.
func boxOf(r Record) *advice.Box {
	b := r.Box
	if b == nil {
		return nil
	}
	return &advice.Box{
		Limits: b.Limits, Throttled: b.ThrottledShare, PeakMemory: b.PeakMemory,
		MemoryLimit: memoryLimitOf(slices.Concat(r.Binary.Variant.Env, r.Binary.Variant.RunEnv)),
	}
}

// memoryLimitOf is what GOMEMLIMIT of an environment says, in bytes (runtime, "Environment Variables"); 0 where it is not set, or off.
func memoryLimitOf(env []string) (bytes int64) {
	for _, e := range env {
		if text, ok := strings.CutPrefix(e, "GOMEMLIMIT="); ok {
			digits := strings.TrimRight(text, "KMGTiB")
			n, err := strconv.ParseFloat(digits, 64)
			scale, known := map[string]float64{"": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}[text[len(digits):]]
			if bytes = 0; err == nil && known && n*scale < math.MaxInt64/2 {
				bytes = int64(n * scale)
			}
		}
	}
	return bytes
}
