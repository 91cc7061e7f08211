package compare

import "math"

// Width is half the widest interval of what is still asked of a contender, as a fraction: on the measures whose gates are
// open, and else on the measure that settles it. It is +Inf where there is no interval yet.
func (r *Referee) Width(s *Contender) float64 {
	widest, open := 0.0, false
	for i, g := range r.question.Gates {
		if j := s.gates[i]; !j.settled() && !j.never && !r.byProfiles(g) {
			open, widest = true, max(widest, resolution(r.family(g.Measure), s))
		}
	}
	if !open {
		return resolution(r.family(r.gated(s)), s)
	}
	return widest
}

func resolution(f *family, s *Contender) float64 {
	if c := f.of(s); c != nil && c.Known {
		return c.Verdict.Resolution
	}
	return math.Inf(1)
}
