package prof

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
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

// WriteSVG draws the flame graph, the root on top, as a picture that needs nothing else:
// each frame is as wide as its value, and its tooltip has the numbers.
func (f *Flame) WriteSVG(w io.Writer, title string) error {
	var p picture
	depth := 0
	scale := flameWidth / max(1, math.Abs(float64(f.Root.Value)))
	var draw func(frame *Frame, x float64, level int)
	draw = func(frame *Frame, x float64, level int) {
		width := scale * float64(frame.Value)
		if width < flameLeast {
			return
		}
		depth = max(depth, level)
		tooltip := fmt.Sprintf("%s\n%s of %s (%s), itself %s", frame.Place, f.values.text(frame.Value),
			f.values.text(f.Total), share(frame.Value, f.Total), f.values.text(frame.Self))
		p.frame(x, flameTop+level*flameRow, width, flameColour(frame.Function), shortPlace(frame.Place), tooltip)
		for _, c := range frame.Children {
			draw(c, x, level+1)
			x += scale * float64(c.Value)
		}
	}
	draw(f.Root, 0, 0)
	return writePicture(w, title, flameTop+(depth+1)*flameRow, p.body.String())
}

// picture is the frames of a flame graph as SVG.
type picture struct{ body strings.Builder }

// frame draws one frame; its tooltip may have several lines.
func (p *picture) frame(x float64, y int, width float64, colour, label, tooltip string) {
	fmt.Fprintf(&p.body, `<g><title>%s</title><rect x="%.2f" y="%d" width="%.2f" height="%d" fill="%s" stroke="#fff" stroke-width=".5"/>`,
		xmlText(tooltip), x, y, width, flameRow-1, colour)
	if letters := int(width / flameLetter); letters >= flameMinLabel {
		fmt.Fprintf(&p.body, `<text x="%.2f" y="%d">%s</text>`, x+3, y+12, xmlText(clip(label, letters-1)))
	}
	p.body.WriteString("</g>\n")
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

// shortPlace is a place without the directories of its package.
func shortPlace(p Place) string {
	if p.Function != "" {
		p.Function = shortFunction(p.Function)
	}
	if p.File != "" {
		p.File = ShortFile(p.File)
	}
	return p.String()
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

// flameColour tells three kinds of code apart, also for those who see no red or green:
// grey for the runtime, blue for the standard library, orange for all else. Packages of
// a kind differ in lightness.
func flameColour(function string) string {
	path := PackagePath(function)
	hue, saturation := 30, 85
	switch {
	case path == "" || path == "runtime" || strings.HasPrefix(path, "runtime/") || strings.HasPrefix(path, "internal/runtime/"):
		saturation = 0
	case !isUser(function, ""):
		hue, saturation = 205, 55
	}
	var hash uint32 = 2166136261 // FNV-1a
	for _, c := range []byte(path) {
		hash = (hash ^ uint32(c)) * 16777619
	}
	return fmt.Sprintf("hsl(%d %d%% %d%%)", hue, saturation, 66+hash%16)
}
