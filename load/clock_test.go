package load

import (
	"testing"
	"time"
	"unsafe"
)

// Fault 20: the time of day is set by an hour while a session is open. The clock of its shards, from which all
// latencies come, does not notice.
func TestASteppedClockMovesNoShard(t *testing.T) {
	for _, step := range []time.Duration{time.Hour, -time.Hour} {
		base := time.Now()
		began := withWall(t, base, step)
		if at := time.Duration(newShard(0, Plan{}, nil, began, nil).clock()); at < 0 ||
			at > time.Since(base)+time.Second {
			t.Errorf("the time of day differs by %v: the clock shows %v just after it began", step, at)
		}
	}
}

// withWall is at with another time of day and the same monotonic reading. The layout is that of time.Time: bits 30 to
// 62 of its first word are seconds of the time of day, where it has a monotonic reading.
func withWall(t *testing.T, at time.Time, step time.Duration) time.Time {
	t.Helper()
	other := at
	*(*uint64)(unsafe.Pointer(&other)) += uint64(step/time.Second) << 30
	if other.Sub(at) != 0 || other.Round(0).Sub(at.Round(0)) != step {
		t.Fatalf("time.Time has another layout: %v became %v", at, other)
	}
	return other
}
