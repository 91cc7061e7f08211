package holders

import (
	"github.com/google/pprof/profile"
)

// Profile is the heap as a profile: a sample for each path, whose stack is the path, the root last. Its values are the
// objects and the bytes that hang on the path itself, so that the cumulative value of a place is what it retains.
func (r *Report) Profile() *profile.Profile {
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "held_objects", Unit: "count"},
			{Type: "held_space", Unit: "bytes"}},
		DefaultSampleType: "held_space",
	}
	places := map[uint32]*profile.Location{}
	for i := range r.paths.all {
		at := &r.paths.all[i]
		if at.own == 0 {
			continue
		}
		s := &profile.Sample{Value: []int64{int64(at.objects), int64(at.own)}}
		for up := uint32(i); up != 0; up = r.paths.all[up].parent {
			s.Location = append(s.Location, r.location(p, places, r.paths.all[up].label))
		}
		if len(s.Location) == 0 {
			s.Location = []*profile.Location{r.location(p, places,
				r.paths.walk.labels.number(label{kind: other, part: "unknown"}))}
		}
		p.Sample = append(p.Sample, s)
	}
	return p
}

// location is the place of a label.
func (r *Report) location(p *profile.Profile, places map[uint32]*profile.Location, name uint32) *profile.Location {
	if l, ok := places[name]; ok {
		return l
	}
	l := r.paths.walk.labels.all[name]
	file, line := l.file, l.line
	if l.kind == global {
		file, line = r.paths.walk.program.Declared(l.part)
	}
	fn := &profile.Function{ID: uint64(len(p.Function) + 1), Name: l.String(), SystemName: l.String(), Filename: file}
	at := &profile.Location{ID: uint64(len(p.Location) + 1), Line: []profile.Line{{Function: fn, Line: int64(line)}}}
	p.Function, p.Location = append(p.Function, fn), append(p.Location, at)
	places[name] = at
	return at
}
