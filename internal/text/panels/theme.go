package panels

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Theme is how text is dressed. The zero Theme writes plain text without any escape
// sequence.
type Theme struct {
	// Colour allows colours: blue and orange, which everybody can tell apart.
	Colour bool
	// Light is for terminals with a light background.
	Light bool
}

// role is what a text is in the picture.
type role uint8

const (
	plain   role = iota
	strong       // values
	primary      // plots
	accent       // the second series of a plot, marks, warnings
	faint        // what explains
)

// Colours of the 256 that terminals have (the numbers are those of xterm's palette), for
// dark and for light backgrounds.
var (
	onDark  = map[role]ansi.IndexedColor{primary: 39, accent: 214, faint: 245}
	onLight = map[role]ansi.IndexedColor{primary: 26, accent: 166, faint: 242}
)

// paint dresses a text.
func (t Theme) paint(r role, text string) string {
	if !t.Colour || r == plain || text == "" {
		return text
	}
	if r == strong {
		return ansi.NewStyle().Bold().Styled(text)
	}
	colours := onDark
	if t.Light {
		colours = onLight
	}
	return ansi.NewStyle().ForegroundColor(colours[r]).Styled(text)
}

// word is a text in its role.
type word struct {
	role role
	text string
}

// line is words side by side. Its width is counted before it is dressed.
type line []word

func (l line) width() int {
	n := 0
	for _, w := range l {
		n += ansi.StringWidth(w.text)
	}
	return n
}

// fit cuts the line to a width, and fills it up to it.
func (l line) fit(width int) line {
	var cut line
	left := width
	for _, w := range l {
		n := ansi.StringWidth(w.text)
		if n > left {
			w.text = ansi.Truncate(w.text, left, "~")
			n = ansi.StringWidth(w.text)
		}
		if w.text != "" {
			cut = append(cut, w)
		}
		left -= n
		if left <= 0 {
			return cut
		}
	}
	return append(cut, word{plain, strings.Repeat(" ", left)})
}

// dress writes the line with the theme.
func (l line) dress(t Theme) string {
	var b strings.Builder
	for _, w := range l {
		b.WriteString(t.paint(w.role, w.text))
	}
	return b.String()
}
