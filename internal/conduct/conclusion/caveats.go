// Package conclusion says what a comparison means beyond its verdicts: what else changed (caveats), what is one fact,
// whether a gain is there without hone, and which gates are open again. It measures nothing.
package conclusion

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gohone/hone/internal/conduct/timed"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/text/vitals"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/load"
	"github.com/gohone/hone/stats"
)

const (
	// caveatConfidence is that of the intervals that have to be above 0.
	caveatConfidence = 0.95
	// caveatShare is the part of A's CPU time per request from which on work that is done at
	// another time or place is told. It is well above what a Go program does between two
	// slices, the end of a collection, which both variants do.
	caveatShare = 0.1
	// collectsLeast is how many collections A's own rate has to promise for what B allocated,
	// collectsShare the part of them below which B collects less, growsShare how much more
	// memory it then has at least.
	collectsLeast, collectsShare, growsShare = 6, 0.25, 1.2
	// memoryTimes and memoryBytes are the growth of the peak of memory that is told.
	memoryTimes, memoryBytes = 2, 32e6
	// retainedBytes and retainedShare, of A's peak, are the growth of memory under load that is told: more than a heap
	// and its collector move by themselves in some seconds.
	retainedBytes, retainedShare = 16e6, 0.5
	// lostLeast and lostTimes tell of requests and connections that B loses and A does not.
	lostLeast, lostTimes = 5, 3
	// bytesShare and statusShare are changes of all answers that are told even if those sampled
	// are the same.
	bytesShare, statusShare = 0.1, 0.01
)

// Caveats are what else changed from A to B, in the order of their weight.
func Caveats(a, b *timed.Load, c *record.Contest) []record.Caveat {
	var all []record.Caveat
	found := []*record.Caveat{
		gainCaveat(c), laterCaveat(a, b), outsideCaveat(a, b), otherCaveat(a, b), elsewhereCaveat(a, b),
		shortCaveat(a, b), gcCaveat(a, b), settingsCaveat(a, b),
		memoryCaveat(c.Verdicts), sharedCaveat(a, b), filledCaveat(a, b),
		retainedCaveat(a, b, c), failedCaveat(a, b), closedCaveat(a, b),
	}
	if c.Answers == nil || c.Answers.Same { // else it is known already
		found = append(found, statusCaveat(a, b))
		if c.Answers != nil && c.Answers.Unpacked > 0 {
			found = append(found, packedCaveat(*c.Answers))
		} else {
			found = append(found, bytesCaveat(a, b))
		}
	}
	for _, one := range append(lessCaveats(a, b), found...) {
		if one != nil {
			all = append(all, *one)
		}
	}
	return all
}

// blockTotal is what went on in one block beside the timed work of a variant.
type blockTotal struct {
	answered, received uint64
	cpu, took          time.Duration
	idle               time.Duration // CPU time between slices
}

// blockTotals sums up the slices of each block.
func blockTotals(samples []timed.Sample) []blockTotal {
	var all []blockTotal
	for _, s := range samples {
		for len(all) <= s.Block {
			all = append(all, blockTotal{})
		}
		one := &all[s.Block]
		one.answered += s.Loaded.Answered
		one.received += s.Loaded.BytesReceived
		one.cpu += s.Counters.AllCPU()
		one.took += s.Loaded.Duration
		one.idle += s.Idle
	}
	return all
}

// cpuPerRequest is over all blocks, in nanoseconds; 0 without an answer.
func cpuPerRequest(all []blockTotal) float64 {
	return perRequest(all, func(one blockTotal) time.Duration { return one.cpu })
}

// idlePerRequest is the CPU time between slices, over all blocks.
func idlePerRequest(all []blockTotal) float64 {
	return perRequest(all, func(one blockTotal) time.Duration { return one.idle })
}

func perRequest(all []blockTotal, of func(blockTotal) time.Duration) float64 {
	sum, answered := time.Duration(0), uint64(0)
	for _, one := range all {
		sum += of(one)
		answered += one.answered
	}
	return float64(sum) / float64(max(1, answered))
}

// byPair is B - A of what of gives for the slices of each round, on average, where it is known of both.
func byPair(a, b []timed.Sample, of func(timed.Sample) (float64, bool)) []float64 {
	mean := func(round []timed.Sample) (float64, bool) {
		sum, n := 0.0, 0
		for _, s := range round {
			if x, ok := of(s); ok {
				sum += x
				n++
			}
		}
		return sum / float64(max(1, n)), n > 0
	}
	before := map[compare.Place]float64{}
	for round := range compare.Rounds(a, timed.Sample.Where) {
		if x, ok := mean(round); ok {
			before[round[0].Place] = x
		}
	}
	var d []float64
	for round := range compare.Rounds(b, timed.Sample.Where) {
		was, paired := before[round[0].Place]
		if x, ok := mean(round); ok && paired {
			d = append(d, x-was)
		}
	}
	return d
}

