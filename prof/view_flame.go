package prof

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/gohone/hone/prof/internal/calltree"
	"github.com/gohone/hone/prof/internal/quantity"
)

var flameView = &View{
	Name: "flame", Summary: "all stacks merged into one tree, callers above callees",
	show: (*selected).flame,
}

// Flame is all stacks merged from the root on (Gregg 2016, "The flame graph", CACM
// 59(6)). WriteSVG draws it.
type Flame struct {
	Head
	Root *Frame `json:"root"`
}

func (s *selected) flame(l ViewOptions) (Document, error) {
	all := s.stacks()
	var threads *calltree.Thread[samples]
	for _, sample := range s.profile.Sample {
		if v := sample.Value[s.column]; v != 0 {
			threads = &calltree.Thread[samples]{
				Cost: samples(v), Locations: sample.Location, Location: len(sample.Location) - 1, Frame: -1,
				Next: threads,
			}
		}
	}
	r := l.Room()
	root, dropped := all.tree(Place{Function: "all"}, threads, l.NodeShare, r)
	h := s.head("flame", root.Value, dropped)
	h.Cut = r.Full
	return &Flame{Head: h, Root: root}, nil
}

// WriteText writes the tree with a line for each frame, indented by its depth.
func (f *Flame) WriteText(w io.Writer) error {
	return f.write(w, func(b *bufio.Writer) { f.writeFrames(b, f.Root.Children, 0) })
}

// maxIndent is the deepest level that is indented; deeper ones have their number in front.
const maxIndent = 100

func (h Head) writeFrames(b *bufio.Writer, frames []*Frame, depth int) {
	indent := strings.Repeat("  ", min(depth, maxIndent))
	if depth > maxIndent {
		indent += fmt.Sprintf("[%d] ", depth)
	}
	for _, f := range frames {
		note := ""
		if f.Inlined {
			note = " (inline)"
		}
		fmt.Fprintf(b, "%10s %8s  %s%s%s\n", h.values.Text(f.Value), quantity.Share(f.Value, h.Total), indent, f.Place, note)
		h.writeFrames(b, f.Children, depth+1)
	}
}
