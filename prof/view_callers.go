package prof

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/google/pprof/profile"
)

var callersView = &View{
	Name: "callers", Summary: "a function between the trees of its callers and of what it calls (sandwich)", OfFunctions: true,
	show: (*selected).sandwich,
}

// Sandwich is what lies above and below the functions that match, taken together. Of a
// recursive function the outermost call counts, so that each sample is in it once.
type Sandwich struct {
	Head
	// Functions are the names that match.
	Functions []string `json:"functions"`
	// Callers grows from the function upward: the children of a frame called it. Callees
	// grows downward. Both begin with the function itself.
	Callers *Frame `json:"callers"`
	Callees *Frame `json:"callees"`
}

func (s *selected) sandwich(l ViewOptions) (Document, error) {
	all := s.stacks()
	out, r := &Sandwich{}, l.room()
	matches := make([]bool, len(all.places))
	found := 0
	for i, p := range all.places {
		if !p.matches(l.Function) {
			continue
		}
		matches[i] = true
		if found++; r.takes(rowBytes + p.textBytes()) {
			out.Functions = append(out.Functions, p.String())
		}
	}
	if found == 0 {
		return nil, noMatch(l)
	}
	slices.Sort(out.Functions)
	title := Place{Function: strings.Join(out.Functions[:min(1, len(out.Functions))], "")}
	if found > 1 {
		title.Function += fmt.Sprintf(" and %d more", found-1)
	}
	var above, below *thread[samples]
	for _, sample := range s.profile.Sample {
		v := samples(sample.Value[s.column])
		location, frame := all.outermost(sample.Location, matches)
		if location < 0 || v == 0 {
			continue
		}
		above = &thread[samples]{cost: v, locations: sample.Location, location: location, frame: frame + 1, up: true, next: above}
		below = &thread[samples]{cost: v, locations: sample.Location, location: location, frame: frame, next: below}
	}
	var droppedAbove, droppedBelow int
	out.Callers, droppedAbove = all.tree(title, above, l.NodeShare, r)
	out.Callees, droppedBelow = all.tree(title, below, l.NodeShare, r)
	out.Head = s.head("callers", out.Callers.Value, droppedAbove+droppedBelow)
	out.Cut = r.full
	return out, nil
}

// outermost finds the frame nearest to the root that matches, by its location and its
// number there; the location is -1 if none does.
func (s *stacks) outermost(locations []*profile.Location, matches []bool) (location, frame int) {
	for i := len(locations) - 1; i >= 0; i-- {
		for j, f := range slices.Backward(s.frames[locations[i]]) {
			if matches[f.place] {
				return i, j
			}
		}
	}
	return -1, 0
}

// WriteText writes the callers, the function, and the callees.
func (d *Sandwich) WriteText(w io.Writer) error {
	return d.write(w, func(b *bufio.Writer) {
		fmt.Fprintln(b, "\ncalled by")
		d.writeFrames(b, []*Frame{d.Callers}, 0)
		fmt.Fprintln(b, "\ncalls")
		d.writeFrames(b, []*Frame{d.Callees}, 0)
	})
}
