package subject

import (
	"sync"

	"github.com/gohone/hone/internal/sys/cgroup"
	"github.com/gohone/hone/internal/text/fail"
)

// A box is the control group of a subject with limits. The guard makes it, starts the subject in it and reads its
// counters; the backup, which outlives both, removes it. If the backup was killed, hone removes it.

// Box is what the kernel has counted of the subject's box, its last reading once it has ended; zero without one.
func (p *running) Box() cgroup.Counters {
	if _, over := p.ended.known(); !over && p.box.Exists() {
		if now, err := p.box.Read(); err == nil {
			return now
		}
	}
	return p.boxed.latest()
}

// boxCounters are the counters of a box as the guard read them.
type boxCounters struct {
	mu   sync.Mutex
	last cgroup.Counters
}

func (b *boxCounters) latest() cgroup.Counters {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.last
}

// keep keeps a reading; one of nothing changes nothing.
func (b *boxCounters) keep(c cgroup.Counters) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if c != (cgroup.Counters{}) {
		b.last = c
	}
}

// outOfMemory is the error of a subject whose main process the kernel has ended at the memory limit; nil for others.
func (p *running) outOfMemory(when string) *fail.Error {
	count := p.Box()
	if end, _ := p.ended.known(); count.OOMKills == 0 || end.exit.Signal == 0 {
		return nil
	}
	limit := p.box.Limits
	return fail.New(fail.Subject, "%s was killed at the memory limit of the box (%s) %s%s", p.name, limit.MemoryText(),
		when, p.lastWords()).
		WithHint("give the box more memory, or let the collector of Go keep to it: --env GOMEMLIMIT=%s, which leaves a "+
			"tenth for what is not its heap; "+
			"what the program keeps has to fit: hone run --holders says who holds it", limit.GoMemLimit())
}
