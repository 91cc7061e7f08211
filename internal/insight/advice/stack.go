package advice

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/symbol"
)

// frame is one function call on a stack.
type frame struct {
	function string
	pkg      string // import path
	name     string // without the import path: "(*Writer).Write"
	file     string
	line     int64
	origin   prof.Origin
}

// is says whether a frame is of one of the functions, each written as "import/path.name"; a name that ends in * is a
// prefix.
func (f *frame) is(functions ...string) bool {
	for _, one := range functions {
		if prefix, ok := strings.CutSuffix(one, "*"); ok {
			if strings.HasPrefix(f.function, prefix) {
				return true
			}
		} else if plain(f.function) == one {
			return true
		}
	}
	return false
}

// plain is a function's name without type arguments: slices.SortFunc[...] is slices.SortFunc.
func plain(function string) string {
	if i := strings.IndexByte(function, '['); i > 0 && strings.HasSuffix(function, "]") {
		return function[:i]
	}
	return function
}

func (f *frame) place() Place { return Place{Function: f.function, File: f.file, Line: f.line} }

// stack is one call stack of the CPU or of the allocation profile, the innermost frame first.
type stack struct {
	frames []frame
	// cpu is the part of the program's CPU time, 0 to 1, ticks how many samples that is.
	cpu   float64
	ticks int64
	// bytes and objects are allocated per request.
	bytes, objects float64
	// drawn is about how many samples they rest on.
	drawn float64
	// cost is cpu and the collector's work that the bytes cause, as a part of the program's CPU time.
	cost float64
}

// leaf is the innermost frame that is not of the runtime; -1 if all are.
func (s *stack) leaf() int {
	return slices.IndexFunc(s.frames, func(f frame) bool { return f.origin != prof.Runtime })
}

// find is the innermost frame that match takes; -1 for none.
func (s *stack) find(match func(*frame) bool) int {
	for i := range s.frames {
		if match(&s.frames[i]) {
			return i
		}
	}
	return -1
}

// outermost is the outermost frame that match takes, of those inside of frame number end; -1 for none.
func (s *stack) outermost(match func(*frame) bool, end int) int {
	for i := min(end, len(s.frames)) - 1; i >= 0; i-- {
		if match(&s.frames[i]) {
			return i
		}
	}
	return -1
}

// own is the user's frame nearest to frame number i, outwards; len(frames) for none.
func (s *stack) own(i int) int {
	for i = max(i, 0); i < len(s.frames); i++ {
		if s.frames[i].origin == prof.Own {
			return i
		}
	}
	return len(s.frames)
}

// text names the frames for people: the user's first, and what it calls.
func (s *stack) text(from, to int) []string {
	var lines []string
	for i := min(from, len(s.frames)-1); i >= max(to, 0); i-- {
		f := &s.frames[i]
		line := f.function
		if f.origin == prof.Own || f.origin == prof.Dependency {
			line = fmt.Sprintf("%s %s:%d", f.function, symbol.ShortFile(f.file), f.line)
		}
		lines = append(lines, line)
	}
	const most = 8
	if len(lines) > most {
		lines = append(lines[:most-1:most-1], lines[len(lines)-1])
	}
	return lines
}

// read fills the stacks from the CPU and the allocation profile, and charges the collector's work to those who
// allocate, in proportion to their bytes (see prof.Blame). Assists are part of it: which goroutine has to do one is
// chance.
func (v *View) read() error {
	cpu, ok := v.Captures["cpu"]
	if !ok {
		v.missing = append(v.missing, "no CPU profile: what burns CPU time is not known")
		return nil
	}
	if err := v.spend(cpu); err != nil {
		return fmt.Errorf("CPU profile: %w", err)
	}
	if err := v.readAllocations(cpu); err != nil {
		return fmt.Errorf("allocation profile: %w", err)
	}
	if v.collector == 0 { // nothing to share it out by
		for i := range v.stacks {
			if s := &v.stacks[i]; s.assists() {
				s.cost = s.cpu
			}
		}
	}
	return nil
}

func (v *View) readAllocations(cpu prof.Capture) error {
	allocs, ok := v.Captures["allocs"]
	if !ok || len(allocs.Profile.Sample) == 0 {
		return nil
	}
	if err := v.allocate(allocs); err != nil {
		return err
	}
	total := v.allBytes()
	blame, err := prof.NewBlame(cpu, allocs, nil, prof.BlameOptions{Module: v.Code.Module})
	if err != nil || blame.Bytes <= 0 || total == 0 {
		return nil // too little was sampled for blame
	}
	c := blame.Collector
	v.collector = (c.Mark + c.Sweep + c.Scavenge + c.Assist) / blame.Total
	for i := range v.stacks {
		v.stacks[i].cost += v.collector * v.stacks[i].bytes / total
	}
	return nil
}

