package prof

import (
	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/printable"
)

// oneLined makes each name of a profile one line that steers no terminal. A profile may be anyone's, and its names stand in the
// lines of views; no function, file or label has a line break.
func oneLined(p *profile.Profile) *profile.Profile {
	line := func(texts ...*string) {
		for _, t := range texts {
			*t = printable.Line(*t)
		}
	}
	for _, f := range p.Function {
		line(&f.Name, &f.SystemName, &f.Filename)
	}
	for _, m := range p.Mapping {
		line(&m.File, &m.BuildID)
	}
	for _, t := range append([]*profile.ValueType{p.PeriodType}, p.SampleType...) {
		if t != nil {
			line(&t.Type, &t.Unit)
		}
	}
	line(&p.DefaultSampleType)
	for i := range p.Comments {
		line(&p.Comments[i])
	}
	for _, s := range p.Sample {
		s.Label = oneLinedLabels(s.Label)
		s.NumUnit = oneLinedLabels(s.NumUnit)
		for key, values := range s.NumLabel {
			if now := printable.Line(key); now != key {
				delete(s.NumLabel, key)
				s.NumLabel[now] = values
			}
		}
	}
	return p
}

func oneLinedLabels(labels map[string][]string) map[string][]string {
	for key, values := range labels {
		for i := range values {
			values[i] = printable.Line(values[i])
		}
		if now := printable.Line(key); now != key {
			delete(labels, key)
			labels[now] = values
		}
	}
	return labels
}
