package prof

import (
	"fmt"
	"maps"
	"slices"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof/internal/calltree"
	"github.com/gohone/hone/prof/internal/sampled"
	"github.com/gohone/hone/prof/symbol"
)

// PackOptions say how to pack. The zero value is useful.
type PackOptions struct {
	// Code says whose code a function is.
	Code Code
	// Allocs is the allocation profile of the same stretch as a CPU profile: the collector's background work is handed
	// to its stacks in proportion to their bytes (see Blame). Nil leaves Packed.Blamed out.
	Allocs *Capture
	// MaxNodes bounds the tree; 0 means DefaultNodes. The lightest branches are left out first.
	MaxNodes int
}

// DefaultNodes is how many nodes a packed tree has at most: more than a screen shows, and few enough for a browser.
const DefaultNodes = 300_000

// BlamedFrame is the name of the nodes that hold the collector's work for an allocation. They have no samples of their
// own.
const BlamedFrame = "[collector's work for this allocation]"

// Pack merges the stacks of a capture into a call tree of lines. Samples of hone's own probe and of the profiler are
// left out. Text that is not UTF-8 is made so. A profile that is not sound, or has more sample types than any that hone
// knows, is an error.
func Pack(c Capture, o PackOptions) (*Packed, error) {
	if err := sampled.Check(c.Profile); err != nil {
		return nil, fmt.Errorf("pack %s profile: %w", c.Kind, err)
	}
	if n := len(c.Profile.SampleType); n == 0 || n > mostTypes {
		return nil, fmt.Errorf("pack %s profile: it has %d sample types, want 1 to %d", c.Kind, n, mostTypes)
	}
	p := &packer{capture: c, options: o, places: map[Place]int32{}, frames: map[*profile.Location][]calltree.Step{},
		facts: map[*profile.Location]locationFacts{}}
	p.first = p.defaultColumn()
	p.resolve(c.Profile)
	if o.Allocs != nil && c.Kind == "cpu" && sampled.Check(o.Allocs.Profile) == nil {
		p.resolve(o.Allocs.Profile)
	}
	p.number()
	p.spend()
	return p.pack(), nil
}

// mostTypes is how many sample types a packed profile has at most; wait profiles have five.
const mostTypes = 6

// packedCost is the values of a stack: the default sample type first, then the others in their order, then what blame
// makes of the default one.
type packedCost [mostTypes + 1]int64

func (c packedCost) Plus(d packedCost) packedCost {
	for i := range c {
		c[i] += d[i]
	}
	return c
}
func (c packedCost) Size() float64 { return float64(magnitude(c[0]) + magnitude(c[mostTypes])) }

// packer is a packed profile on its way.
type packer struct {
	capture Capture
	options PackOptions
	first   int // column of the default sample type
	blames  bool

	names   []Place
	places  map[Place]int32
	frames  map[*profile.Location][]calltree.Step
	facts   map[*profile.Location]locationFacts
	threads *calltree.Thread[packedCost]
}

// locationFacts is what the frames of a location say of a stack that they are on.
type locationFacts struct {
	observer  bool // hone's probe or the profiler
	user      bool // not the standard library's
	collector bool
}

func (p *packer) defaultColumn() int {
	if k, err := KindNamed(p.capture.Kind); err == nil {
		if i, err := sampled.Column(p.capture.Profile, k.Default); err == nil {
			return i
		}
	}
	i, err := p.capture.Profile.SampleIndexByName("")
	if err != nil {
		return 0
	}
	return i
}

// column is the place of a sample type in a packedCost.
func (p *packer) column(i int) int {
	switch {
	case i == p.first:
		return 0
	case i < p.first:
		return i + 1
	}
	return i
}

// resolve reads the frames of all locations of a profile.
func (p *packer) resolve(from *profile.Profile) {
	var at []symbol.Frame
	for _, l := range from.Location {
		at = symbol.AppendFramesAt(at[:0], l)
		steps := make([]calltree.Step, len(at))
		for i, f := range at {
			steps[i] = calltree.Step{Place: p.place(Place{Function: f.Function, File: f.File, Line: f.Line}),
				Inlined: i < len(at)-1}
		}
		p.frames[l] = steps
		f := locationFacts{observer: symbol.IsObserver(at), collector: symbol.CollectorOf(at) != symbol.NotCollector}
		for _, one := range at {
			f.user = f.user || symbol.IsUser(one.Function, p.options.Code.Module) && !symbol.IsStub(one)
		}
		p.facts[l] = f
	}
}

// factsOf says what is on a stack.
func (p *packer) factsOf(stack []*profile.Location) (f locationFacts) {
	for _, l := range stack {
		one := p.facts[l]
		f.observer, f.user, f.collector = f.observer || one.observer, f.user || one.user, f.collector || one.collector
	}
	return f
}

func (p *packer) place(at Place) int32 {
	n, known := p.places[at]
	if !known {
		n = int32(len(p.names))
		p.places[at] = n
		p.names = append(p.names, at)
	}
	return n
}

// number gives the places numbers in the order of their names, as the grower wants them.
func (p *packer) number() {
	p.place(Place{Function: BlamedFrame})
	p.names = slices.SortedFunc(maps.Keys(p.places), Place.compare)
	renumbered := make([]int32, len(p.names))
	for i, name := range p.names {
		renumbered[p.places[name]] = int32(i)
		p.places[name] = int32(i)
	}
	for _, steps := range p.frames {
		for i := range steps {
			steps[i].Place = renumbered[steps[i].Place]
		}
	}
}

// spend makes threads of the samples, and of what the collector works for allocations.
func (p *packer) spend() {
	allocated, bytes := p.allocations()
	p.blames = bytes > 0
	var background int64
	for _, s := range p.capture.Profile.Sample {
		on := p.factsOf(s.Location)
		if on.observer {
			continue
		}
		var c packedCost
		for i, v := range s.Value {
			c[p.column(i)] = v
		}
		if p.blames {
			if on.collector && !on.user { // no goroutine of the user's does this work
				background += c[0]
			} else {
				c[mostTypes] = c[0]
			}
		}
		p.add(s.Location, c)
	}
	if background > 0 {
		p.handOut(background, allocated, bytes)
	}
}

func (p *packer) add(locations []*profile.Location, c packedCost) {
	if c != (packedCost{}) {
		p.threads = &calltree.Thread[packedCost]{Cost: c, Locations: locations, Location: len(locations) - 1, Frame: -1,
			Next: p.threads}
	}
}
