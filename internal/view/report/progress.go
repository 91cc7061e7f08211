package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/progress"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/internal/text/units"
)

// Progress writes what is going on to stderr: one line that redraws on a terminal,
// one line per phase elsewhere. Of the texts that it is given nothing reaches a terminal
// that would steer it. It implements progress.Sink.
type Progress struct {
	w        io.Writer
	terminal bool
	quiet    bool
	phase    string
	expected time.Duration
	drawn    time.Time
	width    int // of the line that stands on the terminal
	now      func() time.Time
}

var _ progress.Sink = (*Progress)(nil)

// redraw is the shortest time between two drawings of the line.
const redraw = 200 * time.Millisecond

// NewProgress writes to w. quiet leaves only the warnings.
func NewProgress(w io.Writer, terminal, quiet bool) *Progress {
	return &Progress{w: w, terminal: terminal, quiet: quiet, now: time.Now}
}

// Phase begins a phase.
func (p *Progress) Phase(name string, expected time.Duration) {
	p.phase, p.expected = name, expected
	if p.quiet {
		return
	}
	line := name
	if expected > 0 {
		line += fmt.Sprintf(" (%s)", units.Seconds(expected))
	}
	if p.terminal {
		p.draw(line + " ...")
		return
	}
	fmt.Fprintln(p.w, printable.Line(redact.Text(line)))
}

// Tick redraws the line with the state after a slice; without a terminal it is silent.
func (p *Progress) Tick(t progress.Tick) {
	if p.quiet || !p.terminal || p.now().Sub(p.drawn) < redraw {
		return
	}
	var parts []string
	if t.Total > 0 {
		parts = append(parts, units.Seconds(max(0, t.Total-t.Done).Round(time.Second))+" left")
	} else {
		parts = append(parts, units.Seconds(t.Done.Round(time.Second)))
	}
	if !t.NoLoad {
		rate := strings.TrimSpace(t.Variant + " " + units.Rate(t.RatePerSec))
		if t.AskedPerSec > 0 {
			rate += " of " + units.Rate(t.AskedPerSec)
		}
		parts = append(parts, rate, "p99 "+units.Nanos(float64(t.P99)), "errors "+units.Count(t.Errors))
	}
	if t.Note != "" {
		parts = append(parts, t.Note)
	}
	p.draw(p.phase + ": " + strings.Join(parts, "  "))
}

// Warn prints a warning on a line of its own.
func (p *Progress) Warn(text string) {
	p.Clear()
	fmt.Fprintln(p.w, "hone: "+printable.Indented(redact.Text(text)))
}

// Clear takes the progress line off the terminal.
func (p *Progress) Clear() {
	if p.terminal && p.width > 0 {
		fmt.Fprintf(p.w, "\r%s\r", strings.Repeat(" ", p.width))
		p.width = 0
	}
}

func (p *Progress) draw(line string) {
	line = printable.Line(redact.Text(line))
	pad := max(0, p.width-len(line))
	fmt.Fprintf(p.w, "\r%s%s", line, strings.Repeat(" ", pad))
	p.width, p.drawn = len(line), p.now()
}
