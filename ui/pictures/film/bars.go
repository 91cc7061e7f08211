package film

import (
	"fmt"
	"strings"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
)

// eighth is that of a line, in units of the SVG: the step of the block elements, U+2581 to U+2588.
const eighth = 3

// letters and blocks are kinds of cells. Each shade is one, too.
const (
	letters = ' '
	blocks  = '█'
)

var opacity = map[rune]string{'░': ` opacity=".25"`, '▒': ` opacity=".5"`, '▓': ` opacity=".75"`}

func kind(c uv.Cell) rune {
	r := first(c)
	switch {
	case r >= '▁' && r <= '█':
		return blocks
	case opacity[r] != "":
		return r
	}
	return letters
}

// first is the first code point of a cell.
func first(c uv.Cell) rune {
	r, _ := utf8.DecodeRuneInString(c.Content)
	return r
}

// bars is the outline of block elements, from their ground line.
func bars(x, y int, run []uv.Cell) string {
	ground, last := (y+1)*lineHeight, -1
	var out strings.Builder
	fmt.Fprintf(&out, "M%d %d", x*cellWidth, ground)
	for _, c := range run {
		if top := ground - eighth*eighths(c); top != last {
			fmt.Fprintf(&out, "V%d", top)
			last = top
		}
		fmt.Fprintf(&out, "h%d", cellWidth)
	}
	fmt.Fprintf(&out, "V%dz", ground)
	return out.String()
}

// eighths is the height of a block element.
func eighths(c uv.Cell) int {
	if kind(c) == blocks {
		return int(first(c)-'▁') + 1
	}
	return 8
}
