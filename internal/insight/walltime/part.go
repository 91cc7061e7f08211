package walltime

// mostParts bounds how deep parts of a request start parts of their own.
const mostParts = 3

// worksOnRequest says whether a goroutine works on a request: one that serves does, and one that it started and that it
// waits for while that lives. One that goes on after the answer, or that nobody waits for, is the background.
func (h *history) worksOnRequest(g place) bool {
	for range mostParts {
		me := &h.goroutines[g]
		if me.serves {
			return true
		}
		if me.born == 0 || me.creator == none || !h.awaits(me.creator, me.born, me.died) {
			return false
		}
		g = me.creator
	}
	return h.goroutines[g].serves
}

// awaits says whether a goroutine waits for another one, at a channel or a wait group, between two moments; to is 0 for
// one that goes on after the trace.
func (h *history) awaits(g place, from, to int64) bool {
	if to == 0 {
		return false
	}
	me := &h.goroutines[g]
	for i := max(0, me.find(from)); i < len(me.spans) && me.spans[i].at < to; i++ {
		if s := &me.spans[i]; s.state == blocked && me.end(i, h.to) > from {
			if k, _ := kindOf(s.why); k == kindWait || k == kindChannel {
				return true
			}
		}
	}
	return false
}
