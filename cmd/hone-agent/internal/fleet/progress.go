package fleet

import (
	"fmt"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gohone/hone/cmd/hone-agent/internal/cluster"
	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/internal/text/progress"
	"github.com/gohone/hone/load"
)

// seen is what the recordings say that are still coming.
type seen struct {
	followers map[string]*recording.Follower
	latest    map[string]load.Slice
	errors    uint64
	fresh     bool // there is news
}

// hear takes a piece of an agent's recording.
func (s *seen) hear(agent string, piece []byte) {
	if s.followers == nil {
		s.followers, s.latest = map[string]*recording.Follower{}, map[string]load.Slice{}
	}
	f := s.followers[agent]
	if f == nil {
		f = recording.Follow(func(got packed.Slice) {
			s.latest[agent], s.fresh = got.Unpack(), true
			s.errors += got.Failed + got.Stray
		})
		s.followers[agent] = f
	}
	_, _ = f.Write(piece) // it never fails
}

// tick adds up the latest slices of the agents that are not lost.
func (s *seen) tick(members []cluster.Member) (t progress.Tick) {
	s.fresh = false
	t.Errors = s.errors
	var all *hdrhistogram.Histogram
	for _, m := range members {
		got, ok := s.latest[m.Hello.ID]
		sending := (got.Duration - got.Draining).Seconds()
		if !ok || m.Lost != nil || sending <= 0 {
			continue
		}
		t.Done = max(t.Done, got.Offset+got.Duration)
		t.RatePerSec += float64(got.Answered) / sending
		if got.Response != nil {
			t.AskedPerSec += float64(got.Scheduled) / sending
		}
		all = load.SumHistograms(all, got.Latency())
	}
	if all != nil {
		t.P99 = time.Duration(all.ValueAtQuantile(99))
	}
	return t
}

// tell says how far the agents are.
func (t *test) tell(length time.Duration) {
	phases := map[cluster.Phase]int{}
	members := t.machine.Members()
	for _, m := range members {
		if m.Lost == nil {
			phases[m.State.Phase]++
		}
	}
	var now string
	expected := time.Duration(0)
	switch n := len(members); {
	case phases[cluster.Running] > 0:
		now, expected = fmt.Sprintf("load from %d agents", phases[cluster.Running]), length
	case phases[cluster.Ended] > 0:
		now = fmt.Sprintf("take the results of %d agents", n)
	case phases[cluster.Ready] == n:
		now, expected = fmt.Sprintf("start %d agents together", n), cluster.StartIn
	default:
		now = fmt.Sprintf("connect and warm up: %d of %d agents are ready", phases[cluster.Ready], n)
	}
	if now != t.phase {
		t.phase = now
		t.Progress.Phase(now, expected)
	}
	if t.seen.fresh {
		tick := t.seen.tick(members)
		tick.Total = length
		t.Progress.Tick(tick)
	}
}
