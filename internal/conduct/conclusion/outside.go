package conclusion

import (
	"fmt"
	"math"

	"github.com/gohone/hone/internal/conduct/timed"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/stats"
)

// outsideCaveat: B uses more CPU time before its first slice, after its last one and at its end: what it saves in the
// slices it may spend there. Requests outside of the slices, those of the warm-up, are taken to cost what those inside
// do.
func outsideCaveat(a, b *timed.Load) *record.Caveat {
	ofA, ofB := timed.BothDid(a, b)
	var more, answered []float64
	for i := range ofA {
		x, y := ofA[i].Outside(), ofB[i].Outside()
		if math.IsNaN(x) || math.IsNaN(y) {
			continue
		}
		more, answered = append(more, y-x), append(answered, float64(ofB[i].Answered))
	}
	e, err := stats.HodgesLehmann(more, fewConfidence)
	if err != nil || !e.Bounded() || e.Low <= 0 {
		return nil
	}
	n, err := stats.Median(answered)
	cpuA, cpuB := cpuPerRequest(blockTotals(a.Samples)), cpuPerRequest(blockTotals(b.Samples))
	if err != nil || e.Value/n < caveatShare*cpuA {
		return nil
	}
	detail := fmt.Sprintf(
		"%s more of CPU time in each start than A, from exec to exit; counted in, a request costs %s, A's %s",
		units.Nanos(e.Value), units.Nanos(cpuB+e.Value/n), units.Nanos(cpuA))
	open := eaten(cpuA, cpuB, cpuA, cpuB+e.Low/n)
	if open {
		detail += "; longer starts, --set block=10s, show what is paid once and not for each request"
	}
	return &record.Caveat{Name: record.CaveatOutside, Text: "it works more outside of its slices", Open: open,
		Detail: detail}
}

// otherCaveat: A's program works while B is loaded, more than B's does while A is. B may have it do its own work. Where
// A collects more garbage than B, that work may be the collector's, which goes on after a slice, and nothing is said.
func otherCaveat(a, b *timed.Load) *record.Caveat {
	if a.Consumed.GCCycles >= collectsLeast && a.Consumed.GCCycles > 2*b.Consumed.GCCycles {
		return nil
	}
	more, sure := above(difference(betweenSlices(a.Samples, b.Samples),
		betweenSlices(b.Samples, a.Samples)))
	answered, slices := uint64(0), 0
	for _, s := range b.Samples {
		answered += s.Loaded.Answered
		slices++
	}
	cpuA, cpuB := cpuPerRequest(blockTotals(a.Samples)), cpuPerRequest(blockTotals(b.Samples))
	if !sure || answered == 0 {
		return nil
	}
	nanos := more * float64(slices) / float64(answered)
	if nanos < caveatShare*cpuA {
		return nil
	}
	return &record.Caveat{Name: record.CaveatOthers, Text: "A's program works while it is loaded",
		Open: eaten(cpuA, cpuB, cpuA, cpuB+nanos), Detail: fmt.Sprintf(
			"%s of CPU time for each of its requests, more than its program works while A is loaded", units.Nanos(nanos))}
}

func difference(a, b []float64) (d []float64) {
	for i := range min(len(a), len(b)) {
		d = append(d, a[i]-b[i])
	}
	return d
}

