package main

import "sync"

// A change is a line that was taken out ('-') or put in ('+').
type change struct {
	op   byte
	line int // of the old draft for '-', of the new one for '+'
	text string
}

// compare finds the fewest changes that make b of a. Lines that both begin or end with need no table.
func compare(a, b []string) []change {
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	endA, endB := len(a), len(b)
	for endA > start && endB > start && a[endA-1] == b[endB-1] {
		endA--
		endB--
	}
	t := tables.Get().(*table)
	defer tables.Put(t)
	t.fill(a[start:endA], b[start:endB])
	return walk(t, a[:endA], b[:endB], start)
}

// A table has for each i and j how many lines a[i:] and b[j:] share.
type table struct {
	cells []int
	width int
}

func (t *table) at(i, j int) int { return t.cells[i*t.width+j] }

var tables = sync.Pool{New: func() any { return new(table) }}

func (t *table) fill(a, b []string) {
	t.width = len(b) + 1
	size := (len(a) + 1) * t.width
	if cap(t.cells) < size {
		t.cells = make([]int, size)
	}
	t.cells = t.cells[:size]
	clear(t.cells)
	for i := len(a) - 1; i >= 0; i-- {
		row, below := t.cells[i*t.width:(i+1)*t.width], t.cells[(i+1)*t.width:]
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				row[j] = below[j+1] + 1
			} else {
				row[j] = max(below[j], row[j+1])
			}
		}
	}
}

func walk(t *table, a, b []string, start int) []change {
	var out []change
	i, j := start, start
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			i++
			j++
		case j == len(b) || i < len(a) && t.at(i-start+1, j-start) >= t.at(i-start, j-start+1):
			out = append(out, change{'-', i, a[i]})
			i++
		default:
			out = append(out, change{'+', j, b[j]})
			j++
		}
	}
	return out
}
