package film

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"maps"
	"slices"
	"strings"
)

const (
	margin = 20 // units, on each side
	head   = 52 // units above the first line, with the clock
)

// span is a time: from one frame until another.
type span struct{ from, to int }

// SVG draws the film, which begins again at its end. The title says what it shows, the description how it was made.
// Readers who want less motion, and programs without CSS animations, show the last frame.
func (f *Film) SVG(title, description string) []byte {
	drawn := f.spans()
	spans := slices.SortedFunc(maps.Keys(drawn), func(a, b span) int { return cmp.Or(a.from-b.from, a.to-b.to) })
	w, h := width*cellWidth+2*margin, height*lineHeight+head+margin
	var out bytes.Buffer
	fmt.Fprintf(&out,
		`<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="%[2]d" viewBox="0 0 %[1]d %[2]d" role="img" font-family="ui-monospace,Menlo,Consolas,monospace" font-size="16.6" fill="#e6e9ef">`+"\n", w, h)
	fmt.Fprintf(&out, "<title>%s</title>\n<desc>%s</desc>\n", html.EscapeString(title), html.EscapeString(description))
	fmt.Fprintf(&out, "<style>\n%s</style>\n", f.style(spans))
	fmt.Fprintf(&out, `<rect x=".5" y=".5" width="%d" height="%d" rx="10" fill="#14181f" stroke="#3d444d"/>`+"\n", w-1,
		h-1)
	fmt.Fprintf(&out, `<g transform="translate(%d %d)">`+"\n", margin, head)
	fmt.Fprintf(&out, `<text y="-20" fill="#8a8a8a">%s</text>`+"\n", html.EscapeString(title))
	for _, s := range spans {
		fmt.Fprintf(&out, "<g%s>%s</g>\n", f.attributes(s), strings.Join(drawn[s], ""))
	}
	out.WriteString("</g>\n</svg>\n")
	return out.Bytes()
}

// spans are the lines, by the time in which they are shown.
func (f *Film) spans() map[span][]string {
	drawn := map[span][]string{}
	for y := range f.frames[0].lines {
		for from := 0; from < len(f.frames); {
			to, line := from+1, f.frames[from].lines[y]
			for to < len(f.frames) && f.frames[to].lines[y] == line {
				to++
			}
			if line != "" {
				drawn[span{from, to}] = append(drawn[span{from, to}], line)
			}
			from = to
		}
	}
	return drawn
}

// attributes are those of what is shown in this time: an animation, unless it is always, and hidden at first, unless it
// is the end.
func (f *Film) attributes(s span) string {
	hidden := ""
	if s.to < len(f.frames) {
		hidden = ` visibility="hidden"`
	}
	if s.from == 0 && s.to == len(f.frames) {
		return ""
	}
	return fmt.Sprintf(` class="%s"%s`, s, hidden)
}

func (s span) String() string { return fmt.Sprintf("f%d-%d", s.from, s.to) }

// style is the CSS: the colours, and the keyframes of each time.
func (f *Film) style(spans []span) string {
	var out strings.Builder
	out.WriteString("path{shape-rendering:crispEdges}\n")
	for _, css := range slices.Sorted(maps.Keys(f.colours)) {
		fmt.Fprintf(&out, ".%s{%s}\n", f.colours[css], css)
	}
	fmt.Fprintf(&out, "g{animation:%.2fs step-end infinite}\n", f.at.Seconds())
	for _, s := range spans {
		if f.attributes(s) != "" {
			fmt.Fprintf(&out, ".%s{animation-name:%s}@keyframes %s{%s}\n", s, s, s, f.keyframes(s))
		}
	}
	out.WriteString("@media (prefers-reduced-motion:reduce){g{animation:none!important}}\n")
	return out.String()
}

func (f *Film) keyframes(s span) string {
	steps := ""
	if s.from > 0 {
		steps = "0%{visibility:hidden}"
	}
	steps += f.percent(s.from) + "{visibility:visible}"
	if s.to < len(f.frames) {
		steps += f.percent(s.to) + "{visibility:hidden}"
	}
	return steps
}

// percent is when a frame begins, as a part of the film.
func (f *Film) percent(n int) string {
	return fmt.Sprintf("%.2f%%", 100*f.frames[n].at.Seconds()/f.at.Seconds())
}
