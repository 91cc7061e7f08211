package compare

import (
	"errors"
	"slices"

	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/judge/share"
)

// family is one measure of all contenders that show it; the level is shared within it.
type family struct {
	measure    judge.Measure
	contenders []*Contender
	contests   []*share.Contest // of each of them
}

// of is the contest of a contender; nil where it does not show the measure.
func (f *family) of(s *Contender) *share.Contest {
	if i := slices.Index(f.contenders, s); i >= 0 {
		return f.contests[i]
	}
	return nil
}

// family is that of a measure, a new one if no contender showed it yet.
func (r *Referee) family(m judge.Measure) *family {
	for _, f := range r.families {
		if f.measure.Key == m.Key {
			return f
		}
	}
	return &family{measure: m}
}

// enroll makes sure that each measure that a contender shows has its contest.
func (r *Referee) enroll() {
	for _, s := range r.contenders {
		for _, m := range s.Measures {
			f := r.family(m)
			if len(f.contenders) == 0 {
				r.families = append(r.families, f)
			}
			if f.of(s) == nil {
				f.contenders, f.contests = append(f.contenders, s), append(f.contests, &share.Contest{})
			}
		}
	}
}

// Families are the measures that looks decided on, in the order in which they were seen.
func (r *Referee) Families() (all []judge.Measure) {
	for _, f := range r.families {
		all = append(all, f.measure)
	}
	return all
}

// gated is the measure that settles a contender: that of the question, unless the contender shows only others.
func (r *Referee) gated(s *Contender) judge.Measure {
	if len(s.Measures) == 0 || slices.Contains(s.Measures, r.question.Gated) {
		return r.question.Gated
	}
	return s.Measures[0]
}

// ContestOf is the state of a contender: that of the measure that settles it.
func (r *Referee) ContestOf(s *Contender) share.Contest {
	if c := r.contest(s); c != nil {
		return *c
	}
	return share.Contest{Verdict: judge.Verdict{Measure: r.gated(s)}}
}

func (r *Referee) contest(s *Contender) *share.Contest { return r.family(r.gated(s)).of(s) }

// decide has the rule of the question decide on blocks of a contender's first stage.
func (r *Referee) decide(s *Contender, m judge.Measure, blocks []judge.Block, o judge.Options) (judge.Verdict, error) {
	return r.decideBy(m, blocks, r.knowing(s, m, o))
}

func (r *Referee) decideBy(m judge.Measure, blocks []judge.Block, o judge.Options) (judge.Verdict, error) {
	if r.question.Decide == nil {
		return judge.Decide(m, blocks, o)
	}
	return r.question.Decide(m, blocks, o)
}

// decideAll decides, on all measures that looks decide on, what is not decided yet.
func (r *Referee) decideAll() error {
	r.enroll()
	sharing := share.Holm
	if r.question.Together {
		sharing = share.Bonferroni
	}
	for _, f := range r.families {
		err := sharing(f.contests, r.question.level(), func(i int, alpha float64) (judge.Verdict, error) {
			s := f.contenders[i]
			return r.decide(s, f.measure, s.first(), r.options(s, alpha))
		})
		for i := 0; err == nil && r.apart && i < len(f.contenders); i++ {
			err = r.refine(f, f.contenders[i], f.contests[i])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// refine takes a decision anew from all blocks, at the level that it was made at. The word
// stands: all intervals of all looks hold at once, so that the latest, which is mostly the
// narrowest, holds beside it. An interval that would say another word is not taken.
func (r *Referee) refine(f *family, s *Contender, c *share.Contest) error {
	if !c.Decided || s.done || s.Confirming() {
		return nil
	}
	v, err := r.decide(s, f.measure, s.Blocks, r.options(s, c.Verdict.Alpha))
	if errors.Is(err, judge.ErrNotObserved) {
		return nil
	}
	if err == nil && v.Word == c.Verdict.Word {
		c.Verdict = v
	}
	return err
}

// options are the rules for a contender at a share of the level.
func (r *Referee) options(s *Contender, alpha float64) judge.Options {
	o := r.question.Options
	o.Alpha, o.Looks, o.Staged, o.Confirm = alpha, s.looks, r.question.Staged(), s.split
	if o.Alarms, o.Late = r.Alarms(), s.late; s.Confirming() {
		return o.Alarming()
	}
	return o
}

// evenly are the rules for a contender at an even share of the level: a gate is about the interval, and all intervals
// shall hold at once.
func (r *Referee) evenly(s *Contender) judge.Options { return r.options(s, r.evenShare()) }

func (r *Referee) evenShare() float64 { return r.question.level() / float64(max(1, len(r.contenders))) }

// again is the verdict of the second stage on an alarm of the first.
func (r *Referee) again(s *Contender, m judge.Measure, first judge.Verdict) (judge.Verdict, error) {
	second, err := r.decideBy(m, s.latest(), r.knowing(s, m, r.question.Options).Confirming(first.Alpha))
	return first.ConfirmedBy(second, err)
}