// betweenSlices is by how much the CPU time of a program between two of its slices grows with each slice of another one
// that lies in between, in nanoseconds, for each block. Slices take turns at random, so that there are none, one or two
// of them. What the program does after its own answers is in all that have one or two.
func betweenSlices(own, other []timed.Sample) (slopes []float64) {
	type pair struct{ x, y float64 }
	blocks := map[int][]pair{}
	last := -1
	for i := 0; i < min(len(own), len(other)); i++ {
		s := own[i]
		last = max(last, s.Block)
		if i == 0 || own[i-1].Block != s.Block {
			continue
		}
		n := 0.0
		if other[i-1].Turn > own[i-1].Turn {
			n++
		}
		if other[i].Turn < s.Turn {
			n++
		}
		// A collection that one slice began ends within the next one of the other program, if there is one. That is not
		// work for it.
		if n > 0 {
			blocks[s.Block] = append(blocks[s.Block], pair{n, float64(s.Idle)})
		}
	}
	for block := range last + 1 {
		var meanX, meanY, xx, xy float64
		all := blocks[block]
		for _, p := range all {
			meanX, meanY = meanX+p.x/float64(len(all)), meanY+p.y/float64(len(all))
		}
		for _, p := range all {
			xx, xy = xx+(p.x-meanX)*(p.x-meanX), xy+(p.x-meanX)*(p.y-meanY)
		}
		if xx > 0 {
			slopes = append(slopes, xy/xx)
		} else {
			slopes = append(slopes, 0)
		}
	}
	return slopes
}

// sharedCaveat: B keeps far more in memory that is in no process's resident set, such as files of tmpfs.
func sharedCaveat(a, b *timed.Load) *record.Caveat {
	ofA, ofB := timed.BothDid(a, b)
	var more, keeps []float64
	for i := range ofA {
		// What the machine had less of while A ran was freed by others: it is not what B takes.
		more, keeps = append(more, float64(ofB[i].Shared-max(0, ofA[i].Shared))), append(keeps, float64(ofB[i].Shared))
	}
	grown, sure := above(more)
	if !sure || grown < memoryBytes || grown < (memoryTimes-1)*float64(a.PeakRSS) {
		return nil
	}
	kept, _ := stats.Median(keeps)
	return &record.Caveat{Name: record.CaveatMemory, Text: "it takes shared memory", Detail: fmt.Sprintf(
		"%s of files in memory and the like, %s more than A, whose memory peaks at %s", units.Bytes(kept),
		units.Bytes(grown), units.Bytes(float64(a.PeakRSS)))}
}

// filledCaveat: B leaves far more in its files, such as answers that it keeps on the disk.
func filledCaveat(a, b *timed.Load) *record.Caveat {
	ofA, ofB := timed.BothDid(a, b)
	var more, leaves []float64
	for i := range ofA {
		x, y := ofA[i].Whole, ofB[i].Whole
		if x != nil && y != nil && !x.Left.More && !y.Left.More {
			more = append(more, float64(y.Left.Bytes-memoryTimes*x.Left.Bytes))
			leaves = append(leaves, float64(y.Left.Bytes))
		}
	}
	e, err := stats.HodgesLehmann(more, fewConfidence)
	if err != nil || !e.Bounded() || e.Low < memoryBytes {
		return nil
	}
	left, _ := stats.Median(leaves)
	return &record.Caveat{Name: record.CaveatFills, Text: "it leaves more in its files", Detail: fmt.Sprintf(
		"%s in each start, over twice as much as A", units.Bytes(left))}
}

// retainedCaveat: B keeps more and more in memory while it is loaded, such as work that it never does.
func retainedCaveat(a, b *timed.Load, c *record.Contest) *record.Caveat {
	if memoryCaveat(c.Verdicts) != nil || sharedCaveat(a, b) != nil {
		return nil
	}
	ofA, ofB := timed.BothDid(a, b)
	var more, answered []float64
	for i := range ofA {
		more, answered = append(more, float64(ofB[i].Grown-ofA[i].Grown)), append(answered, float64(ofB[i].Answered))
	}
	grown, sure := above(more)
	n, err := stats.Median(answered)
	if !sure || err != nil || n == 0 || grown < retainedBytes || grown < retainedShare*float64(a.PeakRSS) {
		return nil
	}
	return &record.Caveat{Name: record.CaveatKeeps, Text: "its memory grows under load", Detail: fmt.Sprintf(
		"by %s more than A's in each start, %s per request", units.Bytes(grown), units.Bytes(grown/n))}
}
