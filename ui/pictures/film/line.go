package film

import (
	"fmt"
	"html"
	"image/color"
	"strings"
	"time"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

const (
	cellWidth  = 10         // units of the SVG
	eighth     = 3          // of a line: the unit of the block elements, U+2581 to U+2588
	lineHeight = 8 * eighth // units of the SVG
	baseline   = 17         // of the letters, below the top of their line
)

// colours are the classes of what is not drawn in the colour of the text, by their CSS.
type colours map[string]string

// class is the attribute of the class with the style of a cell; empty for a plain one.
func (c colours) class(s uv.Style) string {
	css := ""
	if s.Fg != nil {
		css = "fill:" + hex(s.Fg)
	}
	if s.Attrs&uv.AttrBold != 0 {
		css += ";font-weight:bold"
	}
	if css == "" {
		return ""
	}
	if c[css] == "" {
		c[css] = fmt.Sprintf("c%d", len(c))
	}
	return fmt.Sprintf(` class="%s"`, c[css])
}

// basic are the colours 0 to 15, which each terminal chooses for itself: here such that all can be read on the background.
var basic = [16]string{"#5c6370", "#f47067", "#57c26b", "#daaa3f", "#6cb6ff", "#dc8add", "#39c5cf", "#c5cdd9", "#7d8590", "#ff938a", "#6bd68f", "#eac55f", "#96d0ff", "#eea2ef", "#56d4dd", "#ffffff"}

func hex(c color.Color) string {
	if b, ok := c.(ansi.BasicColor); ok && int(b) < len(basic) {
		return basic[b]
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

// line draws the cells of line y: bars as paths, which are the same in each font, and the rest as text. What starts after two blanks starts at
// a column, because the letters of a reader's font can be narrower than a cell.
func (c colours) line(y int, cells []uv.Cell) string {
	var out strings.Builder
	for x := 0; x < len(cells); {
		if blank(cells[x]) {
			x++
			continue
		}
		end := x + 1
		for end < len(cells) && cells[end].Style == cells[x].Style && kind(cells[end]) == kind(cells[x]) && !(blank(cells[end]) && blank(cells[end-1])) {
			end++
		}
		if run := cells[x:end]; kind(run[0]) == letters {
			fmt.Fprintf(&out, `<text x="%d" y="%d"%s>%s</text>`, x*cellWidth, y*lineHeight+baseline, c.class(run[0].Style), text(run))
		} else {
			fmt.Fprintf(&out, `<path%s%s d="%s"/>`, c.class(run[0].Style), opacity[kind(run[0])], bars(x, y, run))
		}
		x = end
	}
	return out.String()
}

// letters and blocks are kinds of cells. Each shade is one, too.
const (
	letters = ' '
	blocks  = '█'
)

var opacity = map[rune]string{'░': ` opacity=".25"`, '▒': ` opacity=".5"`, '▓': ` opacity=".75"`}

func blank(c uv.Cell) bool { return c.Content == " " || c.Content == "" }

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

func text(run []uv.Cell) string {
	var out strings.Builder
	for _, c := range run {
		out.WriteString(c.Content)
	}
	return html.EscapeString(strings.TrimRight(out.String(), " "))
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

func clockText(d time.Duration) string {
	s := int(d.Seconds())
	return fmt.Sprintf(`<text x="%d" y="-20" text-anchor="end">%d:%02d</text>`, width*cellWidth, s/60, s%60)
}
