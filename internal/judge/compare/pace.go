package compare

import (
	"time"

	"github.com/gohone/hone/judge"
)

// Pace says when to look at a comparison that goes on, and when there is no room for more: it
// counts blocks, and the time that they take. It is for one goroutine.
type Pace struct {
	// Budget is the most time that the blocks may take, Most the most of them that there can
	// be; a value of 0 bounds nothing.
	Budget time.Duration
	Most   int
	// Looks are those so far.
	Looks []judge.Look

	// alarms is the part of the budget in which an alarm has time for its second stage, whole what that is a part of.
	alarms, whole time.Duration
	closed        bool // there was a look at the end of that part

	began    time.Time
	excluded time.Duration // since then, but not of the budget
	next     int           // blocks at the next look
	until    int           // blocks that are taken whatever the budget says; 0 before Extend
	looked   time.Time     // when the latest look ended
	looking  time.Duration // what it took
}

// NewPace returns a pace whose budget begins to run, and whose first look is at so many blocks.
func NewPace(budget time.Duration, most, first int) *Pace {
	return &Pace{Budget: budget, Most: most, alarms: budget, whole: budget, began: time.Now(), next: first}
}

// Elapsed is the part of the budget that is used.
func (p *Pace) Elapsed() time.Duration { return time.Since(p.began) - p.excluded }

// Exclude takes time that was spent on something else, such as profiles, off the part of the
// budget that is used.
func (p *Pace) Exclude(d time.Duration) { p.excluded += d }

// Keep takes time off the budget for what comes after the blocks, and off the part in which an alarm has time for its
// second stage what that takes. Each leaves half of the budget, and never 0, which would bound nothing.
func (p *Pace) Keep(after, again time.Duration) {
	if all := p.Budget; all > 0 {
		p.Budget, p.alarms = max(all/2, all-after, 1), max(all/2, all-after-again, 1)
		p.whole = p.Budget
	}
}

// Alarms is the share of the budget in which an alarm has time for its second stage.
func (p *Pace) Alarms() float64 {
	if p.whole == 0 {
		return 1
	}
	return float64(p.alarms) / float64(p.whole)
}

// Closes says that a look is the last one at which an alarm has time for its second stage.
func (p *Pace) Closes(perBlock time.Duration) bool {
	return !p.closed && p.alarms < p.whole && p.Elapsed()+perBlock > p.alarms+perBlock/10
}

// Next is how many blocks there should be at the next look.
func (p *Pace) Next() int { return p.next }

// Extend puts the next look at so many blocks, and gives those that are still to come at least so much time: what has
// begun to be confirmed is not broken off.
func (p *Pace) Extend(blocks int, more time.Duration) {
	p.next, p.until = blocks, blocks
	if p.Budget > 0 {
		p.Budget = max(p.Budget, p.Elapsed()+more+more/10)
	}
}

// Last says that there can be no other block, or that the budget has no room for one, of which
// each takes perBlock. A tenth over is better than an eleventh of the budget unused.
func (p *Pace) Last(blocks int, perBlock time.Duration) bool {
	if blocks < p.until {
		return false
	}
	return p.Most > 0 && blocks >= p.Most || p.Budget > 0 && p.Elapsed()+perBlock > p.Budget+perBlock/10
}

// lookingShare is how much longer the time between two looks is than a look takes.
const lookingShare = 20

// Due says whether so many blocks are worth a look: there are enough new ones, and looks do
// not take too much of the time, or there is no room for another.
func (p *Pace) Due(blocks int, perBlock time.Duration) bool {
	return p.Last(blocks, perBlock) || p.Closes(perBlock) ||
		blocks >= p.next && time.Since(p.looked) > lookingShare*p.looking
}

// Look notes a look at so many blocks, of which each takes perBlock, and carries it out.
func (p *Pace) Look(blocks int, perBlock time.Duration, decide func(last bool) error) error {
	began, last, used := time.Now(), p.Last(blocks, perBlock), 0.0
	p.closed = p.closed || p.Closes(perBlock)
	if p.Budget > 0 {
		of := p.Budget
		if p.alarms < p.whole { // Extend changes nothing of how the level is spent
			of = p.whole
		}
		used = float64(p.Elapsed()) / float64(of)
	}
	if p.Most > 0 {
		used = max(used, float64(blocks)/float64(p.Most))
	}
	if last {
		used = 1
	}
	p.Looks, p.next = append(p.Looks, judge.Look{Blocks: blocks, Used: min(1, used)}), judge.NextLook(blocks)
	err := decide(last)
	p.looked = time.Now()
	p.looking = p.looked.Sub(began)
	return err
}
