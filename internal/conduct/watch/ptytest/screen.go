package ptytest

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/charmbracelet/x/vt"
)

// Screen is what a terminal shows. Bytes are written to it as to the terminal.
type Screen struct {
	mu       sync.Mutex
	emulator *vt.Emulator
	hidden   bool // the cursor
	unknown  []string
}

// NewScreen is a blank one, until Close.
func NewScreen(width, height int) *Screen {
	s := &Screen{emulator: vt.NewEmulator(width, height)}
	s.emulator.SetCallbacks(vt.Callbacks{CursorVisibility: func(visible bool) { s.hidden = !visible }})
	s.emulator.SetLogger(s)
	s.emulator.RegisterEscHandler('\\', func() bool { return true }) // the end of a string
	// its answers to questions of the program; ends with Close
	go func() { _, _ = io.Copy(io.Discard, s.emulator) }()
	return s
}

// Close ends what answers the program; the screen can still be read.
func (s *Screen) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.emulator.InputPipe().(io.Closer).Close() // Emulator.Close races with the reader of the answers
}

// Printf notes what the emulator logs of a sequence that it does not understand, but for those of
// keyboards (CSI > m, CSI u), which draw nothing.
func (s *Screen) Printf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if strings.HasPrefix(text, "unhandled") && !strings.HasSuffix(text, `m"`) && !strings.HasSuffix(text, `u"`) {
		s.unknown = append(s.unknown, text)
	}
}

// Resize changes its size.
func (s *Screen) Resize(width, height int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.emulator.Resize(width, height)
}

// Text is what it shows, without blanks at the ends of lines.
func (s *Screen) Text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	lines := make([]string, s.emulator.Height())
	for y := range lines {
		var line strings.Builder
		for x := range s.emulator.Width() {
			if cell := s.emulator.CellAt(x, y); cell != nil {
				line.WriteString(cell.Content)
			}
		}
		lines[y] = strings.TrimRight(line.String(), " ")
	}
	return strings.Join(lines, "\n")
}

// Restored says that the terminal is as programs leave it: the normal screen, the cursor
// visible.
func (s *Screen) Restored() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.emulator.IsAltScreen() && !s.hidden
}

// Alternate says that the alternate screen is shown.
func (s *Screen) Alternate() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.emulator.IsAltScreen()
}

// Unknown are the sequences that the emulator does not understand.
func (s *Screen) Unknown() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.unknown)
}

// Write takes in what a program writes.
func (s *Screen) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.emulator.Write(text)
}
