package load

import (
	"fmt"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Several is a Protocol whose requests go to several targets, which results tell apart. Its dialogs are Choosers.
type Several interface {
	Protocol
	// Targets are the names of the targets.
	Targets() []string
}

// Chooser is a Dialog that says which target a request goes to.
type Chooser interface {
	Dialog
	// Target is the number of the target of the request that was appended last.
	Target() int
}

// MostTargets is how many targets results tell apart. The last of them stands for all that are beyond.
const MostTargets = 32

// TargetNames are the names of the targets that results of a protocol tell apart, in their order; nil where there are
// not several.
func TargetNames(p Protocol) []string {
	s, ok := p.(Several)
	if !ok {
		return nil
	}
	names := s.Targets()
	if len(names) < 2 {
		return nil
	}
	if beyond := len(names) - MostTargets + 1; beyond > 1 {
		return append(names[:MostTargets-1:MostTargets-1], fmt.Sprintf("%d others", beyond))
	}
	return names
}

// TargetSlice is the part of a slice that one target had.
type TargetSlice struct {
	// Answered and Failed are as those of Counts.
	Answered uint64 `json:"answered"`
	Failed   uint64 `json:"failed"`
	// Latency is the response time of right answers in an open loop, else their service time, in nanoseconds; nil
	// without any.
	Latency *hdrhistogram.Histogram `json:"-"`
}

// targetAccount is what one target had since the last report of a shard.
type targetAccount struct {
	TargetSlice
	gone *hdrhistogram.Histogram // latencies that were counted and taken back
}

// rightTo counts a right answer of target t, whose latency counts from then.
func (a *account) rightTo(t uint16, latency int64) {
	if a.targets != nil {
		a.targets[t].Answered++
		a.targets[t].Latency = recordNew(a.targets[t].Latency, latency)
	}
}

// wrongOf counts a request of target t that failed.
func (a *account) wrongOf(t uint16) {
	if a.targets != nil {
		a.targets[t].Failed++
	}
}

// takeBack makes a right answer of target t a wrong one.
func (a *account) takeBack(t uint16, latency int64) {
	if a.targets != nil {
		a.targets[t].Answered--
		a.targets[t].Failed++
		a.targets[t].gone = recordNew(a.targets[t].gone, latency)
	}
}

// addTargets adds what a shard reports of targets.
func addTargets(sum []TargetSlice, more []targetAccount) []TargetSlice {
	if sum == nil && more != nil {
		sum = make([]TargetSlice, len(more))
	}
	for i := range more {
		sum[i].Answered += more[i].Answered
		sum[i].Failed += more[i].Failed
		sum[i].Latency = merge(sum[i].Latency, more[i].Latency)
	}
	return sum
}

// sumTargets adds b to a, which it makes where there is none; b stays as it is.
func sumTargets(a, b []TargetSlice) []TargetSlice {
	for len(a) < len(b) {
		a = append(a, TargetSlice{})
	}
	for i := range b {
		a[i].Answered += b[i].Answered
		a[i].Failed += b[i].Failed
		a[i].Latency = SumHistograms(a[i].Latency, b[i].Latency)
	}
	return a
}

// bareTargets are targets without their histograms.
func bareTargets(all []TargetSlice) []TargetSlice {
	var bare []TargetSlice
	for _, t := range all {
		t.Latency = nil
		bare = append(bare, t)
	}
	return bare
}

// choose notes the target of the request that l built last.
func (s *shard) choose(l *link) {
	if s.several == 0 {
		return
	}
	if c, ok := l.dialog.(Chooser); ok {
		l.sent.setTarget(l.next, uint16(min(max(c.Target(), 0), s.several-1)))
	}
}
