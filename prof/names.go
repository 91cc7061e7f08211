package prof

import (
	"slices"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/text/printable"
)

// oneLined makes each name of a profile one line that steers no terminal. A profile may be anyone's, and its names
// stand in the lines of views; no function, file or label has a line break.
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
		oneLinedLabels(s)
	}
	return p
}

// oneLinedLabels does so for the labels of a sample. Where two keys become the same, the values of one follow those of
// the other; each number keeps its unit.
func oneLinedLabels(s *profile.Sample) {
	for _, texts := range []map[string][]string{s.Label, s.NumUnit} {
		for _, values := range texts {
			for i := range values {
				values[i] = printable.Line(values[i])
			}
		}
	}
	for _, key := range severalLined(s.Label) {
		now := printable.Line(key)
		s.Label[now] = append(s.Label[now], s.Label[key]...)
		delete(s.Label, key)
	}
	for _, key := range severalLined(s.NumLabel) {
		now := printable.Line(key)
		if len(s.NumUnit[key])+len(s.NumUnit[now]) > 0 {
			s.NumUnit[now] = append(unitOfEach(s, now), unitOfEach(s, key)...)
			delete(s.NumUnit, key)
		}
		s.NumLabel[now] = append(s.NumLabel[now], s.NumLabel[key]...)
		delete(s.NumLabel, key)
	}
}

// severalLined are the keys that are not one line, in order.
func severalLined[V any](labels map[string]V) (keys []string) {
	for key := range labels {
		if printable.Line(key) != key {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// unitOfEach are the units of the numbers of a label, one for each.
func unitOfEach(s *profile.Sample, key string) []string {
	all := make([]string, len(s.NumLabel[key]))
	copy(all, s.NumUnit[key])
	return all
}
