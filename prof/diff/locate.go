package diff

import (
	"strings"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/internal/sampled"
	"github.com/gohone/hone/prof/symbol"
)

// locate finds the line to show for a change of what stacks do, on the dearer side: B's,
// if up.
//
// Of the functions that do it, it takes the one whose cost differs most, and of its lines
// the one that costs most. The change is then shown where the variants part: at the frame
// nearest the leaf whose function the cheaper side's profile does not have at all. So a
// system call under a helper that both variants use is shown at the line of the variant
// that makes too many of it. Where all functions are common, and for own time, the frame
// stays.
func (w *why) locate(g group, up bool) prof.Site {
	dearer, cheaper := w.sides[0], w.sides[1]
	if up {
		dearer, cheaper = cheaper, dearer
	}
	more := map[string]float64{} // by function, on the dearer side
	for _, s := range []*diffSide{dearer, cheaper} {
		sign := 1 / s.per
		if s == cheaper {
			sign = -sign
		}
		s.walk(func(_ int, _ *profile.Sample, v float64, stack []symbol.Frame) {
			if site := w.site(stack); w.part(site) == g {
				more[site.Function] += sign * v
			}
		})
	}
	function := sampled.Heaviest(more, strings.Compare)
	lines := map[prof.Site]float64{}
	dearer.walk(func(_ int, _ *profile.Sample, v float64, stack []symbol.Frame) {
		site := w.site(stack)
		if w.part(site) != g || site.Function != function {
			return
		}
		if !w.bySite && site.What != symbol.Short(site.Function) {
			site = w.moveOutward(site, stack, cheaper)
		}
		lines[site] += v
	})
	if len(lines) == 0 {
		return prof.Site{What: g.what}
	}
	return sampled.Heaviest(lines, prof.CompareSites)
}

// moveOutward moves a site outward on its stack to the first of the user's frames whose
// function the other side does not have. Without one, the site stays.
func (w *why) moveOutward(site prof.Site, stack []symbol.Frame, other *diffSide) prof.Site {
	for _, f := range stack {
		if w.code.Owns(f.Function) && !symbol.IsStub(f) && other.groups[group{kind: groupCum, function: f.Function}] == nil {
			site.Function, site.File, site.Line = f.Function, f.File, f.Line
			return site
		}
	}
	return site
}
