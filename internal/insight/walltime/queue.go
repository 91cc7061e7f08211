package walltime

import "sort"

// queue explains a part of a span in which goroutine g waits for a processor: by what had the one
// that it got, or by a stop of the world. Requests that compute take turns: while one waits for
// another in the middle of its own work, it counts as running, since its work is why it is slow.
func (w *walker) queue(g place, i int, a, b int64, before chainID, l link) {
	me := &w.goroutines[g]
	var ran *span // the next time on a processor
	for j := i + 1; j < len(me.spans) && ran == nil; j++ {
		if me.spans[j].works() {
			ran = &me.spans[j]
		}
	}
	at := me.entry
	if i > 0 {
		at = me.spans[i-1].stack
	}
	own := w.under(before, l, kindRunnable, at)
	if ran == nil || ran.proc < 0 {
		w.emit(a, b, own)
		return
	}
	turn := chainID(0)
	if i > 0 && me.spans[i-1].state == running {
		turn = w.under(before, l, kindRunning, at)
	}
	w.occupied(int(ran.proc), a, b, own, turn, ran.thread)
}

// occupied divides a wait for a processor by what had it meanwhile. A processor that was free was
// waking up, by the thread woken. What other requests had it for belongs to the chain turn, if there is one.
func (w *walker) occupied(proc int, a, b int64, own, turn chainID, woken int16) {
	w.eachOccupant(proc, a, b, func(from, to int64, by place) {
		if stopped := w.stopped(from, to); stopped > 0 {
			w.emit(from, from+stopped, w.under(own, ahead, kindStopped, 0))
			from += stopped
		}
		if by == none || from >= to {
			w.emitOn(woken, from, to, own)
			return
		}
		serves := w.worksOnRequest(by)
		if serves && turn != 0 && w.heldThreads == nil {
			w.emit(from, to, turn)
			return
		}
		w.doing(by, from, to, func(from, to int64, k kind, s stackID, thread int16) {
			if serves && turn != 0 {
				w.emitOn(thread, from, to, turn)
				return
			}
			if serves && (k == kindRunning || k == kindSyscall) {
				k = kindOthers
			}
			w.emitOn(thread, from, to, w.under(own, ahead, k, s))
		})
	})
}

// stopped is how long the world was stopped in a stretch.
func (w *walker) stopped(from, to int64) (sum int64) {
	i := sort.Search(len(w.stops), func(i int) bool { return w.stops[i].to > from })
	for ; i < len(w.stops) && w.stops[i].from < to; i++ {
		sum += w.stops[i].overlap(from, to)
	}
	return sum
}

// eachOccupant calls do for each stretch in [a, b) in which a processor had one goroutine, or none.
func (h *history) eachOccupant(proc int, a, b int64, do func(from, to int64, by place)) {
	if proc >= len(h.procs) {
		do(a, b, none)
		return
	}
	p := h.procs[proc]
	i := sort.Search(len(p), func(i int) bool { return p[i].at > a }) - 1
	for from := a; from < b; i++ {
		to, by := b, none
		if i+1 < len(p) {
			to = min(b, p[i+1].at)
		}
		if i >= 0 && i < len(p) {
			by = p[i].by
		}
		if to > from {
			do(from, to, by)
		}
		from = max(from, to)
	}
}

// doing calls do for what a goroutine did in a stretch in which it had a processor.
func (w *walker) doing(g place, from, to int64, do func(from, to int64, k kind, s stackID, thread int16)) {
	me := &w.goroutines[g]
	for i := max(0, me.find(from)); i < len(me.spans) && me.spans[i].at < to; i++ {
		one := &me.spans[i]
		a, b := max(from, one.at), min(to, me.end(i, w.to))
		switch {
		case a >= b:
		case one.state == assisting:
			do(a, b, kindCollector, one.stack, one.thread)
		case one.state == syscalling:
			do(a, b, kindSyscall, one.stack, one.thread)
		case w.isCollector(one.stack):
			do(a, b, kindCollector, one.stack, one.thread)
		default:
			w.eachStack(me, a, b, one.stack, func(a, b int64, s stackID) { do(a, b, kindRunning, s, one.thread) })
		}
	}
}

// isCollector says whether a stack is of the runtime's own workers that collect garbage.
func (h *history) isCollector(s stackID) bool {
	k := &h.stacks.all[s]
	for i := range k.frames {
		switch h.stacks.at(k, i).Function {
		case "runtime.gcBgMarkWorker", "runtime.bgsweep", "runtime.bgscavenge":
			return true
		}
	}
	return false
}
