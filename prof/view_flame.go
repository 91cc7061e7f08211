package prof

import (
	"fmt"
	"io"
	"strings"
)

var flameView = &View{
	Name: "flame", Summary: "all stacks merged into one tree, callers above callees",
	show: func(s *selected, l Look) (Document, error) { return s.flame(l) },
}

// Flame is all stacks merged from the root on (Gregg 2016, "The flame graph", CACM
// 59(6)). WriteSVG and WriteHTML draw it.
type Flame struct {
	Head
	Root *Frame `json:"root"`
}

func (s *selected) flame(l Look) (*Flame, error) {
	t := newCallTree(Place{Function: "all"})
	b := &grapher{selected: s, nodes: map[Place]*node{}}
	b.resolve()
	for _, sample := range s.profile.Sample {
		v := sample.Value[s.column]
		if v == 0 {
			continue
		}
		stack := b.stack(sample.Location)
		f := t.start(v)
		for k := len(stack) - 1; k >= 0; k-- {
			f = t.step(f, stack[k].Place, stack[k].inlined, v)
		}
		f.Self += v
	}
	dropped := t.trim(l.NodeShare)
	h, err := s.head("flame", l, t.root.Value, dropped)
	if err != nil {
		return nil, err
	}
	return &Flame{Head: h, Root: t.root}, nil
}

// WriteText writes the tree with a line for each frame, indented by its depth.
func (f *Flame) WriteText(w io.Writer) error {
	if err := f.writeHead(w); err != nil {
		return err
	}
	return writeFrames(w, f.Head, f.Root.Children, 0)
}

func writeFrames(w io.Writer, h Head, frames []*Frame, depth int) error {
	for _, f := range frames {
		note := ""
		if f.Inlined {
			note = " (inline)"
		}
		if _, err := fmt.Fprintf(w, "%10s %8s  %s%s%s\n", h.values.text(f.Value), share(f.Value, h.Total),
			strings.Repeat("  ", depth), f.Place, note); err != nil {
			return err
		}
		if err := writeFrames(w, h, f.Children, depth+1); err != nil {
			return err
		}
	}
	return nil
}
