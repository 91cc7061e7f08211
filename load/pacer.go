package load

import (
	"math"
	"math/rand/v2"
	"time"
)

// pacer walks one worker's share of an open loop's schedule. It is pure arithmetic on
// the schedule: nothing adds up from one request to the next but the number of the
// request, so that lateness never accumulates. A copy walks on by itself.
type pacer struct {
	stages []Stage
	replay []time.Duration
	// due is when the next request is due, counted from the start of the schedule; ok
	// says that there is one.
	due time.Duration
	ok  bool

	// at is the next request in operational time: how many requests of all workers and
	// generators the schedule calls for ahead of it. A request of a Poisson process has a
	// fractional one; step is then the mean distance to this worker's next one. Others are
	// request number k of the share, and workers apart.
	at         float64
	step       float64
	share      Share
	k, workers uint64
	// stage is where at lies; began and before are its start in time and in requests.
	stage  int
	began  time.Duration
	before float64
	left   uint64 // requests that this worker may still take

	poisson bool
	random  rand.PCG
}

// newPacer returns worker number worker's share, of workers.
func newPacer(s Schedule, worker, workers int) *pacer {
	p := &pacer{
		stages: s.Stages, replay: s.Replay, left: math.MaxUint64,
		share: s.Share, k: uint64(worker), workers: uint64(workers), step: float64(workers) / s.Share.part(),
	}
	if s.Requests > 0 {
		p.left = shareOf(s.Share.count(s.Requests), worker, workers)
	}
	p.at = float64(p.share.number(p.k))
	if s.Arrivals == Poisson && len(s.Replay) == 0 {
		p.poisson = true
		stream := uint64(worker)
		if !s.Share.whole() { // another one for each share
			stream |= uint64(s.Share.Classes[0]+1) << 32
		}
		p.random.Seed(s.Seed, stream)
		p.at = p.gap()
	}
	p.find()
	return p
}

// shareOf is worker's part of n requests dealt out in turn.
func shareOf(n uint64, worker, workers int) uint64 {
	w := uint64(workers)
	share := n / w
	if uint64(worker) < n%w {
		share++
	}
	return share
}

// gap draws the distance to the next request of a Poisson process: an exponential of
// mean step. Processes of workers add up to one of the whole rate.
func (p *pacer) gap() float64 {
	u := float64(p.random.Uint64()>>11+1) / (1 << 53) // (0, 1]
	return -math.Log(u) * p.step
}

// next moves on to the request after the one that is due.
func (p *pacer) next() {
	p.left--
	if p.poisson {
		p.at += p.gap()
	} else {
		p.k += p.workers
		p.at = float64(p.share.number(p.k))
	}
	p.find()
}

// find turns at into a moment.
func (p *pacer) find() {
	p.ok = false
	if p.left == 0 {
		return
	}
	if len(p.replay) > 0 {
		if i := int(p.at); i < len(p.replay) {
			p.due, p.ok = p.replay[i], true
		}
		return
	}
	for p.stage < len(p.stages) {
		g := p.stages[p.stage]
		n := (g.From + g.To) / 2 * g.For.Seconds()
		if p.at < p.before+n {
			p.due, p.ok = p.began+g.when(p.at-p.before), true
			return
		}
		p.before += n
		p.began += g.For
		p.stage++
	}
}

// when is the moment of the stage at which n requests have been due: the inverse of
// n(t) = From t + (To - From) t^2 / (2 For), in the form that stays exact where the
// rate hardly changes.
func (g Stage) when(n float64) time.Duration {
	a := (g.To - g.From) / (2 * g.For.Seconds())
	t := 2 * n / (g.From + math.Sqrt(max(0, g.From*g.From+4*a*n)))
	if math.IsNaN(t) { // 0/0: the very start of a ramp from 0
		t = 0
	}
	return min(time.Duration(t*float64(time.Second)), g.For-1)
}

// backlog counts the requests that are due before t and not taken yet.
func (p *pacer) backlog(t time.Duration) (n uint64) {
	p.eachDue(t, func(time.Duration) { n++ })
	return n
}

// eachDue calls f for the requests due before t and not taken yet, without taking
// them.
func (p *pacer) eachDue(t time.Duration, f func(due time.Duration)) {
	for q := *p; q.ok && q.due < t; q.next() {
		f(q.due)
	}
}
