package panels

import (
	"slices"
	"time"

	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/text/vitals"
)

// block is a part of a column of the picture, one line high or more.
type block struct {
	// rank says what goes first where there is no room: the highest.
	rank int
	// least and most are the heights that it can use.
	least, most int
	// list says that it has no plot: it takes the room that it needs, and no more.
	list bool
	draw func(f frame, height int) []line
}

// frame is where in a column things stand, in cells.
type frame struct {
	width, label, words, plot, axis int
}

// newFrame divides a column. axis says that there are plots high enough for one.
func newFrame(width, label int, axis bool) frame {
	f := frame{width: width, label: label, words: 22}
	if width >= 100 {
		f.words = 30
	}
	if axis {
		f.axis = 8
	}
	f.plot = max(1, min(MostColumns, width-f.label-f.words-1-f.axis))
	return f
}

// PlotColumns is how many readings the plots of one group show in a picture of that width:
// those who draw a long time thin it to so many.
func PlotColumns(width int) int {
	if width >= twoColumns {
		width = (width - between) / 2
	}
	return newFrame(width, labelWidth, true).plot
}

// tallest bounds the height of a plot: beyond it another row says more.
const tallest = 8

// tall is the height from which a plot has an axis.
const tall = 3

// mostOf is the height that an instrument can use.
func (in *instrument) mostOf() int {
	if in.steady {
		return tall
	}
	return tallest
}

// instrumentBlock draws an instrument of one group; all groups share its scale.
func instrumentBlock(in *instrument, rank int, label string, own *vitals.History, s *State) block {
	return block{rank: rank, least: 1, most: in.mostOf(), draw: func(f frame, height int) []line {
		top := 0.0
		for _, g := range s.Groups {
			top = max(top, in.top(in.points(g.History, f.plot)))
		}
		grid := in.plot(in.points(own, f.plot), top, f.plot, height)
		for _, m := range s.Marks {
			if x, seen := columnOf(own, f.plot, m.At); seen {
				mark(grid, x)
			}
		}
		latest, age := own.Latest(in.plotted)
		var words []line
		if latest != nil {
			words = in.words(latest)
		}
		if latest != nil && age > 0 {
			write(grid, accent, " "+ago(age))
			for _, l := range words {
				for i := range l {
					l[i].role = faint // not what is now
				}
			}
		}
		lines := make([]line, height)
		for i := range lines {
			var left, middle, right line
			if i == 0 {
				left = line{{plain, label}}
			}
			if i < len(words) {
				middle = words[i]
			}
			switch {
			case height < tall:
			case i == 0:
				right = line{{faint, " " + in.axis(top)}}
			case i == height-1:
				right = line{{faint, " 0"}}
			}
			lines[i] = slices.Concat(left.fit(f.label), middle.fit(f.words), line{{plain, " "}}, join(grid[i]),
				right.fit(f.axis))
		}
		return lines
	}}
}

// ago says how old something is.
func ago(age time.Duration) string { return units.Seconds(age.Round(100*time.Millisecond)) + " ago" }

// ruler says what time the columns are of, and where the marks are.
func ruler(rank int, h *vitals.History, marks []vitals.Mark) block {
	return block{rank: rank, least: 1, most: 1, list: true, draw: func(f frame, _ int) []line {
		row := make([]cell, f.plot)
		for i := range row {
			row[i] = cell{' ', plain}
		}
		// put writes a text where there is room for all of it.
		put := func(x int, text string, r role) {
			letters := []rune(text)
			if x < 0 || x+len(letters) > len(row) {
				return
			}
			for i := range letters {
				if row[x+i].char != ' ' {
					return
				}
			}
			for i, c := range letters {
				row[x+i] = cell{c, r}
			}
		}
		label := ""
		for _, m := range slices.Backward(marks) {
			if x, seen := columnOf(h, f.plot, m.At); seen {
				put(x, units.Count(uint64(m.Number)), accent)
				label = "marks"
			}
		}
		if n := min(f.plot, h.Len()); n > 1 {
			put(f.plot-3, "now", faint)
			put(f.plot-n, ago(h.Last().At.Sub(h.At(h.Len()-n).At))+" ", faint)
		}
		return []line{slices.Concat(line{{faint, label}}.fit(f.label+f.words+1), join(row), line(nil).fit(f.axis))}
	}}
}
