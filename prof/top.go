package prof

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/google/pprof/profile"
)

// Ranking is the functions of a profile by cost.
type Ranking struct {
	SampleType, Unit string
	// Total is the sum over all samples, also those of functions not in Rows.
	Total int64
	Rows  []Row
}

// Row is the cost of one function, in the ranking's unit.
type Row struct {
	Function string
	// Flat is spent in the function itself; Cum in it and what it called.
	Flat, Cum int64
}

// Top ranks functions by flat cost, then by name, as go tool pprof -top does: an inlined call counts as a call, cum counts a function once per stack
// however often it recurs, functions are told apart by name alone. It returns the
// first n rows, all for n <= 0; an empty sampleType means the profile's default, or
// else its last one.
func Top(p *profile.Profile, sampleType string, n int) (*Ranking, error) {
	if p == nil {
		return nil, fmt.Errorf("rank functions: no profile")
	}
	if err := p.CheckValid(); err != nil {
		return nil, fmt.Errorf("rank functions: %w", err)
	}
	if sampleType == "" {
		sampleType = defaultSampleType(p)
	}
	column, err := columnOf(p, sampleType)
	if err != nil {
		return nil, fmt.Errorf("rank functions: %w", err)
	}
	r := &Ranking{SampleType: sampleType, Unit: p.SampleType[column].Unit}
	r.count(p, column)
	slices.SortFunc(r.Rows, func(x, y Row) int {
		return cmp.Or(
			cmp.Compare(magnitude(y.Flat), magnitude(x.Flat)),
			cmp.Compare(x.Function, y.Function))
	})
	if n > 0 && n < len(r.Rows) {
		r.Rows = r.Rows[:n]
	}
	return r, nil
}

func (r *Ranking) count(p *profile.Profile, column int) {
	rows := map[string]int{}
	lastSeen := []int{} // per row, the sample that last counted in its cum
	var frames []frame
	for si, s := range p.Sample {
		v := s.Value[column]
		r.Total += v
		if v == 0 {
			continue
		}
		frames = appendFrames(frames[:0], s)
		for fi, f := range frames {
			i, ok := rows[f.function]
			if !ok {
				i = len(r.Rows)
				rows[f.function] = i
				r.Rows = append(r.Rows, Row{Function: f.function})
				lastSeen = append(lastSeen, -1)
			}
			if fi == 0 {
				r.Rows[i].Flat += v
			}
			if lastSeen[i] != si {
				lastSeen[i] = si
				r.Rows[i].Cum += v
			}
		}
	}
}

func defaultSampleType(p *profile.Profile) string {
	if p.DefaultSampleType != "" || len(p.SampleType) == 0 {
		return p.DefaultSampleType
	}
	return p.SampleType[len(p.SampleType)-1].Type
}

// magnitude orders the values of a difference by size; it is safe for MinInt64.
func magnitude(v int64) uint64 {
	if v < 0 {
		return uint64(math.MaxUint64-uint64(v)) + 1
	}
	return uint64(v)
}
