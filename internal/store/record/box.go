package record

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/sys/cgroup"
)

// Box is what the programs of a run may use of CPU time and memory, and what the kernel counted of it during the timed
// load of all starts.
type Box struct {
	cgroup.Limits
	cgroup.Counters
	// ThrottledShare is the part of the time of the load in which the quota held the program back, 0 to 1: see
	// throttledShare.
	ThrottledShare float64 `json:"throttled_share"`
	// GOMAXPROCS is what the Go runtime chose, or was told; 0 where it is not known.
	GOMAXPROCS int `json:"gomaxprocs,omitempty"`
}

// boxOf is what the rules see of a box; nil without one.
func boxOf(r Run) *facts.Box {
	b := r.Box
	if b == nil {
		return nil
	}
	return &facts.Box{
		Limits: b.Limits, Throttled: b.ThrottledShare, PeakMemory: b.PeakMemory,
		MemoryLimit: memoryLimitOf(slices.Concat(r.Binary.Variant.Env, r.Binary.Variant.RunEnv)),
	}
}

// memoryLimitOf is what GOMEMLIMIT of an environment says, in bytes (runtime, "Environment Variables"); 0 where it is
// not set, or off.
func memoryLimitOf(env []string) (bytes int64) {
	for _, e := range env {
		if text, ok := strings.CutPrefix(e, "GOMEMLIMIT="); ok {
			digits := strings.TrimRight(text, "KMGTiB")
			n, err := strconv.ParseFloat(digits, 64)
			scale, known := map[string]float64{"": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30,
				"TiB": 1 << 40}[text[len(digits):]]
			if bytes = 0; err == nil && known && n*scale < math.MaxInt64/2 {
				bytes = int64(n * scale)
			}
		}
	}
	return bytes
}
