package main

// A change is a line that was taken out ('-') or put in ('+').
type change struct {
	op   byte
	line int // of the old draft for '-', of the new one for '+'
	text string
}

// A differ compares drafts one after the other and keeps its table in between.
type differ struct {
	cells []int
	width int
	a, b  []string
}

// run finds the fewest changes that make b of a.
func (d *differ) run(a, b []string) []change {
	skip := commonPrefix(a, b)
	d.a, d.b = a[skip:], b[skip:]
	d.reset()
	d.fill()
	return d.collect(skip)
}

func commonPrefix(a, b []string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// reset makes room for the table, with its last row and column at zero.
func (d *differ) reset() {
	d.width = len(d.b) + 1
	size := (len(d.a) + 1) * d.width
	if cap(d.cells) < size {
		d.cells = make([]int, size)
	}
	d.cells = d.cells[:size]
	clear(d.cells[len(d.a)*d.width:])
	for i := range d.a {
		d.cells[i*d.width+len(d.b)] = 0
	}
}

// fill has in cell i, j how many lines a[i:] and b[j:] share.
func (d *differ) fill() {
	for i := len(d.a) - 1; i >= 0; i-- {
		row, below := d.cells[i*d.width:(i+1)*d.width], d.cells[(i+1)*d.width:]
		for j := len(d.b) - 1; j >= 0; j-- {
			if d.a[i] == d.b[j] {
				row[j] = below[j+1] + 1
			} else {
				row[j] = max(below[j], row[j+1])
			}
		}
	}
}

func (d *differ) collect(skip int) []change {
	var out []change
	i, j := 0, 0
	for i < len(d.a) || j < len(d.b) {
		switch {
		case i < len(d.a) && j < len(d.b) && d.a[i] == d.b[j]:
			i++
			j++
		case j == len(d.b) || i < len(d.a) && d.cells[(i+1)*d.width+j] >= d.cells[i*d.width+j+1]:
			out = append(out, change{'-', i + skip, d.a[i]})
			i++
		default:
			out = append(out, change{'+', j + skip, d.b[j]})
			j++
		}
	}
	return out
}
