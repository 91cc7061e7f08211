package compare

import (
	"fmt"

	"github.com/gohone/hone/internal/units"
)

func sameReason(v Verdict) string {
	return fmt.Sprintf("the whole interval, %s, lies within +-%s", span(v.Low, v.High), percent(v.Delta))
}

func differentReason(v Verdict) string {
	return fmt.Sprintf("the whole interval, %s, lies beyond the +-%s that the luck of %s can explain, p = %.2g",
		span(v.Low, v.High), percent(v.StartMargin), count(v.Starts, "start"), v.P)
}

func (d doubt) reason(v Verdict) string {
	switch d {
	case tooFewPairs:
		return fmt.Sprintf("too few pairs: %s can never be significant at level %g", count(v.Pairs, "pair"), v.Alpha)
	case tooFewStarts:
		return fmt.Sprintf("difference smaller than what %s can tell: interval %s, while the luck of so many can explain +-%s",
			count(v.Starts, "start"), span(v.Low, v.High), percent(v.StartMargin))
	case tooWide:
		return fmt.Sprintf("interval too wide: %s (+-%s), want +-%s",
			span(v.Low, v.High), percent(v.Resolution), percent(v.Delta))
	case insignificant:
		return fmt.Sprintf("not quite significant: interval %s, but p = %.2g at level %g", span(v.Low, v.High), v.P, v.Alpha)
	default:
		return fmt.Sprintf("between same and different: interval %s reaches over +-%s, but not clear of 0",
			span(v.Low, v.High), percent(v.Delta))
	}
}

// span writes an interval of ratios as changes.
func span(low, high float64) string { return units.Span(low-1, high-1) }

func percent(f float64) string { return fmt.Sprintf("%.3g %%", 100*f) }

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
