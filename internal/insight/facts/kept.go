package facts

import (
	"fmt"

	"github.com/gohone/hone/prof"
)

// Kept says whether what the user's line of frame number own makes or fills outlives the request, as far as the source
// says: it is stored in something that outlives the function, sent to another goroutine, or returned to a caller that
// does so. What is only passed to a call is not taken for kept.
func (v *View) Kept(s *Stack, own int) bool {
	key := ""
	for i := own; i < len(s.Frames) && i < own+framesOfLoop; i++ {
		key += fmt.Sprint(s.Frames[i].File, ":", s.Frames[i].Line, " ")
	}
	yes, known := v.keptAt[key]
	if !known {
		if v.keptAt == nil {
			v.keptAt = map[string]bool{}
		}
		yes = v.followKept(s, own)
		v.keptAt[key] = yes
	}
	return yes
}

func (v *View) followKept(s *Stack, own int) bool {
	callee := "" // the function that returns it
	for i := own; i < len(s.Frames) && i < own+framesOfLoop && s.Frames[i].Origin == prof.Own; i++ {
		stored, returned, function := v.File(s.Frames[i].File).GoesTo(int(s.Frames[i].Line), callee)
		if stored || !returned {
			return stored
		}
		callee = function
	}
	return false
}
