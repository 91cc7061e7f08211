package svg

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// The picture's measures, in pixels.
const (
	Width         = 1200.0
	RowHeight     = 17
	TitleHeight   = 26  // above the first row: the title
	flameLeast    = 0.3 // narrower frames are not drawn
	flameLetter   = 6.6 // mean width of a letter
	flameMinLabel = 3   // letters
)

// Drawing is how a frame of a flame graph looks; its tooltip may have several lines.
type Drawing struct {
	Width                  float64
	Colour, Label, Tooltip string
}

// DrawTree draws a flame graph from y on, and returns where it ends.
func DrawTree[F any](body *strings.Builder, root F, y int, look func(F) Drawing, children func(F) []F) (bottom int) {
	var draw func(f F, x float64, y int) (width float64)
	draw = func(f F, x float64, y int) float64 {
		d := look(f)
		if d.Width >= flameLeast {
			d.write(body, x, y)
			bottom = max(bottom, y+RowHeight)
			for _, c := range children(f) {
				x += draw(c, x, y+RowHeight)
			}
		}
		return d.Width
	}
	draw(root, 0, y)
	return max(bottom, y+RowHeight)
}

func (d Drawing) write(body *strings.Builder, x float64, y int) {
	fmt.Fprintf(body,
		`<g><title>%s</title><rect x="%.2f" y="%d" width="%.2f" height="%d" fill="%s" stroke="#fff" stroke-width=".5"/>`,
		Escape(d.Tooltip), x, y, d.Width, RowHeight-1, d.Colour)
	if letters := int(d.Width / flameLetter); letters >= flameMinLabel {
		fmt.Fprintf(body, `<text x="%.2f" y="%d">%s</text>`, x+3, y+12, Escape(clip(d.Label, letters-1)))
	}
	body.WriteString("</g>\n")
}

// Write writes a whole SVG document of flameWidth and so many pixels in height.
func Write(w io.Writer, title string, height int, body string) error {
	_, err := fmt.Fprintf(w, `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %d" font-family="sans-serif" font-size="11" fill="#111">
<title>%s</title>
<rect width="100%%" height="100%%" fill="#fff"/>
<text x="4" y="17" font-size="14">%s</text>
%s</svg>
`, Width, height+4, Escape(title), Escape(title), body)
	return err
}

func clip(s string, letters int) string {
	r := []rune(s)
	if len(r) <= letters {
		return s
	}
	return string(r[:max(0, letters-1)]) + "…"
}

// Escape escapes for text and attributes; what XML cannot hold becomes U+FFFD.
func Escape(s string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(s)); err != nil {
		panic(err) // a strings.Builder does not fail
	}
	return b.String()
}
