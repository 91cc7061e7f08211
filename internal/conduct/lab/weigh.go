package lab

import (
	"fmt"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/production"
)

// Production is what production spends CPU time on.
type Production struct {
	// Name is that of the run or the file.
	Name string
	CPU  []prof.Capture
}

// mostMissing is how many functions that the load misses are kept.
const mostMissing = 3

// Weigh weighs a contest by production, if that was asked for and there is a profile of both variants. shareA and
// shareB are the parts of the CPU time that the profiles saw, 0 to 1.
func (m *Measurement) Weigh(c *record.Contest, by *Production, a, b []prof.Capture, shareA, shareB float64,
	code prof.Code) *record.Weighed {
	if by == nil {
		return nil
	}
	o := production.Options{Code: code}
	cover, err := production.Cover(by.CPU, a, o)
	if err != nil {
		m.Progress.Warn(fmt.Sprintf("nothing is weighed by production: %v", err))
		return nil
	}
	w := &record.Weighed{By: by.Name, Covered: cover.ByFunction, Missing: cover.Missing(mostMissing)}
	cpu := m.Referee.Contest(c.B - 1)
	whole, ok := compare.Whole(cpu.Verdict)
	if !cpu.Known || !ok {
		return w
	}
	whole.A, whole.B, whole.StdErr = whole.A*shareA, whole.B*shareB, whole.StdErr*shareB
	weighing := production.WeighOptions{Options: o}
	for _, change := range c.Why.Claims() {
		weighing.Changed = append(weighing.Changed, change.Function)
	}
	if w.Change, err = production.Weigh(by.CPU, a, b, whole, weighing); err != nil {
		m.Progress.Warn(fmt.Sprintf("the change is not weighed by production: %v", err))
	}
	return w
}
