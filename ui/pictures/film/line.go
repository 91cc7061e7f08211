package film

import (
	"fmt"
	"html"
	"image/color"
	"strings"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

const (
	cellWidth  = 10         // units of the SVG
	lineHeight = 8 * eighth // units of the SVG
	baseline   = 17         // of the letters, below the top of their line
)

// colours are the classes of what is not drawn in the colour of the text, by their CSS.
type colours map[string]string

// class is the attribute of the class with the style of a cell; empty for a plain one.
func (c colours) class(s uv.Style) string {
	css := ""
	if s.Fg != nil {
		css = "fill:" + hex(s.Fg) + ";"
	}
	if s.Attrs&uv.AttrBold != 0 {
		css += "font-weight:bold;"
	}
	if css == "" {
		return ""
	}
	if c[css] == "" {
		c[css] = fmt.Sprintf("c%d", len(c))
	}
	return fmt.Sprintf(` class="%s"`, c[css])
}

// basic are the colours 0 to 15, which each terminal chooses for itself: here such that all can be read on the
// background.
var basic = [16]string{"#5c6370", "#f47067", "#57c26b", "#daaa3f", "#6cb6ff", "#dc8add", "#39c5cf", "#c5cdd9",
	"#7d8590", "#ff938a", "#6bd68f", "#eac55f", "#96d0ff", "#eea2ef", "#56d4dd", "#ffffff"}

func hex(c color.Color) string {
	if b, ok := c.(ansi.BasicColor); ok && int(b) < len(basic) {
		return basic[b]
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

// line draws the cells of line y: bars as paths, which are the same in each font, and the rest as text. What starts
// after two blanks starts at a column, because the letters of a reader's font can be narrower than a cell. Backgrounds
// are not drawn.
func (c colours) line(y int, cells []uv.Cell) string {
	var out strings.Builder
	for x := 0; x < len(cells); {
		if blank(cells[x]) {
			x++
			continue
		}
		end := x + 1
		for end < len(cells) && cells[end].Style == cells[x].Style && kind(cells[end]) == kind(cells[x]) &&
			!(blank(cells[end]) && blank(cells[end-1])) {
			end++
		}
		if run := cells[x:end]; kind(run[0]) == letters {
			fmt.Fprintf(&out, `<text x="%d" y="%d"%s>%s</text>`, x*cellWidth, y*lineHeight+baseline,
				c.class(run[0].Style), text(run))
		} else {
			fmt.Fprintf(&out, `<path%s%s d="%s"/>`, c.class(run[0].Style), opacity[kind(run[0])], bars(x, y, run))
		}
		x = end
	}
	return out.String()
}

func blank(c uv.Cell) bool { return c.Content == " " || c.Content == "" }

func text(run []uv.Cell) string {
	var out strings.Builder
	for _, c := range run {
		out.WriteString(c.Content)
	}
	return html.EscapeString(strings.TrimRight(out.String(), " "))
}

func clockText(d time.Duration) string {
	s := int(d.Seconds())
	return fmt.Sprintf(`<text x="%d" y="-20" text-anchor="end">%d:%02d</text>`, width*cellWidth, s/60, s%60)
}
