package prof

import (
	"fmt"
	"io"
	"slices"
)

var callersView = &View{
	Name: "callers", Summary: "a function between the trees of its callers and of what it calls (sandwich)", OfFunctions: true,
	show: func(s *selected, l Look) (Document, error) { return s.sandwich(l) },
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

func (s *selected) sandwich(l Look) (*Sandwich, error) {
	b := &grapher{selected: s, nodes: map[Place]*node{}}
	b.resolve()
	out := &Sandwich{}
	matches := map[*node]bool{}
	for _, n := range b.nodes {
		if l.Function.MatchString(n.Function) || n.Function == "" && l.Function.MatchString(n.File) {
			matches[n] = true
			out.Functions = append(out.Functions, n.Place.String())
		}
	}
	if len(matches) == 0 {
		return nil, noMatch(l)
	}
	slices.Sort(out.Functions)
	title := Place{Function: out.Functions[0]}
	if n := len(out.Functions); n > 1 {
		title.Function += fmt.Sprintf(" and %d more", n-1)
	}
	above, below := newCallTree(title), newCallTree(title)
	for _, sample := range s.profile.Sample {
		v := sample.Value[s.column]
		stack := b.stack(sample.Location)
		k := len(stack) - 1
		for k >= 0 && !matches[stack[k].node] {
			k--
		}
		if k < 0 || v == 0 {
			continue
		}
		up := above.start(v)
		for _, f := range stack[k+1:] {
			up = above.step(up, f.Place, false, v)
		}
		down := below.start(v)
		for i := k - 1; i >= 0; i-- {
			down = below.step(down, stack[i].Place, stack[i].inlined, v)
		}
		down.Self += v
	}
	dropped := above.trim(l.NodeShare) + below.trim(l.NodeShare)
	out.Callers, out.Callees = above.root, below.root
	var err error
	out.Head, err = s.head("callers", l, above.root.Value, dropped)
	return out, err
}

// WriteText writes the callers, the function, and the callees.
func (d *Sandwich) WriteText(w io.Writer) error {
	if err := d.writeHead(w); err != nil {
		return err
	}
	fmt.Fprintln(w, "\ncalled by")
	if err := writeFrames(w, d.Head, []*Frame{d.Callers}, 0); err != nil {
		return err
	}
	fmt.Fprintln(w, "\ncalls")
	return writeFrames(w, d.Head, []*Frame{d.Callees}, 0)
}
