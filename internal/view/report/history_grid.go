package report

import (
	"strings"
)

// grid lays out lines of cells in columns, with lines between them that belong to none.
// The last cell of a row may be of any length: it makes no column wider.
type grid struct{ lines []gridLine }

type gridLine struct {
	cells []string
	note  string // instead of cells
}

func (t *grid) row(cells ...string) { t.lines = append(t.lines, gridLine{cells: cells}) }
func (t *grid) note(text string)    { t.lines = append(t.lines, gridLine{note: text}) }

func (t *grid) write(b *strings.Builder) {
	var widths []int
	for _, l := range t.lines {
		for i, c := range l.cells {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			if i < len(l.cells)-1 {
				widths[i] = max(widths[i], len(c))
			}
		}
	}
	for _, l := range t.lines {
		line := l.note
		for i, c := range l.cells {
			if i > 0 {
				line += "  "
			}
			line += c + strings.Repeat(" ", max(0, widths[i]-len(c)))
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}
