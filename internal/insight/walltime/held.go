package walltime

import (
	"cmp"
	"slices"
	"sort"

	"github.com/gohone/hone/internal/sys/machine"
)

// A trace shows a goroutine as running while the kernel has taken the CPU from its thread, and as waiting while the
// thread that is to wake it up has none. The kernel counts for how long (machine.Delay); where in the trace that was
// its events say: a thread that has no CPU writes none. So a delay lies in the longest stretches of its thread without
// a change of state, of those in which it may lie.

// held is a stretch in which the kernel did not let threads run.
type held struct {
	interval
	kind kind
}

// stretch is a time in which a thread did one thing; idle says that it slept, and that only the end can be a wait.
type stretch struct {
	interval
	thread int16
	idle   bool
}

// thread is the place of a thread in threads; 0 for one that is not known.
func (r *reader) thread(id int64) int16 {
	if id <= 0 {
		return 0
	}
	at, ok := r.threadPlaces[id]
	if !ok && len(r.threadPlaces) < 1<<15-1 {
		at = int16(len(r.threadPlaces) + 1)
		r.threadPlaces[id] = at
	}
	return at
}

// hold notes when the kernel did not let the program run, by what it counted meanwhile.
func (h *history) hold(o Options) {
	for _, one := range h.throttledIn(o.Box) {
		h.held = append(h.held, held{one, kindThrottled})
	}
	h.halt(o.Delays)
	slices.SortFunc(h.held, byBeginning)
	h.holdThreads(o.Delays)
}

func byBeginning(a, b held) int { return cmp.Compare(a.from, b.from) }

// halt adds the stretches in which a signal stopped the program: without an event, between the readings that say so.
func (h *history) halt(delays []machine.Delay) {
	throttled := h.held
	for _, d := range delays {
		if d.Cause != machine.BySignal {
			continue
		}
		for _, g := range h.gaps {
			one := interval{max(g.from, d.From), min(g.to, d.To)}
			if one.from < one.to && !slices.ContainsFunc(throttled,
				func(t held) bool { return t.overlap(one.from, one.to) > 0 }) {
				h.held = append(h.held, held{one, kindHalted})
			}
		}
	}
}

// holdThreads places the delays of single threads.
func (h *history) holdThreads(delays []machine.Delay) {
	kinds := map[machine.Cause]kind{machine.ByOthers: kindPreempted, machine.ByHost: kindStolen,
		machine.ByQuota: kindThrottled}
	var some []machine.Delay
	for _, d := range delays {
		if kinds[d.Cause] != 0 && d.To > h.from && d.From < h.to {
			some = append(some, d)
		}
	}
	if len(some) == 0 {
		return
	}
	h.heldThreads = map[int16][]held{}
	of := h.stretches()
	var all []stretch // of all threads, for what may be any
	for _, one := range of {
		all = append(all, one...)
	}
	slices.SortFunc(all, func(a, b stretch) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.thread, b.thread))
	})
	for _, d := range some {
		among := all
		if d.Thread != 0 {
			among = of[h.threadPlaces[d.Thread]]
		}
		h.place(d, kinds[d.Cause], among)
	}
	for t := range h.heldThreads {
		slices.SortFunc(h.heldThreads[t], byBeginning)
		h.heldThreads[t] = apart(h.heldThreads[t])
	}
}

// stretches are those of each thread, in the order of time: what its goroutines did, and the pauses between.
func (h *history) stretches() map[int16][]stretch {
	all := map[int16][]stretch{}
	for i := range h.goroutines {
		g := &h.goroutines[i]
		for j := range g.spans {
			switch s := &g.spans[j]; {
			case s.thread == 0:
			case s.works(), s.state == syscalling:
				all[s.thread] = append(all[s.thread], stretch{interval{s.at, g.end(j, h.to)}, s.thread, false})
			case s.state == runnable: // the thread was awake then
				all[s.thread] = append(all[s.thread], stretch{interval{s.at, s.at}, s.thread, false})
			}
		}
	}
	for t, some := range all {
		slices.SortFunc(some, func(a, b stretch) int { return cmp.Compare(a.from, b.from) })
		with, at := make([]stretch, 0, 2*len(some)), h.from
		for _, one := range some {
			if one.from > at {
				with = append(with, stretch{interval{at, one.from}, t, true})
			}
			if one.to > at {
				with = append(with, one)
			}
			at = max(at, one.to)
		}
		all[t] = with
	}
	return all
}

// place puts a delay into the longest of some sorted stretches, as much as each has room for.
func (h *history) place(d machine.Delay, k kind, among []stretch) {
	var may []stretch
	from := 0
	if d.Thread != 0 {
		from = sort.Search(len(among), func(i int) bool { return among[i].to > d.From })
	}
	for i := from; i < len(among) && among[i].from < d.To; i++ {
		one := among[i]
		if one.to <= d.From || one.idle && one.to > d.To {
			continue // the thread went on sleeping
		}
		one.from, one.to = max(one.from, d.From), min(one.to, d.To)
		may = append(may, one)
	}
	slices.SortStableFunc(may, func(a, b stretch) int { return cmp.Compare(b.to-b.from, a.to-a.from) })
	left := int64(d.Length)
	for _, one := range may {
		take := min(left, one.to-one.from)
		if take <= 0 {
			break
		}
		h.heldThreads[one.thread] = append(h.heldThreads[one.thread], held{interval{one.to - take, one.to}, k})
		left -= take
	}
}

// apart cuts what overlaps of stretches that are sorted by their beginning.
func apart(all []held) []held {
	kept := all[:0]
	for _, one := range all {
		if n := len(kept); n > 0 {
			one.from = max(one.from, kept[n-1].to)
		}
		if one.from < one.to {
			kept = append(kept, one)
		}
	}
	return kept
}

// firstHeld is the first of some stretches, sorted and apart, between two moments; empty at the end without one.
func firstHeld(all []held, from, to int64) held {
	i := sort.Search(len(all), func(i int) bool { return all[i].to > from })
	if i == len(all) || all[i].from >= to {
		return held{interval: interval{to, to}}
	}
	return held{interval{max(from, all[i].from), min(to, all[i].to)}, all[i].kind}
}

// emitOn adds time that depends on a thread to the pieces; where the kernel did not let that run, it is that and not
// what would have been done.
func (w *walker) emitOn(thread int16, from, to int64, c chainID) {
	if thread == 0 || len(w.heldThreads[thread]) == 0 {
		w.emit(from, to, c)
		return
	}
	for from < to {
		one := firstHeld(w.heldThreads[thread], from, to)
		w.emit(from, one.from, c)
		if one.from < one.to {
			w.add(one.from, one.to, w.under(0, first, one.kind, 0))
		}
		from = one.to
	}
}

// threadAt is the thread that a goroutine had at a moment, or that woke it up then.
func (w *walker) threadAt(g place, at int64) int16 {
	me := &w.goroutines[g]
	if i := me.find(at); i >= 0 {
		return me.spans[i].thread
	}
	return 0
}
