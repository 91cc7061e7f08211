package ptytest

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// Screen is what a terminal shows. Bytes are written to it as to the terminal. It knows
// the sequences of ECMA-48 and of xterm that move the cursor, erase and scroll; colours and
// modes are passed over, but for the alternate screen and the cursor.
type Screen struct {
	mu            sync.Mutex
	width, height int
	cells         [][]rune
	x, y          int
	wrap          bool // the next letter begins a new line
	top, bottom   int  // of the region that scrolls, inclusive
	rest          []byte
	alternate     bool
	normal        [][]rune // the other screen, with its cursor
	normalX       int
	normalY       int
	hidden        bool
	unknown       []string
	last          rune
}

// NewScreen is a blank one.
func NewScreen(width, height int) *Screen {
	s := &Screen{}
	s.Resize(width, height)
	return s
}

// Resize makes it blank at another size.
func (s *Screen) Resize(width, height int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.width, s.height = width, height
	s.cells = make([][]rune, height)
	for y := range s.cells {
		s.cells[y] = s.blank()
	}
	s.x, s.y, s.top, s.bottom = 0, 0, 0, height-1
}

func (s *Screen) blank() []rune { return []rune(strings.Repeat(" ", s.width)) }

// Text is what it shows, without blanks at the ends of lines.
func (s *Screen) Text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	lines := make([]string, s.height)
	for y, row := range s.cells {
		lines[y] = strings.TrimRight(string(row), " ")
	}
	return strings.Join(lines, "\n")
}

// Restored says that the terminal is as programs leave it: the normal screen, the cursor
// visible.
func (s *Screen) Restored() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.alternate && !s.hidden
}

// Alternate says that the alternate screen is shown.
func (s *Screen) Alternate() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.alternate
}

// Unknown are the sequences that Screen does not understand.
func (s *Screen) Unknown() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.unknown)
}

// Write takes in what a program writes.
func (s *Screen) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rest = append(s.rest, text...)
	for len(s.rest) > 0 {
		n := s.step(s.rest)
		if n == 0 { // not whole yet
			break
		}
		s.rest = s.rest[n:]
	}
	return len(text), nil
}

// step takes one letter or sequence and returns its length, 0 if it is not whole.
func (s *Screen) step(b []byte) int {
	switch c := b[0]; {
	case c == 0x1b:
		return s.escape(b)
	case c == '\r':
		s.x, s.wrap = 0, false
	case c == '\n':
		s.down()
	case c == '\b':
		s.x, s.wrap = max(0, s.x-1), false
	case c == '\t':
		s.x, s.wrap = min(s.width-1, (s.x/8+1)*8), false
	case c < 0x20 || c == 0x7f:
	default:
		if !utf8.FullRune(b) {
			return 0
		}
		r, n := utf8.DecodeRune(b)
		s.put(r)
		return n
	}
	return 1
}

func (s *Screen) put(r rune) {
	if s.wrap {
		s.x, s.wrap = 0, false
		s.down()
	}
	s.cells[s.y][s.x], s.last = r, r
	if s.x == s.width-1 {
		s.wrap = true
		return
	}
	s.x++
}

// down moves to the next line, and scrolls at the end of the region.
func (s *Screen) down() {
	s.wrap = false
	switch {
	case s.y == s.bottom:
		s.scroll(s.top, s.bottom, 1)
	case s.y < s.height-1:
		s.y++
	}
}

// scroll moves the lines from top to bottom up by n, or down by -n.
func (s *Screen) scroll(top, bottom, n int) {
	for range max(n, -n) {
		if n > 0 {
			s.cells = slices.Insert(slices.Delete(s.cells, top, top+1), bottom, s.blank())
		} else {
			s.cells = slices.Insert(slices.Delete(s.cells, bottom, bottom+1), top, s.blank())
		}
	}
}

// escape takes a sequence that begins with ESC.
func (s *Screen) escape(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '[':
		for i := 2; i < len(b); i++ {
			if b[i] >= 0x40 && b[i] <= 0x7e {
				s.control(string(b[2:i]), b[i])
				return i + 1
			}
		}
		return 0
	case ']', 'P', '_', '^': // a string, up to BEL or ST
		for i := 2; i < len(b); i++ {
			if b[i] == 0x07 {
				return i + 1
			}
			if b[i] == 0x1b && i+1 < len(b) && b[i+1] == '\\' {
				return i + 2
			}
		}
		return 0
	case 'M':
		if s.y == s.top {
			s.scroll(s.top, s.bottom, -1)
		} else {
			s.y = max(0, s.y-1)
		}
	case '(', ')':
		if len(b) < 3 {
			return 0
		}
		return 3
	case '7', '8', '=', '>', '\\':
	default:
		s.unknown = append(s.unknown, string(b[:2]))
	}
	return 2
}