// rise is the Hodges-Lehmann estimate of B - A over blocks, of what of gives; false unless its
// interval is above 0. of gives NaN where it is not known.
func rise(a, b []blockTotal, of func(blockTotal) float64) (float64, bool) {
	var d []float64
	for i := range min(len(a), len(b)) {
		if x := of(b[i]) - of(a[i]); !math.IsNaN(x) {
			d = append(d, x)
		}
	}
	return above(d)
}

// above is the Hodges-Lehmann estimate of d; false unless its interval is above 0.
func above(d []float64) (float64, bool) {
	e, err := stats.HodgesLehmann(d, caveatConfidence)
	if err != nil || !e.Bounded() || e.Low <= 0 {
		return 0, false
	}
	return e.Value, true
}

// medianOf is the median of what of gives for the blocks; 0 if it is known of none.
func medianOf(all []blockTotal, of func(blockTotal) float64) float64 {
	var values []float64
	for _, one := range all {
		if x := of(one); !math.IsNaN(x) {
			values = append(values, x)
		}
	}
	m, err := stats.Median(values)
	if err != nil {
		return 0
	}
	return m
}

// laterCaveat: B uses more CPU time between its slices, when all is answered.
func laterCaveat(a, b *timed.Load) *record.Caveat {
	ofA, ofB := blockTotals(a.Samples), blockTotals(b.Samples)
	_, sure := above(byPair(a.Samples, b.Samples,
		func(s timed.Sample) (float64, bool) { return float64(s.Idle), true }))
	cpuA, cpuB := cpuPerRequest(ofA), cpuPerRequest(ofB)
	idleA, idleB := idlePerRequest(ofA), idlePerRequest(ofB)
	if !sure || idleB-idleA < caveatShare*cpuA {
		return nil
	}
	return &record.Caveat{Name: record.CaveatLater, Text: "it works on after its answers",
		Open: eaten(cpuA, cpuB, cpuA+idleA, cpuB+idleB), Detail: fmt.Sprintf(
			"%s of CPU time per request between its slices, A %s; counted in, a request costs %s, A's %s",
			units.Nanos(idleB), units.Nanos(idleA), units.Nanos(cpuB+idleB), units.Nanos(cpuA+idleA))}
}

// eaten says that less than half of what B saves of A's CPU time per request is left when all is counted in, or that B
// then costs more than A where it saves nothing.
func eaten(cpuA, cpuB, allA, allB float64) bool {
	if cpuA <= 0 || cpuB <= 0 || allA <= 0 {
		return false
	}
	return GainGone(&record.GainPart{Low: allB / allA}, min(1, cpuB/cpuA))
}

// gcCaveat: B collects far less garbage than A would for as much of it, and its memory grows.
func gcCaveat(a, b *timed.Load) *record.Caveat {
	if a.Covered.Incomplete() || b.Covered.Incomplete() || a.Consumed.AllocBytes == 0 {
		return nil
	}
	bytesA, bytesB := float64(a.Consumed.AllocBytes), float64(b.Consumed.AllocBytes)
	promised := float64(a.Consumed.GCCycles) / bytesA * bytesB
	off := b.Runtime.HeapGoalBytes >= vitals.NoHeapGoal && a.Runtime.HeapGoalBytes < vitals.NoHeapGoal
	if promised < collectsLeast || float64(b.Consumed.GCCycles) > collectsShare*promised ||
		!off && float64(b.PeakRSS) < growsShare*float64(a.PeakRSS) {
		return nil
	}
	text := "it hardly collects garbage and pays in memory"
	if off {
		text = "its garbage collector is off, so that its memory has no bound"
	}
	return &record.Caveat{Name: record.CaveatGC, Text: text, Open: off, Detail: fmt.Sprintf(
		"%s for %s of it, A %s for %s; memory peaks at %s, A's at %s", collections(b.Consumed.GCCycles),
		units.Bytes(bytesB),
		collections(a.Consumed.GCCycles), units.Bytes(bytesA), units.Bytes(float64(b.PeakRSS)),
		units.Bytes(float64(a.PeakRSS)))}
}