func (v *View) spend(c prof.Capture) error {
	value, ticks := column(c.Profile, "cpu"), column(c.Profile, "samples")
	if value < 0 {
		return fmt.Errorf("it has no column %q", "cpu")
	}
	first, total := len(v.stacks), 0.0
	for _, s := range c.Profile.Sample {
		one, observed := v.stack(s)
		if observed || s.Value[value] <= 0 {
			continue
		}
		one.cpu = float64(s.Value[value])
		total += one.cpu
		if ticks >= 0 {
			one.ticks = s.Value[ticks]
			v.samples += one.ticks
		}
		v.stacks = append(v.stacks, one)
	}
	for i := first; i < len(v.stacks); i++ {
		s := &v.stacks[i]
		s.cpu /= total
		if !s.background() && !s.assists() {
			s.cost = s.cpu
		}
	}
	return nil
}

// background says whether a stack is of the collector's own goroutines, whose work is charged to those who allocate.
func (s *stack) background() bool {
	return s.leaf() < 0 && s.find(func(f *frame) bool {
		return f.is("runtime.gcBgMarkWorker*", "runtime.gcDrain*", "runtime.bgsweep", "runtime.bgscavenge",
			"runtime._GC")
	}) >= 0
}

func (v *View) allocate(c prof.Capture) error {
	objects, bytes := column(c.Profile, "alloc_objects"), column(c.Profile, "alloc_space")
	if objects < 0 || bytes < 0 {
		return fmt.Errorf("it has no columns %q and %q", "alloc_objects", "alloc_space")
	}
	requests, ways := float64(max(c.Operations, 1)), v.allocatingWays()
	if v.staleAllocations(c.Profile, bytes, requests) {
		return nil
	}
	for _, s := range c.Profile.Sample {
		one, observed := v.stack(s)
		if observed || s.Value[bytes] <= 0 {
			continue
		}
		v.named(&one, ways)
		one.drawn = float64(s.Value[bytes]) / max(sampleEvery,
			float64(s.Value[bytes])/float64(max(s.Value[objects], 1)))
		one.objects, one.bytes = float64(s.Value[objects])/requests, float64(s.Value[bytes])/requests
		v.stacks = append(v.stacks, one)
	}
	return nil
}

// sampleEvery is how many bytes lie between two samples of allocations: runtime.MemProfileRate, which few programs set.
// fewestDrawn is how many samples a number of allocations must rest on to be said.
const (
	sampleEvery = 512 << 10
	fewestDrawn = 5
)

// mostStale is how much more than the runtime counts the profile of allocations may hold. Both sample: the profile by
// bytes, the counters by the slices of the run.
const mostStale = 1.5

// staleAllocations says whether the profile holds more than was allocated while it was taken. The runtime publishes an
// allocation two collections later, so the profile of a program that rarely collects has those of its start.
func (v *View) staleAllocations(p *profile.Profile, bytes int, requests float64) bool {
	sum := 0.0
	for _, s := range p.Sample {
		sum += float64(s.Value[bytes])
	}
	counted := v.Numbers.AllocBytes
	if counted <= 0 || sum/requests <= mostStale*counted {
		return false
	}
	v.missing = append(v.missing,
		fmt.Sprintf("the profile of allocations holds %s per request, and the runtime counts %s: with so few collections "+
			"it is of another time",
			bytesText(sum/requests), bytesText(counted)))
	return true
}

// column is the place of a sample type; -1 if the profile has none of that name.
func column(p *profile.Profile, name string) int {
	return slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return t.Type == name })
}

// stack reads the frames of a sample. observed is that of a stack of hone's probe or of the profiler.
func (v *View) stack(s *profile.Sample) (one stack, observed bool) {
	for _, l := range s.Location {
		for _, line := range l.Line {
			if line.Function == nil {
				continue
			}
			name := line.Function.Name
			f := frame{
				function: name, pkg: symbol.PackagePath(name), file: line.Function.Filename, line: line.Line,
				origin: v.Code.Origin(name),
			}
			if f.origin == prof.Observer {
				return stack{}, true
			}
			f.name = strings.TrimPrefix(strings.TrimPrefix(name, f.pkg), ".")
			one.frames = append(one.frames, f)
		}
	}
	return one, false
}

// root is the function that the goroutine began with; empty for an empty stack.
func (s *stack) root() string {
	if len(s.frames) == 0 {
		return ""
	}
	return s.frames[len(s.frames)-1].function
}

func compareShares(a, b float64) int { return cmp.Compare(b, a) }
