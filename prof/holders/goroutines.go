package holders

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/prof/gotypes"
	"github.com/gohone/hone/prof/heapdump"
	"github.com/gohone/hone/prof/symbol"
)

// Wait is where goroutines wait, and why in the runtime's words: "chan receive".
type Wait struct {
	Place
	Reason string `json:"reason,omitempty"`
}

// Place is a place in source.
type Place struct {
	Function string `json:"function,omitempty"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
}

// String is the file without its directories, and the line.
func (p Place) String() string { return fmt.Sprintf("%s:%d", filepath.Base(p.File), p.Line) }

// Goroutines are those of one function that were started at one line.
type Goroutines struct {
	Function string `json:"function"`
	Count    uint64 `json:"count"`
	// Started is the go statement, Waits where most of them wait: the innermost call of the function or of what it calls
	// that is not in the standard library. nil if it is not known.
	Started *Place `json:"started,omitempty"`
	Waits   *Wait  `json:"waits,omitempty"`
	// Stacks are the bytes of their stacks, which are not part of the heap.
	Stacks uint64 `json:"stack_bytes"`
}

// stacks are the sizes of the stacks of goroutines, which stand in the g of each.
type stacks struct {
	addresses []uint64 // of all g
	gs        bits     // their numbers
	sizes     map[uint32]uint64
	byLabel   map[uint32]uint64
}

// mostStack is the largest stack in bytes that the runtime makes (GOROOT/src/runtime/stack.go: maxstackceiling).
const mostStack = 2 << 30

// number finds the g of all goroutines among the objects.
func (s *stacks) number(all *space) {
	for _, a := range s.addresses {
		if n, _, _, ok := all.find(a); ok {
			s.gs.set(n)
		}
	}
	s.sizes, s.byLabel = map[uint32]uint64{}, map[uint32]uint64{}
}

// read reads the stack of a g, whose first words are its bounds. They stand at an offset.
func (s *stacks) read(words *heapdump.Scanner, at uint64, number uint32, ptr uint64) {
	if low, high := words.Word(at), words.Word(at+ptr); low < high && high-low <= mostStack {
		s.sizes[number] = high - low
	}
}

// groups are the goroutines whose stacks are large together, those with the largest first.
func (p *paths) groups(all uint64) (groups []Goroutines) {
	for l, bytes := range p.walk.stacks.byLabel {
		at, ok := p.known[[2]uint32{0, l}]
		if !ok || float64(bytes) < leastShare*float64(all) || bytes < leastBytes {
			continue
		}
		g := p.goroutinesOf(at)
		g.Stacks, g.Waits = bytes, p.wait(at)
		groups = append(groups, g)
	}
	slices.SortFunc(groups, func(a, b Goroutines) int {
		return cmp.Or(cmp.Compare(b.Stacks, a.Stacks), strings.Compare(a.String(), b.String()))
	})
	return groups
}

// goroutinesOf are those of a path, without where they wait.
func (p *paths) goroutinesOf(at uint32) Goroutines {
	l := p.label(at)
	g := Goroutines{Function: l.part, Count: p.all[at].heads}
	if l.file != "" {
		g.Started = &Place{File: l.file, Line: l.line}
	}
	return g
}

// String says how many they are, and where they wait and were started.
func (g Goroutines) String() string {
	text := fmt.Sprintf("%s goroutines of %s", units.Count(g.Count), gotypes.Short(g.Function))
	if places := g.places(); len(places) > 0 {
		text += " (" + strings.Join(places, ", ") + ")"
	}
	return printable.Line(text)
}

func (g Goroutines) places() (all []string) {
	if g.Waits != nil {
		all = append(all, g.Waits.Reason+" at "+g.Waits.Place.String())
	}
	if g.Started != nil {
		all = append(all, "started at "+g.Started.String())
	}
	return all
}

// blocked says of a holder in goroutines how many these are, where they were started and where most of them wait.
func (p *paths) blocked(at uint32, h *Holder) {
	from := uint32(0)
	for up := at; up != 0; up = p.all[up].parent {
		switch p.label(up).kind {
		case frame:
			if from == 0 {
				from = up
			}
		case goroutine:
			g := p.goroutinesOf(up)
			h.Goroutines, h.Started = g.Count, g.Started
			if from == 0 {
				from = up
			}
			h.Waits = p.wait(from)
			return
		}
	}
}

// wait is the innermost call of a path of frames that most goroutines have, and the last one of those that is not of
// the standard library; nil if the path has no frames.
func (p *paths) wait(from uint32) *Wait {
	var w Wait
	for at := from; at != 0; at = p.callee(at) {
		l := p.label(at)
		if l.kind != frame {
			continue
		}
		if w.File == "" || symbol.IsUser(l.part, "") {
			w.Place = Place{Function: l.part, File: l.file, Line: l.line}
		}
		w.Reason = p.walk.waits[p.all[at].label]
	}
	if w.File == "" || w.Reason == "" {
		return nil
	}
	return &w
}

// callee is the path of the frame that a frame or a goroutine leads to, of several that of most goroutines; 0 if there
// is none.
func (p *paths) callee(at uint32) (most uint32) {
	for _, b := range p.all[at].below {
		if p.label(b).kind == frame && (most == 0 || p.all[b].heads > p.all[most].heads) {
			most = b
		}
	}
	return most
}
