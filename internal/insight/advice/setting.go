package advice

import (
	"fmt"

	"github.com/gohone/hone/internal/text/units"
)

// largerGOGC is the setting of the collector that is recommended, and smallestGoal what the heap grows to at least with
// it: 4 MB for each 100 % (runtime/mgcpacer.go, heapMinimum).
const (
	largerGOGC   = 400
	smallestGoal = largerGOGC / 100 * 4 << 20
	// leastRarer is how many times as rare collections have to become for the setting to be worth a word.
	leastRarer = 1.5
)

// collectorSetting is what GOGC=400 brings: each collection marks what is live, however much was allocated since the
// one before, so that marking goes down as collections become rarer. Sweeping stays: it follows what is allocated.
type collectorSetting struct {
	gain float64 // part of the CPU time
	goal float64 // bytes to which the heap grows
}

// rarerCollections is what GOGC=400 brings; false where it is not known, or brings too little, or needs more
// memory than there is.
func (v *search) rarerCollections() (s collectorSetting, ok bool) {
	n := v.Numbers
	live, goal := float64(n.HeapLive), float64(n.HeapGoal)
	if live <= 0 || goal <= live || v.Marking <= 0 {
		return s, false
	}
	s.goal = max(smallestGoal, live*(1+largerGOGC/100))
	rarer := (s.goal - live) / (goal - live)
	s.gain = v.Marking * (1 - 1/rarer)
	return s, rarer >= leastRarer && s.gain >= least && n.Box.Fits(s.goal)
}

// beside is the setting as a row of a finding that names code: each brings something without the other.
func (v *search) beside(s collectorSetting) Evidence {
	low, high := repaired(s.gain, 0, v.Samples)
	text := fmt.Sprintf("without a change of the code GOGC=%d saves about %s (%s ... %s) of the CPU time: the "+
		"collector's marking is %s, and the heap may grow to %s instead of %s", largerGOGC, units.Share(s.gain),
		units.Share(low), units.Share(high), units.Share(v.Marking), units.Bytes(s.goal),
		units.Bytes(float64(v.Numbers.HeapGoal)))
	if v.Setting != nil {
		if command := v.Setting(fmt.Sprintf("GOGC=%d", largerGOGC)); command != "" {
			text += "; prove it: " + command
		}
	}
	return Evidence{Source: "setting", Text: text}
}

// besideCode adds the setting to the finding that is the reason for most of what the collector does, or to the first
// that allocates.
func (v *search) besideCode(main *found) {
	if s, ok := v.rarerCollections(); ok && main.Measure == CPU {
		main.Evidence = append(main.Evidence, v.beside(s))
	}
}
