package diff

import (
	"cmp"
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/internal/sampled"
	"github.com/gohone/hone/prof/symbol"
)

// closure is a closure as it stands in the source of one side. The compiler makes copies of it, under other names,
// where its function is inlined.
type closure struct {
	symbol.ClosureName
	// file is the base name of its file, line the first line of the closure. begins says that the profile has that
	// line; else it is the lowest that was sampled.
	file   string
	line   int64
	begins bool
	// names are those that the side's profiles have for it, that of a copy which was not inlined first.
	names []string
	// samples is how many samples it is on, calls the part of them in each of its calls and in its own code.
	samples float64
	calls   map[call]float64
	// name is what both sides call it.
	name string
}

// call is what a closure does in one of its lines.
type call struct {
	callee string // empty: its own code
	line   int64  // from the first of the closure
}

// closureSide is what the profiles of one side say of closures.
type closureSide struct {
	closures []*closure
	of       map[string]*closure // by the name in a profile
	// begins is the first line of each other function.
	begins map[fileFunction]int64
}

// fileFunction is a function, with the base name of its file.
type fileFunction struct{ file, function string }

// newClosureSide reads the closures of one side.
func newClosureSide(captures []prof.Capture) *closureSide {
	s := &closureSide{of: map[string]*closure{}, begins: map[fileFunction]int64{}}
	found := map[string]*closure{} // by the name in a profile
	for _, c := range captures {
		s.readFunctions(c.Profile, found)
	}
	copies := map[copied]*closure{}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		s.add(name, found[name], copies)
	}
	for _, c := range s.closures {
		slices.SortFunc(c.names, func(x, y string) int {
			return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)) // the name of an inlined copy is longer
		})
		c.name = c.names[0]
	}
	slices.SortFunc(s.closures, inOrder)
	for _, c := range captures {
		s.readCalls(c.Profile)
	}
	return s
}

// readFunctions finds the closures of a profile, and the first lines of its functions.
func (s *closureSide) readFunctions(p *profile.Profile, found map[string]*closure) {
	for _, l := range p.Location {
		for _, line := range l.Line {
			f := line.Function
			at := fileFunction{baseName(f.Filename), f.Name}
			name, ok := symbol.ClosureOf(f.Name)
			if !ok {
				if f.StartLine > 0 {
					s.begins[at] = lowest(s.begins[at], f.StartLine)
				}
				continue
			}
			c := found[f.Name]
			if c == nil {
				c = &closure{ClosureName: name, file: at.file, calls: map[call]float64{}}
				found[f.Name] = c
			}
			switch begins := f.StartLine > 0; {
			case begins && !c.begins:
				c.line, c.begins = f.StartLine, true
			case begins:
				c.line = min(c.line, f.StartLine)
			case !c.begins && line.Line > 0:
				c.line = lowest(c.line, line.Line)
			}
		}
	}
}

// lowest is the lower of two lines, of which 0 is not known.
func lowest(x, y int64) int64 {
	if x == 0 {
		return y
	}
	return min(x, y)
}

// copied is what copies of one closure have in common. The package is not in it: it is the caller's if the function
// is inlined.
type copied struct {
	file, function string
	line           int64
	kind           byte
	depth          int
}

// copied is for closures whose first line is known, or to be compared without it.
func (c *closure) copied(line int64) copied {
	return copied{c.file, c.Home[symbol.NameStart(c.Home):], line, c.Kind, c.Depth}
}

// add takes a closure in, as a copy of one that is there if both begin in one line of a function, and one of them is
// inlined.
func (s *closureSide) add(name string, c *closure, copies map[copied]*closure) {
	known := copies[c.copied(c.line)]
	if !c.begins || known == nil || !known.Inlined && !c.Inlined {
		known, s.closures = c, append(s.closures, c)
	}
	if c.begins && copies[c.copied(c.line)] == nil {
		copies[c.copied(c.line)] = c
	}
	if known.Inlined && !c.Inlined {
		known.ClosureName = c.ClosureName
	}
	known.names = append(known.names, name)
	s.of[name] = known
}

// readCalls counts what closures do.
func (s *closureSide) readCalls(p *profile.Profile) {
	column := max(0, sampled.CountColumn(p))
	var frames []symbol.Frame
	seen := map[*closure]bool{}
	for _, sample := range p.Sample {
		frames = symbol.AppendFrames(frames[:0], sample)
		clear(seen)
		for i, f := range frames {
			c := s.of[f.Function]
			if c == nil || seen[c] {
				continue
			}
			seen[c] = true
			n := math.Abs(float64(sample.Value[column]))
			c.samples += n
			c.calls[call{s.calleeOf(frames[:i]), f.Line - c.line}] += n
		}
	}
}

// calleeOf names the function that the last of the frames is of; a closure has no name of its own, since its numbers
// change.
func (s *closureSide) calleeOf(below []symbol.Frame) string {
	if len(below) == 0 {
		return ""
	}
	callee := below[len(below)-1].Function
	if c := s.of[callee]; c != nil {
		return c.Home + string(c.Kind)
	}
	return callee
}

// inOrder is the order of closures in the source of a file.
func inOrder(x, y *closure) int {
	return cmp.Or(
		cmp.Compare(x.line, y.line),
		cmp.Compare(len(x.Path), len(y.Path)), cmp.Compare(x.Path, y.Path), cmp.Compare(x.name, y.name))
}

func baseName(file string) string { return path.Base(strings.ReplaceAll(file, `\`, "/")) }
