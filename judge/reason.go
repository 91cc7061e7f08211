package judge

import (
	"fmt"
	"math"
)

// sameReason names the interval that shows it, which is that of two one-sided tests.
func sameReason(v Verdict) string {
	return fmt.Sprintf("the whole %s interval, %s, lies within +-%s",
		percent(1-2*v.Alpha), span(v.EquivalenceLow, v.EquivalenceHigh), percent(v.Delta))
}

func differentReason(v Verdict) string {
	return fmt.Sprintf("%s agree so far that chance would do it with p = %.2g, under the %.2g allowed by now",
		starts(v.Starts), v.P, v.Level)
}

// SeenTooLate is why a difference is none that no second stage can follow.
const SeenTooLate = "a difference was seen too late in the budget to be confirmed"

func (d doubt) reason(v Verdict, fewest int, staged bool) string {
	switch d {
	case tooFewStarts:
		if staged && v.Starts < fewest {
			return fmt.Sprintf("too few starts: %s of each variant; fewer than %d show only a difference far beyond their scatter",
				starts(v.Starts), fewest)
		}
		if v.Starts >= fewest {
			return fmt.Sprintf("too early: %s of each variant, and nothing can be significant with the part of level %g that is allowed by now",
				starts(v.Starts), v.Alpha)
		}
		return fmt.Sprintf("too few starts: %s of each variant, and fewer than %d can never be significant at level %g",
			starts(v.Starts), fewest, v.Alpha)
	case tooWide:
		return fmt.Sprintf("interval too wide: %s (+-%s), want +-%s",
			span(v.Low, v.High), percent(v.Resolution), percent(v.Delta))
	default:
		return fmt.Sprintf("between same and different: interval %s reaches over +-%s, and a difference is not proven",
			span(v.Low, v.High), percent(v.Delta))
	}
}

// span writes an interval of ratios as changes: "-4.1 ... +6.0 %". Small or narrow ones get a second decimal.
func span(low, high float64) string {
	bound := func(ratio float64) string {
		places := 1
		if math.Abs(ratio-1) < 0.01 || high-low < 0.002 {
			places = 2
		}
		return fmt.Sprintf("%+.*f", places, 100*(ratio-1))
	}
	return bound(low) + " ... " + bound(high) + " %"
}

func percent(f float64) string { return fmt.Sprintf("%.3g %%", 100*f) }

func starts(n int) string {
	if n == 1 {
		return "1 start"
	}
	return fmt.Sprintf("%d starts", n)
}
