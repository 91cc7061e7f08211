package model

import (
	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof"
)

// LineCosts are costs by the numbers of the lines of a file, in the unit of the profile.
type LineCosts map[int64]float64

// Total is their sum.
func (c LineCosts) Total() (sum float64) {
	for _, v := range c {
		sum += v
	}
	return sum
}

// LinesOf are the lines that cost at least a share of the default sample type, 0 to 1, callees included, by file.
func LinesOf(c prof.Capture, least float64) map[string]LineCosts {
	files, _ := costsAt(c, least, func(l profile.Line) int64 { return l.Line })
	return files
}

// SharesOf are LinesOf and the first lines of functions, as shares of the whole, 0 to 1.
func SharesOf(c prof.Capture, least float64) (lines, functions map[string]LineCosts) {
	of := func(at func(profile.Line) int64) map[string]LineCosts {
		files, total := costsAt(c, least, at)
		for _, costs := range files {
			for line := range costs {
				costs[line] /= total
			}
		}
		return files
	}
	return of(func(l profile.Line) int64 { return l.Line }),
		of(func(l profile.Line) int64 { return l.Function.StartLine })
}

// costsAt are the costs of the lines that at names for each frame, by file, and the cost of the whole profile.
func costsAt(c prof.Capture, least float64, at func(profile.Line) int64) (files map[string]LineCosts, total float64) {
	column := len(c.Profile.SampleType) - 1
	if k, err := prof.KindNamed(c.Kind); err == nil {
		for i, t := range c.Profile.SampleType {
			if t.Type == k.Default {
				column = i
			}
		}
	}
	type line struct {
		file string
		line int64
	}
	costs := map[line]float64{}
	for _, s := range c.Profile.Sample {
		v := float64(s.Value[column])
		total += v
		seen := map[line]bool{}
		for _, where := range s.Location {
			for _, f := range where.Line {
				if here := (line{f.Function.Filename, at(f)}); f.Function.Filename != "" && !seen[here] {
					seen[here] = true
					costs[here] += v
				}
			}
		}
	}
	files = map[string]LineCosts{}
	for at, v := range costs {
		if v < least*total {
			continue
		}
		if files[at.file] == nil {
			files[at.file] = LineCosts{}
		}
		files[at.file][at.line] = v
	}
	return files, total
}
