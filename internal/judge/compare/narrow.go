package compare

import "time"

// A quarter of a benchmark's budget is kept for second stages. Where there is nothing to confirm when that time
// begins, it goes to rounds that only narrow the intervals of what is still asked.
//
// Why the level of both stages stays what it is: differences, and gates that fail, are called so by looks before that
// time only, which spend all of their level in it (judge.Options.Alarming), as if the budget ended there. What is
// seen later is "too late to be confirmed", and a gate that asks for a change does not pass by it, so that no alarm
// is added.
//
// Why the intervals hold: what a gate passes by, and the bound of a change that is excluded, are of intervals whose
// looks spend their level in the whole budget, by time and not by what was seen (Lan & DeMets 1983, "Discrete
// sequential boundaries for clinical trials", Biometrika 70(3)). The looks at the end of the time for alarms leave
// the part to the last one that time has not used up. So all intervals of all looks hold at once, and a bound is
// wrong once in twenty times, whichever look it is of. Alarms and bounds may each have the whole level, since only
// one of them can be wrong: an alarm where there is no change, a bound of 2 % where the change is larger than 2 %.

// narrow goes on with a contender that has no alarm when the time for that is over, until it is settled, or time is.
func (r *Referee) narrow(s *Contender, last bool) error {
	if r.Waits(s) && !last {
		return nil
	}
	why, err := r.settled([]*Contender{s}, last)
	if err == nil && why == "" && last {
		why, r.outOfTime = StoppedBudget, true
	}
	if err == nil && why != "" {
		s.why, s.done = why, true
	}
	return err
}

// Waits says that a contender is only to be narrowed, and leaves the time to second stages of others.
func (r *Referee) Waits(s *Contender) bool { return s.late && r.toCome() > 0 }

// resume ends what waited for second stages, if a round of it has no room: the latest rounds were those of the few that
// were sampled meanwhile, and took each so long.
func (r *Referee) resume(sampled int, each time.Duration) error {
	var waited []*Contender
	for _, s := range r.contenders {
		if s.late && !s.done {
			waited = append(waited, s)
		}
	}
	round := each / time.Duration(max(1, sampled)) * time.Duration(len(waited))
	if r.toCome() > 0 || len(waited) <= sampled || r.Budget == 0 || r.Elapsed()+round <= r.Budget+round/10 {
		return nil
	}
	for _, s := range waited {
		s.lastLook(true)
	}
	err := r.decideAll()
	for i := 0; err == nil && i < len(waited); i++ {
		err = r.narrow(waited[i], true)
	}
	return err
}

// sampled is how many contenders the latest round sampled.
func (r *Referee) sampled() (n int) {
	for _, s := range r.contenders {
		if !s.done && !r.Waits(s) {
			n++
		}
	}
	return n
}

// lastLook has the latest look of a contender spend all of the level that is left, if it is the last.
func (s *Contender) lastLook(last bool) {
	if n := len(s.looks); last && n > 0 {
		s.looks[n-1].Used = 1
	}
}
