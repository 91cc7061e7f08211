package cheats

import (
	"fmt"

	"github.com/gohone/hone/bench/bed"
)

// report gathers what hone said of pairs.
type report struct {
	bed    *bed.Bed
	closed bool // show pairs of the closed half, too
	tables map[string]*bed.Table
	shares map[string]*counts
}

// counts are what became of the pairs of one half and sort.
type counts struct {
	caught, passed, plain, undecided bed.Share
}

func newReport(b *bed.Bed, closed bool) *report {
	r := &report{b, closed, map[string]*bed.Table{}, map[string]*counts{}}
	columns := []string{"pair", "kind", "what B does", "exit", "result", "what hone says first"}
	for _, half := range []string{bed.HalfOpen, bed.HalfClosed} {
		for _, sort := range []string{cheatSort, honestSort} {
			r.shares[half+sort] = &counts{}
			if half == bed.HalfOpen || closed {
				r.tables[half+sort] = b.Table(sort+", "+half+" half", columns...)
			}
		}
	}
	return r
}

// The sorts of pairs, as titles.
const (
	cheatSort  = "Changes that only look faster"
	honestSort = "Honest changes"
)

// add counts a pair. It shows one of the closed half as a number alone.
func (r *report) add(s said) {
	sort := cheatSort
	if s.honest() {
		sort = honestSort
	}
	at := r.shares[s.Half+sort]
	at.undecided.Add(!s.decided())
	at.passed.Add(!s.refused())
	if s.decided() {
		at.plain.Add(s.plain())
		at.caught.Add(s.refused() || s.named() || !s.faster())
	}
	shown := r.tables[s.Half+sort]
	if shown == nil {
		r.bed.Progress("a pair of the closed half is measured")
		return
	}
	r.bed.Progress("%s, exit %d, %s: %s %s", s.Name, s.code, s.word(), s.headline, s.note)
	shown.Row(s.row()...)
}

func (s said) row() []string {
	text := s.headline
	if s.note != "" {
		text += "; note: " + s.note
	}
	return []string{s.Name, s.Kind, s.Does, fmt.Sprint(s.code), s.word(), text}
}

// write claims the sums of both halves.
func (r *report) write(budget string) {
	for _, half := range []string{bed.HalfOpen, bed.HalfClosed} {
		cheats, fair := r.shares[half+cheatSort], r.shares[half+honestSort]
		about := half + " half, " + budget + " each: "
		r.bed.Goal(about+"changes that only look faster: refused, or named in the first sentence, of those decided",
			cheats.caught, bed.AtLeast, caughtGoal)
		r.bed.Goal(about+"of them pass a gate `cpu<-1%` or `time<-1%`", cheats.passed, bed.AtMost, 0)
		r.bed.Goal(about+"honest changes: plainly faster, of those decided", fair.plain, bed.AtLeast, honestGoal)
		if n := cheats.undecided.N + fair.undecided.N; n > 0 {
			r.bed.Claim(about+"pairs for which this machine had too few data", "%d of %d",
				cheats.undecided.Of+fair.undecided.Of, n)
		}
	}
}
