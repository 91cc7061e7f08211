package facts

import (
	"strings"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/symbol"
)

// The profile of allocations leaves out the runtime's own frames, which say by what an allocation was made: append, a
// map, a conversion. nameWays puts them back, so that one match takes the stacks of both profiles: by what the source
// says of the line, and where a line allocates in several ways by what the CPU profile shows there most.
func (v *View) nameWays(s *Stack, seen map[LineKey]map[string]float64) {
	made := []Frame{{Function: "runtime.mallocgc", Pkg: "runtime", Name: "mallocgc"}}
	if len(s.Frames) > 0 && s.Frames[0].Origin == prof.Own {
		f := &s.Frames[0]
		ways := v.File(f.File).Allocations(int(f.Line))
		way := ""
		if len(ways) == 1 {
			way = ways[0]
		} else if by := seen[LineKey{f.Function, f.Line}]; len(by) > 0 {
			way = Heaviest(by)
		} else if len(ways) > 1 {
			way = ways[0]
		}
		if way != "" {
			made = append(made, Frame{Function: way, Pkg: symbol.PackagePath(way),
				Name: strings.TrimPrefix(strings.TrimPrefix(way, symbol.PackagePath(way)), ".")})
		}
	}
	s.Frames = append(made, s.Frames...)
}

// LineKey is a line of a function.
type LineKey struct {
	Function string
	Line     int64
}

// allocatingWays are, for each of the user's lines, the runtime's functions by which the CPU profile sees it allocate.
func (v *View) allocatingWays() map[LineKey]map[string]float64 {
	all := map[LineKey]map[string]float64{}
	for i := range v.Stacks {
		s := &v.Stacks[i]
		own := s.Own(0)
		if s.CPU == 0 || own == 0 || own == len(s.Frames) || s.Find(Allocates) < 0 {
			continue
		}
		way := &s.Frames[own-1]
		if way.Origin != prof.Runtime {
			continue
		}
		k := LineKey{s.Frames[own].Function, s.Frames[own].Line}
		if all[k] == nil {
			all[k] = map[string]float64{}
		}
		name := way.Function
		if strings.HasPrefix(name, "runtime.mapassign") || way.Pkg == "internal/runtime/maps" {
			name = code.WayMap
		}
		all[k][name] += s.CPU
	}
	return all
}

// Allocates takes the runtime's functions that allocate and clear memory.
func Allocates(f *Frame) bool {
	return f.Is("runtime.mallocgc*", "runtime.makeslice*", "runtime.newobject", "runtime.newarray", "runtime.memclr*")
}
