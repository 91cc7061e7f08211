package report

import (
	"fmt"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/text/units"
)

// Garbage says in one line what the garbage collector did while a program was measured,
// with the counts that it rests on; empty where it was not observed.
func Garbage(r lab.Record) string {
	s := r.Runtime
	if s == nil {
		return ""
	}
	text := fmt.Sprintf("%s in %s of load", plural(int(s.Cycles), "garbage collection"), units.Seconds(s.Time))
	if s.GCShare != nil {
		text += fmt.Sprintf(", %s %% of the CPU", units.Digits(100**s.GCShare))
	}
	return text
}

// OnceCosts says what executions of a program took.
func OnceCosts(r lab.OnceRecord) string {
	if r.Facts == nil {
		return "no execution ended well"
	}
	return fmt.Sprintf("%s (medians of %s)", factsLine(*r.Facts), plural(r.Facts.Executions, "execution"))
}

// Measured is what was measured of one measure of two variants, without a verdict:
//
//	resident memory 120 -> 40.2 MB (-66.5 %, 95 % interval -67.1 ... -65.9 %, 8 starts)
func Measured(v compare.Verdict) string {
	return fmt.Sprintf("%s %s (%s, %s, %s)", v.Measure.Name,
		pairOf(v), units.Percent(v.Ratio-1), interval(v), evidence(v))
}
