package prof

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// The picture's measures, in pixels.
const (
	flameWidth    = 1200.0
	flameRow      = 17
	flameTop      = 26  // above the first row: the title
	flameLeast    = 0.3 // narrower frames are not drawn
	flameLetter   = 6.6 // mean width of a letter
	flameMinLabel = 3   // letters
)

// drawing is how a frame of a flame graph looks; its tooltip may have several lines.
type drawing struct {
	width                  float64
	colour, label, tooltip string
}

// drawTree draws a flame graph from y on, and returns where it ends.
func drawTree[F any](body *strings.Builder, root F, y int, look func(F) drawing, children func(F) []F) (bottom int) {
	var draw func(f F, x float64, y int) (width float64)
	draw = func(f F, x float64, y int) float64 {
		d := look(f)
		if d.width >= flameLeast {
			d.write(body, x, y)
			bottom = max(bottom, y+flameRow)
			for _, c := range children(f) {
				x += draw(c, x, y+flameRow)
			}
		}
		return d.width
	}
	draw(root, 0, y)
	return max(bottom, y+flameRow)
}

func (d drawing) write(body *strings.Builder, x float64, y int) {
	fmt.Fprintf(body,
		`<g><title>%s</title><rect x="%.2f" y="%d" width="%.2f" height="%d" fill="%s" stroke="#fff" stroke-width=".5"/>`,
		xmlText(d.tooltip), x, y, d.width, flameRow-1, d.colour)
	if letters := int(d.width / flameLetter); letters >= flameMinLabel {
		fmt.Fprintf(body, `<text x="%.2f" y="%d">%s</text>`, x+3, y+12, xmlText(clip(d.label, letters-1)))
	}
	body.WriteString("</g>\n")
}

// writePicture writes a whole SVG document of flameWidth and so many pixels in height.
func writePicture(w io.Writer, title string, height int, body string) error {
	_, err := fmt.Fprintf(w, `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %d" font-family="sans-serif" font-size="11" fill="#111">
<title>%s</title>
<rect width="100%%" height="100%%" fill="#fff"/>
<text x="4" y="17" font-size="14">%s</text>
%s</svg>
`, flameWidth, height+4, xmlText(title), xmlText(title), body)
	return err
}

func clip(s string, letters int) string {
	r := []rune(s)
	if len(r) <= letters {
		return s
	}
	return string(r[:max(0, letters-1)]) + "…"
}

// xmlText escapes for text and attributes; what XML cannot hold becomes U+FFFD.
func xmlText(s string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(s)); err != nil {
		panic(err) // a strings.Builder does not fail
	}
	return b.String()
}
