package walltime

import "sort"

// sampled is where a goroutine was at one of the ticks of the CPU profiler, which a trace has if a
// CPU profile is taken at the same time.
type sampled struct {
	at    int64
	stack stackID
}

// likely are the samples of all stretches of running that ended on a stack.
type likely map[stackID][]stackID

// likelyStacks sorts the samples of a trace by the stack on which their stretch of running ended.
func (h *history) likelyStacks() likely {
	all := likely{}
	for i := range h.goroutines {
		g := &h.goroutines[i]
		for _, s := range g.samples {
			if j := g.find(s.at); j >= 0 && g.spans[j].state == running {
				end := g.spans[j].stack
				all[end] = append(all[end], s.stack)
			}
		}
	}
	return all
}

// eachStack calls do for the parts of a stretch of running of g, which ended on the stack end. Each
// sample stands for the time that is nearest to it. A stretch without samples, as most short ones,
// stands where a stretch that ended on the same stack was sampled, drawn by its time, so that many
// stretches together are divided as the samples are; or at its end, if none was.
func (w *walker) eachStack(g *goroutine, from, to int64, end stackID, do func(from, to int64, s stackID)) {
	i := sort.Search(len(g.samples), func(i int) bool { return g.samples[i].at >= from })
	if i == len(g.samples) || g.samples[i].at >= to {
		if others := w.likely[end]; len(others) > 0 {
			end = others[int(mix(uint64(from))%uint64(len(others)))]
		}
		do(from, to, end)
		return
	}
	for ; from < to; i++ {
		until := to
		if i+1 < len(g.samples) && g.samples[i+1].at < to {
			until = (g.samples[i].at + g.samples[i+1].at) / 2
		}
		do(from, until, g.samples[i].stack)
		from = until
	}
}

// mix spreads the bits of x (the finalizer of SplitMix64, Steele et al. 2014).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