// control carries out CSI parameters final.
func (s *Screen) control(parameters string, final byte) {
	n := func(i, otherwise int) int {
		all := strings.Split(parameters, ";")
		if i < len(all) {
			if v, err := strconv.Atoi(all[i]); err == nil && v > 0 {
				return min(v, 9999) // as xterm has it
			}
		}
		return otherwise
	}
	private := parameters != "" && strings.ContainsRune("?><=", rune(parameters[0]))
	s.wrap = s.wrap && (final == 'm' || private)
	switch final {
	case 'm', 'n', 'c', 'q', 't', 'u', 'W', 'p', 'g':
		return
	case 'h', 'l':
		s.mode(parameters, final == 'h')
		return
	}
	if private {
		s.unknown = append(s.unknown, "CSI "+parameters+string(final))
		return
	}
	switch final {
	case 'H', 'f':
		s.y, s.x = n(0, 1)-1, n(1, 1)-1
	case 'A':
		s.y -= n(0, 1)
	case 'B', 'e':
		s.y += n(0, 1)
	case 'C', 'a':
		s.x += n(0, 1)
	case 'D':
		s.x -= n(0, 1)
	case 'E':
		s.y, s.x = s.y+n(0, 1), 0
	case 'F':
		s.y, s.x = s.y-n(0, 1), 0
	case 'G', '`':
		s.x = n(0, 1) - 1
	case 'd':
		s.y = n(0, 1) - 1
	case 'I':
		s.x = (s.x/8 + n(0, 1)) * 8
	case 'Z':
		s.x = max(0, (s.x+7)/8-n(0, 1)) * 8
	case 'r':
		if top, bottom := n(0, 1)-1, min(n(1, s.height), s.height)-1; top < bottom {
			s.top, s.bottom = top, bottom
			s.x, s.y = 0, 0
		}
	case 'S':
		s.scroll(s.top, s.bottom, n(0, 1))
	case 'T':
		s.scroll(s.top, s.bottom, -n(0, 1))
	case 'L', 'M':
		if s.y >= s.top && s.y <= s.bottom {
			s.scroll(s.y, s.bottom, map[byte]int{'L': -1, 'M': 1}[final]*n(0, 1))
		}
	case 'b':
		for range n(0, 1) {
			s.put(s.last)
		}
	case 'J', 'K', 'X', 'P', '@':
		s.edit(final, n(0, 1), parameters)
	default:
		s.unknown = append(s.unknown, "CSI "+parameters+string(final))
	}
	s.x, s.y = min(max(s.x, 0), s.width-1), min(max(s.y, 0), s.height-1)
}

// edit erases, deletes and inserts.
func (s *Screen) edit(final byte, n int, parameters string) {
	row := s.cells[s.y]
	erase := func(row []rune) {
		for i := range row {
			row[i] = ' '
		}
	}
	switch final {
	case 'K', 'J':
		below, above := parameters == "" || parameters == "0" || parameters == "2", parameters == "1" || parameters == "2"
		if below {
			erase(row[s.x:])
		}
		if above {
			erase(row[:s.x+1])
		}
		if final == 'J' {
			for y := range s.cells {
				if y > s.y && below || y < s.y && above {
					erase(s.cells[y])
				}
			}
		}
	case 'X':
		erase(row[s.x:min(s.width, s.x+n)])
	case 'P':
		n = min(n, s.width-s.x)
		copy(row[s.x:], row[s.x+n:])
		erase(row[s.width-n:])
	case '@':
		n = min(n, s.width-s.x)
		copy(row[s.x+n:], slices.Clone(row[s.x:s.width-n]))
		erase(row[s.x : s.x+n])
	}
}

func (s *Screen) mode(parameters string, on bool) {
	for _, p := range strings.Split(strings.TrimPrefix(parameters, "?"), ";") {
		switch p {
		case "1049":
			if on == s.alternate {
				break
			}
			s.alternate = on
			if on {
				s.normal, s.normalX, s.normalY = s.cells, s.x, s.y
				s.cells = make([][]rune, s.height)
				for y := range s.cells {
					s.cells[y] = s.blank()
				}
			} else if len(s.normal) == s.height && len(s.normal[0]) == s.width {
				s.cells, s.x, s.y = s.normal, s.normalX, s.normalY
			}
			s.wrap = false
		case "25":
			s.hidden = !on
		}
	}
}
