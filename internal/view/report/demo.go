package report

import (
	"fmt"

	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
)

// Garbage says in one line what the garbage collector did while a program was measured,
// with the counts that it rests on; empty where it was not observed.
func Garbage(r record.Run) string {
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
func OnceCosts(r record.Executions) string {
	if r.Facts == nil {
		return "no execution ended well"
	}
	return fmt.Sprintf("%s (medians of %s)", model.FactsLine(*r.Facts), plural(r.Facts.Executions, "execution"))
}
