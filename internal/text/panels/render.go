package panels

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
)

// Render draws the state: size.Height lines of size.Width cells at most, separated by
// newlines. Of a size that is none it draws nothing.
func Render(s State, size Size, t Theme) string {
	if size.Width < 1 || size.Height < 1 {
		return ""
	}
	top := s.header(size)
	bottom := s.footer(size)
	room := size.Height - len(top) - len(bottom)
	if room < 1 { // a slit: the first row says most
		top, bottom, room = nil, nil, size.Height
	}
	body := s.body(size.Width, room)
	var b strings.Builder
	for i, l := range append(append(top, body...), bottom...) {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(strings.TrimRight(l.fit(size.Width).dress(t), " "))
	}
	return b.String()
}

// body is what is between header and footer, exactly room lines.
func (s *State) body(width, room int) []line {
	if s.Help {
		return s.help(width, room)
	}
	columns := s.columns(width)
	some := false
	for _, c := range columns {
		some = some || len(c.blocks) > 0
	}
	if !some {
		return pad([]line{{{faint, "no readings yet"}}}, room)
	}
	each := (width - between*(len(columns)-1)) / len(columns)
	var drawn [][]line
	for _, c := range columns {
		drawn = append(drawn, c.lines(each, room))
	}
	return pad(joinColumns(drawn, between), room)
}

// pad makes exactly room lines of some.
func pad(lines []line, room int) []line {
	for len(lines) < room {
		lines = append(lines, nil)
	}
	return lines[:room]
}

// header says what is looked at, and how far it is.
func (s *State) header(size Size) []line {
	var state line
	if s.Paused {
		state = append(state, word{accent, " paused "})
	}
	if s.Phase != "" && s.Total == 0 {
		state = append(state, word{accent, " " + printable.Line(s.Phase) + " "})
	}
	for _, g := range s.Groups {
		if last := g.History.Last(); last != nil {
			state = append(state, word{faint, " " + last.At.Format("15:04:05")})
			break
		}
	}
	width := min(state.width(), size.Width)
	lines := []line{append(line{{strong, printable.Line(s.Title)}}.fit(size.Width-width), state...)}
	if s.Total > 0 {
		lines = append(lines, s.bar(size.Width))
	}
	if size.Height >= 20 {
		lines = append(lines, nil)
	}
	return lines
}

// bar is how far a measurement is.
func (s *State) bar(width int) line {
	left := max(0, s.Total-s.Done)
	head := s.Phase
	if head != "" {
		head = printable.Line(head) + "  "
	}
	tail := fmt.Sprintf("  %s of %s, %s left", units.Seconds(s.Done), units.Seconds(s.Total), units.Seconds(left))
	cells := width - len([]rune(head)) - len(tail)
	if cells < 8 {
		return line{{plain, head}, {faint, strings.TrimSpace(tail)}}
	}
	share := min(1, max(0, float64(s.Done)/float64(s.Total)))
	full := int(share*float64(cells) + 0.5)
	return line{{plain, head}, {primary, strings.Repeat("█", full)}, {faint, strings.Repeat("░", cells-full)},
		{faint, tail}}
}

// footer is notes, warnings and keys: a quarter of the picture at most.
func (s *State) footer(size Size) []line {
	room := size.Height/4 - 1
	var lines []line
	if s.Help { // it has all of this
		return []line{s.keys()}
	}
	notes := s.Notes[max(0, len(s.Notes)-max(1, min(3, room/2))):]
	if room < 1 {
		notes = nil
	}
	for _, n := range notes {
		lines = append(lines, line{{plain, "* " + printable.Line(n)}})
	}
	room -= len(notes)
	warnings := s.Warnings
	if len(warnings) > room {
		warnings = warnings[:max(0, room)]
	}
	for i, w := range warnings {
		text := "! " + printable.Line(w)
		if more := len(s.Warnings) - len(warnings); more > 0 && i == len(warnings)-1 {
			text = fmt.Sprintf("! (+%d more, see ?) %s", more, printable.Line(w))
		}
		lines = append(lines, line{{accent, text}})
	}
	if keys := s.keys(); len(keys) > 0 {
		lines = append(lines, keys)
	}
	return lines
}

func (s *State) keys() line {
	var l line
	for i, k := range s.Keys {
		if i > 0 {
			l = append(l, word{plain, "   "})
		}
		l = append(l, word{strong, k.Name}, word{faint, " " + k.Does})
	}
	return l
}

// help explains the keys and the rows that there are, and has all warnings in full.
func (s *State) help(width, room int) []line {
	var lines []line
	say := func(name, text string, r role) {
		for i, part := range wrap(printable.Line(text), max(10, width-labelWidth-2)) {
			if i > 0 {
				name = ""
			}
			lines = append(lines, append(line{{r, name}}.fit(labelWidth+2), word{plain, part}))
		}
	}
	for _, w := range s.Warnings {
		say("!", w, accent)
	}
	for _, k := range s.Keys {
		if k.Help != "" {
			say(k.Name, k.Help, strong)
		}
	}
	for _, in := range s.shown() {
		say(in.label, in.help, strong)
	}
	for _, l := range []*list{causes, busiest, durations} {
		for _, g := range s.Groups {
			if all, _ := l.latest(g.History); len(all) > 0 {
				say(l.label, l.help, strong)
				break
			}
		}
	}
	say("·····", "no data for this time", faint)
	return pad(lines, room)
}

// wrap breaks a text into lines at spaces.
func wrap(text string, width int) []string {
	var lines []string
	now := ""
	for _, w := range strings.Fields(text) {
		if now != "" && len([]rune(now))+1+len([]rune(w)) > width {
			lines = append(lines, now)
			now = ""
		}
		if now != "" {
			now += " "
		}
		now += w
	}
	return append(lines, now)
}
