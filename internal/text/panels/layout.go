package panels

import (
	"slices"
	"strings"

	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/vitals"
)

const (
	// twoColumns is the width from which one group takes two columns; a group of several
	// has a column of its own if that is this wide.
	twoColumns  = 150
	groupColumn = 50
	between     = 3 // cells between columns
	labelWidth  = 12
)

// column is blocks one below the other.
type columnOfBlocks struct {
	heading string
	label   int
	blocks  []block
	ruler   *block
}

// Ranks of what is not an instrument; an instrument's is its place in the list, times ten.
// Lists go before instruments of the machine, the ruler goes first unless it has marks.
const (
	rankCauses    = 15
	rankBusiest   = 115
	rankDurations = 125
	rankRuler     = 1000
	rankMarks     = 55
)

// columns arranges the blocks.
func (s *State) columns(width int) []columnOfBlocks {
	shown := s.shown()
	switch {
	case len(s.Groups) == 1:
		c := columnOfBlocks{label: labelWidth, blocks: s.blocksOf(shown, s.Groups[0])}
		s.addRuler(&c, s.Groups[0].History)
		if width < twoColumns {
			return []columnOfBlocks{c}
		}
		return c.split()
	case width/max(1, len(s.Groups)) >= groupColumn:
		var all []columnOfBlocks
		for _, g := range s.Groups {
			c := columnOfBlocks{heading: g.Name, label: labelWidth, blocks: s.blocksOf(shown, g)}
			s.addRuler(&c, g.History)
			all = append(all, c)
		}
		return all
	}
	c := columnOfBlocks{label: labelWidth}
	for _, g := range s.Groups {
		c.label = max(c.label, min(2*labelWidth, labelWidth+1+len([]rune(g.Name))))
	}
	for i, in := range shown {
		for _, g := range s.Groups {
			if g.History.Len() > 0 {
				c.blocks = append(c.blocks, instrumentBlock(in, 10*i, printable.Line(g.Name)+" "+in.label, g.History,
					s))
			}
		}
	}
	for _, g := range s.Groups {
		if b := causes.block(rankCauses, printable.Line(g.Name)+" "+causes.label, g.History); b != nil {
			c.blocks = append(c.blocks, *b)
		}
	}
	if len(s.Groups) > 0 {
		s.addRuler(&c, s.Groups[0].History)
	}
	return []columnOfBlocks{c}
}

// shown are the instruments that have had a value, in their order.
func (s *State) shown() []*instrument {
	var shown []*instrument
	taken := map[string]bool{}
	for _, in := range instruments {
		known := slices.ContainsFunc(s.Groups, func(g Group) bool {
			latest, _ := g.History.Latest(in.plotted)
			return latest != nil
		})
		if known && !taken[in.slot] {
			shown = append(shown, in)
			taken[in.slot] = in.slot != ""
		}
	}
	return shown
}

// blocksOf are the blocks of one group: load first, then the program, then the machine.
func (s *State) blocksOf(shown []*instrument, g Group) []block {
	var blocks []block
	lists := func() {
		for _, l := range []struct {
			*list
			rank int
		}{{causes, rankCauses}, {busiest, rankBusiest}, {durations, rankDurations}} {
			if b := l.block(l.rank, l.label, g.History); b != nil {
				blocks = append(blocks, *b)
			}
		}
	}
	listed := false
	for _, in := range shown {
		if !listed && in.label != "rate" && in.label != "latency" {
			lists()
			listed = true
		}
		blocks = append(blocks, instrumentBlock(in, 10*slices.Index(instruments, in), in.label, g.History, s))
	}
	if !listed {
		lists()
	}
	return blocks
}

func (s *State) addRuler(c *columnOfBlocks, h *vitals.History) {
	rank := rankRuler
	if len(s.Marks) > 0 {
		rank = rankMarks
	}
	if h.Len() > 1 {
		b := ruler(rank, h, s.Marks)
		c.ruler = &b
	}
}

// split divides a column in two of about the same height.
func (c columnOfBlocks) split() []columnOfBlocks {
	weight := func(b block) int {
		if b.list {
			return b.most
		}
		return 4
	}
	total := 0
	for _, b := range c.blocks {
		total += weight(b)
	}
	left, right, sum := c, c, 0
	for i, b := range c.blocks {
		if sum += weight(b); 2*sum >= total {
			left.blocks, right.blocks = c.blocks[:i+1], c.blocks[i+1:]
			break
		}
	}
	return []columnOfBlocks{left, right}
}

// heights gives each block of a column its height, 0 for those that have no room, and says
// whether there is a blank line between blocks.
func heights(blocks []block, room int) (h []int, spaced bool) {
	h = make([]int, len(blocks))
	order := make([]int, len(blocks)) // what stays longest first
	used := 0
	for i, b := range blocks {
		h[i], order[i] = b.least, i
		used += b.least
	}
	slices.SortStableFunc(order, func(a, b int) int { return blocks[a].rank - blocks[b].rank })
	for i := len(order) - 1; i >= 0 && used > room; i-- {
		used -= h[order[i]]
		h[order[i]] = 0
	}
	grow := func(i, to int) {
		to = min(to, blocks[i].most)
		if h[i] > 0 && to > h[i] && used+to-h[i] <= room {
			used += to - h[i]
			h[i] = to
		}
	}
	for _, i := range order {
		if blocks[i].list {
			grow(i, blocks[i].most)
		}
	}
	plots := func(to int) {
		for _, i := range order {
			if !blocks[i].list {
				grow(i, to)
			}
		}
	}
	plots(tall)
	shown := 0
	for _, n := range h {
		if n > 0 {
			shown++
		}
	}
	if shown > 1 && used+shown-1 <= room {
		used += shown - 1
		spaced = true
	}
	for to := tall + 1; to <= tallest; to++ {
		plots(to)
	}
	return h, spaced
}

// lines draws the column into exactly room lines of that width.
func (c columnOfBlocks) lines(width, room int) []line {
	var out []line
	if c.heading != "" {
		out = append(out, line{{strong, printable.Line(c.heading)}}.fit(width))
		room--
	}
	all := c.blocks
	if c.ruler != nil {
		all = append(slices.Clone(all), *c.ruler)
	}
	h, spaced := heights(all, room)
	plots := slices.ContainsFunc(all, func(b block) bool { return !b.list })
	axis := false
	for i, b := range all {
		axis = axis || plots && !b.list && h[i] >= tall
	}
	f := newFrame(width, c.label, axis)
	begun := false
	for i, b := range all {
		if h[i] == 0 {
			continue
		}
		if begun && spaced {
			out = append(out, line(nil).fit(width))
		}
		begun = true
		for _, l := range b.draw(f, h[i]) {
			out = append(out, l.fit(width))
		}
	}
	for len(out) < room+min(1, len(c.heading)) {
		out = append(out, line(nil).fit(width))
	}
	return out
}

// joinColumns joins columns line by line.
func joinColumns(columns [][]line, gapWidth int) []line {
	if len(columns) == 0 {
		return nil
	}
	out := columns[0]
	for _, next := range columns[1:] {
		for i := range out {
			out[i] = slices.Concat(out[i], line{{plain, strings.Repeat(" ", gapWidth)}}, next[i])
		}
	}
	return out
}
