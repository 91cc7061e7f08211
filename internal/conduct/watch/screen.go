package watch

import (
	"context"
	"errors"
	"io"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/panels"
	"github.com/gohone/hone/internal/text/vitals"
)

// Screen is a display that redraws the whole terminal and takes keys.
type Screen struct {
	program *tea.Program
	// latest has the newest picture that was not drawn yet.
	latest chan panels.State
	over   chan struct{}
}

var _ Display = (*Screen)(nil)

// ScreenOptions say where a screen is drawn.
type ScreenOptions struct {
	// Input has the keys, nil for those of the terminal, also when standard input is
	// something else. Output is the terminal.
	Input  io.Reader
	Output io.Writer
	// NoColour rules colours out, Colour asks for them whatever the terminal says of itself;
	// without either the terminal decides.
	NoColour, Colour bool
	// Do hears what the user asks for. It must not wait.
	Do func(Action)
}

// ScreenKeys are the keys of a screen.
func ScreenKeys() []panels.Key {
	return []panels.Key{
		{Name: "p", Does: "profile",
			Help: "take profiles now (5 s of CPU, allocations, heap, goroutines) and keep them as a run"},
		{Name: "m", Does: "mark", Help: "set a mark at this moment, in the picture and in what s saves"},
		{Name: "s", Does: "save", Help: "keep all readings so far, and the marks, as a run"},
		{Name: "space", Does: "pause", Help: "stop the picture, and let it go on; hone still takes readings"},
		{Name: "q", Does: "quit", Help: "end; Ctrl-C does the same"},
		{Name: "?", Does: "help", Help: "show this, and the rows again"},
	}
}

// NewScreen draws nothing yet.
func NewScreen(o ScreenOptions) *Screen {
	s := &Screen{latest: make(chan panels.State, 1), over: make(chan struct{})}
	options := []tea.ProgramOption{tea.WithOutput(o.Output), tea.WithoutSignalHandler()}
	if o.Input != nil {
		options = append(options, tea.WithInput(o.Input))
	}
	if o.Colour {
		options = append(options, tea.WithColorProfile(colorprofile.ANSI256))
	}
	s.program = tea.NewProgram(&screenModel{screen: s, noColour: o.NoColour, do: o.Do}, options...)
	return s
}

// Show hands over a picture. One that was not drawn yet is replaced.
func (s *Screen) Show(state panels.State, _ *vitals.Reading) {
	select {
	case <-s.latest:
	default:
	}
	s.latest <- state
}

// While shows the screen while work runs, in a goroutine of its own that While waits for.
// The context of work ends when the screen fails. Whatever happens, also a panic of work,
// the terminal is as before when While returns. hard, when done, takes the screen away
// although work still runs.
func (s *Screen) While(ctx, hard context.Context, work func(context.Context) error) error {
	defer close(s.over)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		defer s.program.Quit()
		ended <- guarded(func() error { return work(ctx) })
	}()
	defer context.AfterFunc(hard, s.program.Kill)()
	_, err := s.program.Run()
	cancel()
	worked := <-ended
	if err == nil || hard.Err() != nil {
		return worked
	}
	var known *fail.Error
	if errors.As(worked, &known) && known.Kind == fail.Interrupted { // because the screen failed
		worked = nil
	}
	return errors.Join(fail.New(fail.Environment, "show the screen: %w", err).WithHint("--plain writes lines instead"),
		worked)
}

// screenModel is the state of the screen, as bubbletea wants it: it belongs to the
// goroutine of the program.
type screenModel struct {
	screen   *Screen
	noColour bool
	do       func(Action)

	state  panels.State
	frozen *panels.State // while paused
	help   bool
	size   panels.Size
	theme  panels.Theme
}

var _ tea.Model = (*screenModel)(nil)

// Init waits for the first picture, and asks the terminal for its background.
func (m *screenModel) Init() tea.Cmd { return tea.Batch(m.next, tea.RequestBackgroundColor) }

// next waits for a picture; it ends with the screen at the latest.
func (m *screenModel) next() tea.Msg {
	select {
	case s := <-m.screen.latest:
		return s
	case <-m.screen.over:
		return nil
	}
}

// Update takes in an event.
func (m *screenModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case panels.State:
		m.state = msg
		return m, m.next
	case tea.WindowSizeMsg:
		m.size = panels.Size{Width: msg.Width, Height: msg.Height}
	case tea.ColorProfileMsg:
		m.theme.Colour = !m.noColour && msg.Profile >= colorprofile.ANSI
	case tea.BackgroundColorMsg:
		m.theme.Light = !msg.IsDark()
	case tea.KeyPressMsg:
		return m, m.key(msg)
	}
	return m, nil
}

func (m *screenModel) key(k tea.KeyPressMsg) tea.Cmd {
	switch k.String() {
	case "q", "ctrl+c":
		m.do(Quit)
	case "p":
		m.do(TakeProfile)
	case "m":
		m.do(SetMark)
	case "s":
		m.do(Save)
	case "space", " ":
		if m.frozen != nil {
			m.frozen = nil
			break
		}
		still := m.state
		m.frozen = &still
	case "?":
		m.help = !m.help
	case "esc":
		m.help = false
	case "ctrl+z":
		return tea.Suspend
	case "ctrl+l":
		return tea.ClearScreen
	}
	return nil
}

// View draws the picture.
func (m *screenModel) View() tea.View {
	s := m.state
	if m.frozen != nil {
		notes, phase := s.Notes, s.Phase
		s = *m.frozen
		s.Paused, s.Notes, s.Phase = true, notes, phase // notes and phase go on while the picture is held
	}
	s.Help = m.help
	v := tea.NewView(panels.Render(s, m.size, m.theme))
	v.AltScreen = true
	return v
}
