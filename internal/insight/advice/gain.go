package advice

import (
	"math"

	"github.com/gohone/hone/internal/insight/facts"
)

// What a change can gain, and in which word.

// GainWord says what the gain of a finding is.
type GainWord string

// The words.
const (
	// AtMost is a bound: what goes is a wait of the requests themselves, and nothing else ends with it.
	AtMost GainWord = "at most"
	// About is an estimate, with an interval in which four of five repairs lie that were measured. A change may
	// remove more than what the finding is about, such as the rest of its line, and what replaces the line has a
	// price of its own.
	About GainWord = "about"
	// Ask is a gain that is not known before the change is tried.
	Ask GainWord = "ask"
)

// predict puts the gain of a finding into a word. A wait for something that other requests have, such as a lock, says
// how long they wait, and not how long they would wait for the next thing that is short: its gain is not known.
func (v *search) predict(f *found) {
	switch {
	case f.Measure == Answers || f.Measure == Growing:
	case f.Gain <= 0 || f.waitsForOthers() || f.elsewhere:
		f.Gain, f.GainWord = 0, Ask
	case f.Measure == CPU && v.Samples > 0:
		f.GainWord = About
		f.GainLow, f.GainHigh = repaired(f.Gain, v.memoryOf(f), v.Samples)
	case f.traced == 0 && (f.Measure == Latency || f.Measure == Tail):
		f.Gain, f.GainWord = 0, Ask
	case f.traced > 0:
		_, f.Gain = interval(f.Gain, int64(f.traced))
		f.GainWord = AtMost
	default:
		f.GainWord = About
	}
}

// waitsForOthers says whether a finding is of a wait for what other requests have.
func (f *found) waitsForOthers() bool {
	if f.Measure != Latency && f.Measure != Tail {
		return false
	}
	switch f.rule {
	case lockHeld, readLock, smallPool, processorHeld, rateLimited:
		return true
	}
	return false
}

const (
	// unseenLess and unseenMore are what a measured repair gains at least and at most, as parts of what samples say: what
	// takes the place of a line has a price, and caches are colder or warmer without it.
	unseenLess, unseenMore = 0.8, 1.25
	// unseenMemory is the part of the work for memory by which a repair may gain more than profiles show: what is written
	// to new memory drives other data out of the caches.
	unseenMemory = 0.5
)

// repaired holds what a repair gains of a share that n samples show, in four of five of the repairs that were measured
// (testdata/measured-gains.txt). memory is the part of the share that is work for memory.
func repaired(share, memory float64, n int64) (low, high float64) {
	low, high = interval(share, n)
	return unseenLess * low, min(1, unseenMore*high+unseenMemory*memory)
}

// memoryOf is the part of a gain that is work for memory: the collector's, and what allocates and clears it.
func (v *search) memoryOf(f *found) (share float64) {
	for _, i := range f.stacks {
		s := &v.Stacks[i]
		if share += s.Cost - s.CPU; s.CPU > 0 && !s.Background() && s.Find(facts.Allocates) >= 0 {
			share += s.CPU
		}
	}
	return max(0, share) * min(1, f.Gain/f.Cost)
}

// interval holds a share that n samples show with 95 %: Wilson's score interval (J. Am. Stat. Assoc. 22, 1927).
func interval(share float64, n int64) (low, high float64) {
	if n <= 0 {
		return share, share
	}
	const z = 1.96
	m := float64(n)
	middle, half := share+z*z/(2*m), z*math.Sqrt(share*(1-share)/m+z*z/(4*m*m))
	return max(0, (middle-half)/(1+z*z/m)), min(1, (middle+half)/(1+z*z/m))
}
