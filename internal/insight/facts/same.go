package facts

import (
	"strings"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/prof"
)

// ComputesSame is the user's frame, the outermost one, that calls a function of the user's which gives the same each
// time, as far as the source says; -1 if there is none. Such a function changes nothing, and what it reads is not set
// under load: constants, and fields that only functions set which the profile does not see.
func (v *View) ComputesSame(s *Stack) int {
	for i := len(s.Frames) - 1; i > 0; i-- {
		caller, callee := &s.Frames[i], &s.Frames[i-1]
		if caller.Origin != prof.Own || callee.Origin != prof.Own || s.HandsOn(i) ||
			strings.Contains(callee.Name, ".func") {
			continue
		}
		at := callSite{caller.Place(), callee.Function}
		same, known := v.sameAt[at]
		if !known {
			if v.sameAt == nil {
				v.sameAt = map[callSite]bool{}
			}
			same = v.callsSame(caller, callee)
			v.sameAt[at] = same
		}
		if same && v.DataLoop(s, i) < 0 {
			return i
		}
	}
	return -1
}

// callSite is a line that calls a function.
type callSite struct {
	caller code.Place
	callee string
}

// callsSame says whether the caller's line gets the same from the callee each time.
func (v *View) callsSame(caller, callee *Frame) bool {
	v.MarkRunning(caller.File)
	v.MarkRunning(callee.File)
	of := v.File(callee.File)
	fn := of.Function(int(callee.Line))
	return fn != nil && v.File(caller.File).HandsSame(int(caller.Line), fn) && of.ComputesSame(fn)
}
