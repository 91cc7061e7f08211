package compare

import (
	"fmt"

	"github.com/gohone/hone/internal/text/units"
)

func sameReason(v Verdict) string {
	return fmt.Sprintf("the whole %s interval, %s, lies within +-%s",
		percent(1-2*v.Alpha), span(v.EquivalenceLow, v.EquivalenceHigh), percent(v.Delta))
}

func differentReason(v Verdict) string {
	return fmt.Sprintf("%s agree so far that chance would do it with p = %.2g, under the %.2g allowed by now",
		count(v.Starts, "start"), v.P, v.Level)
}

func (d doubt) reason(v Verdict, fewest int) string {
	switch d {
	case tooFewStarts:
		if v.Starts >= fewest {
			return fmt.Sprintf("too early: %s of each variant, and nothing can be significant with the part of level %g that is allowed by now",
				count(v.Starts, "start"), v.Alpha)
		}
		return fmt.Sprintf("too few starts: %s of each variant, and fewer than %d can never be significant at level %g",
			count(v.Starts, "start"), fewest, v.Alpha)
	case tooWide:
		return fmt.Sprintf("interval too wide: %s (+-%s), want +-%s",
			span(v.Low, v.High), percent(v.Resolution), percent(v.Delta))
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