func collections(n uint64) string {
	if n == 1 {
		return "1 collection"
	}
	return units.Count(n) + " collections"
}

// verdictOn is the verdict on the measure with that key, if it has an interval.
func verdictOn(all []judge.Verdict, key string) (judge.Verdict, bool) {
	i := slices.IndexFunc(all, func(v judge.Verdict) bool { return v.Measure.Key == key })
	if i < 0 || all[i].Low <= 0 || math.IsInf(all[i].High, 1) {
		return judge.Verdict{}, false
	}
	return all[i], true
}

// memoryCaveat: B needs several times the memory.
func memoryCaveat(verdicts []judge.Verdict) *record.Caveat {
	v, ok := verdictOn(verdicts, measure.PeakRSS.Key)
	if !ok || v.Low < memoryTimes || v.A*(v.Ratio-1) < memoryBytes {
		return nil
	}
	return &record.Caveat{Name: record.CaveatMemory, Text: "it takes more memory",
		Detail: fmt.Sprintf("a peak of %s, A %s",
			units.Bytes(v.B), units.Bytes(v.A))}
}

// share is how many of a variant's requests something happened to.
type share struct{ count, requests uint64 }

// moreOften says that something happens to a far larger share of B's requests than of A's.
func moreOften(a, b share) bool {
	return b.count >= lostLeast && a.requests > 0 && b.requests > 0 &&
		float64(b.count)/float64(b.requests) > lostTimes*float64(a.count+1)/float64(a.requests)
}

// failedCaveat: more requests of B come to nothing, though too few to make it invalid.
func failedCaveat(a, b *timed.Load) *record.Caveat {
	x, y := a.Account, b.Account
	if !moreOften(share{x.Failed + x.Unsent, x.Scheduled}, share{y.Failed + y.Unsent, y.Scheduled}) {
		return nil
	}
	return &record.Caveat{Name: record.CaveatFailed, Text: "it loses requests",
		Detail: fmt.Sprintf("%s of %s, A %s of %s", units.Count(y.Failed+y.Unsent), units.Count(y.Scheduled),
			units.Count(x.Failed+x.Unsent), units.Count(x.Scheduled))}
}

// closedCaveat: B closes connections that A keeps.
func closedCaveat(a, b *timed.Load) *record.Caveat {
	closed := func(t load.Tally) uint64 { return uint64(t.Reconnects + t.Renewed) }
	x, y := closed(a.Tally), closed(b.Tally)
	if !moreOften(share{x, a.Tally.Scheduled}, share{y, b.Tally.Scheduled}) {
		return nil
	}
	return &record.Caveat{Name: record.CaveatClosed, Text: "it closes connections",
		Detail: fmt.Sprintf("%s during the slices, A %s", units.Count(y), units.Count(x))}
}

// statusCaveat: another share of all answers has a status than of A's.
func statusCaveat(a, b *timed.Load) *record.Caveat {
	share := func(t load.Tally, code int) float64 {
		all := uint64(0)
		for _, n := range t.Codes {
			all += n
		}
		return float64(t.Codes[code]) / float64(max(1, all))
	}
	for _, code := range sortedCodes(b.Tally.Codes) {
		if x, y := share(a.Tally, code), share(b.Tally, code); y-x > statusShare {
			return &record.Caveat{Name: record.CaveatStatus,
				Text:   "more of its answers have status " + load.CodeName(uint16(code)),
				Detail: fmt.Sprintf("%.3g %%, A %.3g %%", 100*y, 100*x)}
		}
	}
	return nil
}

func sortedCodes(codes map[int]uint64) []int {
	var all []int
	for code := range codes {
		all = append(all, code)
	}
	slices.Sort(all)
	return all
}

// bytesCaveat: B sends fewer bytes per answer, over all answers.
func bytesCaveat(a, b *timed.Load) *record.Caveat {
	ofA, ofB := blockTotals(a.Samples), blockTotals(b.Samples)
	logBytes := func(one blockTotal) float64 {
		if one.answered == 0 || one.received == 0 {
			return math.NaN()
		}
		return math.Log(float64(one.received) / float64(one.answered))
	}
	less, sure := rise(ofB, ofA, logBytes)
	if !sure || -math.Expm1(-less) < bytesShare {
		return nil
	}
	return &record.Caveat{Name: record.CaveatBytes, Text: "it sends less",
		Detail: fmt.Sprintf("%s per answer, head and body, A %s",
			units.Bytes(math.Exp(medianOf(ofB, logBytes))), units.Bytes(math.Exp(medianOf(ofA, logBytes))))}
}
