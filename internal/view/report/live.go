package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/text/panels"
	"github.com/gohone/hone/internal/text/progress"
	"github.com/gohone/hone/internal/text/vitals"
)

// Live is progress with panels: on a terminal that has room for them it shows what each
// program does while it is measured, in place, and takes them away at the end. Elsewhere
// it is Progress.
type Live struct {
	*Progress
	title string
	size  func() panels.Size // of the terminal
	theme panels.Theme

	state   panels.State
	groups  map[string]*gathering
	lines   int // that stand on the terminal
	shownAt time.Time
}

// NewLive writes to w. size is that of the terminal, and nil where there is none.
func NewLive(w io.Writer, title string, size func() panels.Size, theme panels.Theme, quiet bool) *Live {
	return &Live{Progress: NewProgress(w, size != nil, quiet), title: title, size: size, theme: theme,
		groups: map[string]*gathering{}}
}

// Room below which there is one line and no panels.
const (
	liveWidth  = 60
	liveHeight = 12
	mostHeight = 24 // what was on the terminal before stays in sight on a large one
)

// liveEvery is the time of one reading, and one picture.
const liveEvery = 500 * time.Millisecond

// panelled says whether there is room for panels.
func (l *Live) panelled() bool {
	if l.size == nil || l.quiet {
		return false
	}
	s := l.size()
	return s.Width >= liveWidth && s.Height >= liveHeight
}

// Phase begins a phase.
func (l *Live) Phase(name string, expected time.Duration) {
	l.erase()
	l.state.Phase = name
	l.Progress.Phase(name, expected)
}

// Tick takes a slice into the readings, and draws now and then.
func (l *Live) Tick(t progress.Tick) {
	if t.Vitals == nil || !l.panelled() {
		l.Progress.Tick(t)
		return
	}
	g := l.groups[t.Variant]
	if g == nil {
		g = &gathering{history: vitals.NewHistory(panels.MostColumns)}
		l.groups[t.Variant] = g
		l.state.Groups = append(l.state.Groups, panels.Group{Name: t.Variant, History: g.history})
		slices.SortFunc(l.state.Groups, func(a, b panels.Group) int { return strings.Compare(a.Name, b.Name) })
	}
	g.add(t.Vitals())
	g.lately = t.Lately
	now := l.now()
	if now.Sub(l.shownAt) < liveEvery {
		return
	}
	l.shownAt = now
	for _, g := range l.groups {
		g.flush(now)
	}
	l.state.Title, l.state.Done, l.state.Total = l.title, t.Done, t.Total
	l.state.Notes = nil
	if t.Note != "" {
		l.state.Notes = []string{t.Note}
	}
	l.show()
}

// show draws the panels where they stand, or below what is there.
func (l *Live) show() {
	size := l.size()
	size.Height = min(size.Height-1, mostHeight)
	text := panels.Render(l.state, size, l.theme)
	var b strings.Builder
	if l.lines == 0 {
		l.Progress.Clear()
	} else {
		fmt.Fprintf(&b, "\x1b[%dF", l.lines) // to the first of them
	}
	lines := strings.Split(strings.TrimRight(text, "\n "), "\n")
	for _, line := range lines {
		b.WriteString("\x1b[K" + line + "\n") // after a full line an erasure would take its last character
	}
	b.WriteString("\x1b[J")
	l.lines = len(lines)
	io.WriteString(l.w, b.String())
}

// erase takes the panels off the terminal.
func (l *Live) erase() {
	if l.lines > 0 {
		fmt.Fprintf(l.w, "\x1b[%dF\x1b[J", l.lines)
		l.lines = 0
	}
}

// Warn prints a warning above the panels.
func (l *Live) Warn(text string) {
	l.erase()
	l.Progress.Warn(text)
}

// Clear takes everything off the terminal.
func (l *Live) Clear() {
	l.erase()
	l.Progress.Clear()
}

// gathering makes readings of a program's slices.
type gathering struct {
	history *vitals.History
	slices  []vitals.Reading
	lately  func(*vitals.Reading) // of the latest tick; may be nil
}

func (g *gathering) add(r vitals.Reading) { g.slices = append(g.slices, r) }

// flush makes the slices since the last time one reading.
func (g *gathering) flush(at time.Time) {
	if len(g.slices) == 0 {
		return
	}
	r := vitals.Thin(g.slices, 1)[0]
	r.At = at
	if g.lately != nil {
		g.lately(&r)
	}
	g.slices = g.slices[:0]
	g.history.Add(r)
}
