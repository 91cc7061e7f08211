package panels

import (
	"math"
	"time"

	"github.com/gohone/hone/internal/text/vitals"
)

// eighths are the blocks that fill 0 to 8 eighths of a cell from below.
var eighths = [9]rune{' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'}

const (
	hatched = '▒' // the upper part of a column, which colour alone must not tell
	gap     = '·' // nothing was known
	level   = '─'
	moment  = '┊'
)

// point is a column of a plot.
type point struct {
	value, second vitals.Value
	// begun says that the value was known before: a gap is shown as one.
	begun bool
}

// points are the newest readings of an instrument, one for each column, the newest last.
func (in *instrument) points(h *vitals.History, columns int) []point {
	n := min(columns, h.Len())
	all := make([]point, n)
	begun := false
	for i := range n {
		r := h.At(h.Len() - n + i)
		all[i].value = in.plotted(r)
		if in.second != nil {
			all[i].second = in.second(r)
		}
		begun = begun || all[i].value.Known()
		all[i].begun = begun
	}
	return all
}

// top is the value at the upper edge of the plot.
func (in *instrument) top(all []point) float64 {
	top := in.least
	for _, p := range all {
		for _, v := range []vitals.Value{p.value, p.second} {
			if x, known := v.Get(); known {
				top = max(top, x)
			}
		}
	}
	return round(top)
}

// round is the next number above that is easy to read at the edge of a plot; it also keeps
// the scale from moving with every reading.
func round(x float64) float64 {
	if x <= 0 {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, step := range []float64{1, 1.5, 2, 3, 4, 5, 6, 8, 10} {
		if x <= step*power*(1+1e-9) {
			return step * power
		}
	}
	return 10 * power
}

// cell is one character of a plot.
type cell struct {
	char rune
	role role
}

// plot draws points into rows of cells, the first row on top; top is the value of the
// upper edge. The newest point is in the last column.
func (in *instrument) plot(all []point, top float64, columns, rows int) [][]cell {
	grid := make([][]cell, rows)
	for y := range grid {
		grid[y] = make([]cell, columns)
		for x := range grid[y] {
			grid[y][x] = cell{' ', plain}
		}
	}
	all = all[max(0, len(all)-columns):]
	for i, p := range all {
		x := columns - len(all) + i
		value, known := p.value.Get()
		if !known {
			if p.begun {
				grid[rows-1][x] = cell{gap, faint}
			}
			continue
		}
		b := bar{filled: fill(value, top, rows), main: math.MaxInt}
		second, knownSecond := p.second.Get()
		if in.second != nil && !in.asLine && rows > 1 {
			b.main = 0
			if knownSecond {
				b.main = fill(second, top, rows)
			}
		}
		for k := range rows { // from below
			if c := b.cell(k); c.char != ' ' {
				grid[rows-1-k][x] = c
			}
		}
		if in.asLine && knownSecond {
			k := min(rows-1, fill(second, top, rows)/8)
			if at := &grid[rows-1-k][x]; at.char == ' ' {
				*at = cell{level, accent}
			}
		}
	}
	return grid
}

// fill is how many eighths of a column a value takes: at least one, since nothing at all
// means that nothing was known.
func fill(value, top float64, rows int) int {
	whole := rows * 8
	return min(whole, max(1, int(math.Round(value/top*float64(whole)))))
}

// bar is a column that is filled up to so many eighths of a cell, of which those up to main are of the main colour.
type bar struct{ filled, main int }

// cell is the k-th cell of a bar from below.
func (b bar) cell(k int) cell {
	n := min(8, max(0, b.filled-8*k))
	if n == 0 {
		return cell{' ', plain}
	}
	if b.main >= min(8*k+4, b.filled) {
		return cell{eighths[n], primary}
	}
	if n == 8 {
		return cell{hatched, accent}
	}
	return cell{eighths[n], accent}
}

// mark puts a line through the empty cells of a column.
func mark(grid [][]cell, x int) {
	for _, row := range grid[:len(grid)-1] {
		if row[x].char == ' ' {
			row[x] = cell{moment, accent}
		}
	}
}

// write puts a text over the end of the first row.
func write(grid [][]cell, r role, text string) {
	letters := []rune(text)
	row := grid[0]
	if len(letters) > len(row) {
		return
	}
	for i, c := range letters {
		row[len(row)-len(letters)+i] = cell{c, r}
	}
}

// join makes words of neighbours in one role.
func join(cells []cell) line {
	var l line
	for from := 0; from < len(cells); {
		to := from
		text := make([]rune, 0, len(cells)-from)
		for to < len(cells) && cells[to].role == cells[from].role {
			text = append(text, cells[to].char)
			to++
		}
		l = append(l, word{cells[from].role, string(text)})
		from = to
	}
	return l
}

// columnOf is where in a plot a moment is, counted from its first column: at the first
// reading that is not before it. False if it is out of view.
func columnOf(h *vitals.History, columns int, at time.Time) (int, bool) {
	n := min(columns, h.Len())
	for i := range n {
		if !h.At(h.Len() - n + i).At.Before(at) {
			if i == 0 && h.Len() > n && !h.At(h.Len()-n-1).At.Before(at) {
				return 0, false
			}
			return columns - n + i, true
		}
	}
	return 0, false
}
