package page

import (
	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/report"
	"github.com/gohone/hone/prof"
)

// times says where the time of a typical and of a slow request goes, as hone tail does.
func (s *storedRun) times(r *Run) {
	d := s.waits
	if d == nil {
		return
	}
	r.TimesNote = report.TailCheck(d)
	if d.Note != "" {
		r.TimesNote += "; " + d.Note
	}
	if d.Joined == 0 {
		return
	}
	for _, name := range []string{walltime.TypicalName, walltime.SlowName} {
		c := d.Cohort(name)
		if c == nil || c.LatencyNanos <= 0 {
			continue
		}
		bar := TimeBar{
			Cohort: name, Title: report.CohortTitle(c), Requests: c.Requests,
			Latency: Number{Value: c.LatencyNanos, Text: units.Nanos(c.LatencyNanos)}, Parts: []TimePart{},
		}
		for _, p := range report.CohortParts(c) {
			bar.Parts = append(bar.Parts, timePart(p))
		}
		r.Times = append(r.Times, bar)
	}
	for _, p := range report.CauseParts(d) {
		r.Causes = append(r.Causes, timePart(p))
	}
}

func timePart(p report.TimePart) TimePart {
	one := TimePart{State: string(p.Label.State), Text: p.Text, Nanos: p.Nanos, Share: p.Share, Label: p.Amount()}
	if c := p.Label.Call; c.Function != "" {
		one.Place = &Place{Function: c.Function, File: c.File, Short: prof.ShortFile(c.File), Line: int64(c.Line)}
	}
	return one
}
