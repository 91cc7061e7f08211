// Package film records what commands show on a terminal, and draws it as one SVG that moves. It moves by CSS alone:
// GitHub shows an SVG as a picture, in which no script runs.
package film

import (
	"os/exec"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"
)

const (
	width, height = 100, 26 // of the terminal, in characters

	prompt = "\r\x1b[1;32m$\x1b[m "
	cursor = "\x1b[38;5;245m█\x1b[m"

	// twoKeys is the time between two keys and the next two: 17 keys per second, as a fast typist.
	twoKeys = 120 * time.Millisecond
	// rest is how long a state of the screen stays at least while a command runs. A live display has many states, of 3
	// kB each.
	rest = 500 * time.Millisecond
	// torn is how soon the second half of a state follows the first one in the terminal. A half state is not shown.
	torn = 30 * time.Millisecond
)

// Film is what a terminal has shown until now.
type Film struct {
	screen *vt.Emulator
	speed  time.Duration
	frames []frame
	colours
	at    time.Duration // since the start of the film
	clock time.Duration // since the start in front of the terminal: it goes speed times as fast while a command runs
}

// frame is a state of the terminal, which stays until the next one.
type frame struct {
	at    time.Duration      // since the start of the film
	lines [1 + height]string // in SVG; the first one is the clock
}

// New is a film of an empty terminal. It shows what a command does speed times as fast as it was.
func New(speed int) *Film {
	return &Film{screen: vt.NewEmulator(width, height), speed: time.Duration(speed), colours: colours{}}
}

// Type shows a command of ASCII characters at the prompt, as it is typed.
func (f *Film) Type(command string) {
	for typed := 0; typed < len(command); typed += 2 {
		f.write(prompt + command[:typed] + cursor)
		f.show()
		f.wait(twoKeys)
	}
	f.write(prompt + command + "\x1b[K\r\n")
	f.show()
}

// Read shows the prompt after a command for this time.
func (f *Film) Read(d time.Duration) {
	f.write(prompt + cursor)
	f.show()
	f.wait(d)
}

// Run executes a command in the terminal, and shows all states of the screen. The command must not ask the terminal
// anything.
func (f *Film) Run(cmd *exec.Cmd) error {
	chunks, took, err := record(cmd)
	if err != nil {
		return err
	}
	f.play(chunks, took)
	return nil
}

// play shows what a command wrote, in the time that it took.
func (f *Film) play(chunks []chunk, took time.Duration) {
	start, clock := f.at, f.clock
	move := func(to time.Duration) { f.at, f.clock = to, clock+(to-start)*f.speed }
	for i, c := range chunks {
		f.write(string(c.text))
		next := took
		if i+1 < len(chunks) {
			next = chunks[i+1].at
		}
		at := max(start+c.at/f.speed, f.last()+rest)
		if next-c.at >= torn && at < start+next/f.speed {
			move(at)
			f.show()
		}
	}
	move(start + took/f.speed)
	f.show()
}

// cells are those of line y, from left to right.
func (f *Film) cells(y int) []uv.Cell {
	cells := make([]uv.Cell, width)
	for x := range cells {
		if cell := f.screen.CellAt(x, y); cell != nil {
			cells[x] = *cell
		}
	}
	return cells
}

func (f *Film) write(text string) { _, _ = f.screen.Write([]byte(text)) }

func (f *Film) wait(d time.Duration) { f.at, f.clock = f.at+d, f.clock+d }

// last is when the newest frame began.
func (f *Film) last() time.Duration {
	if len(f.frames) == 0 {
		return 0
	}
	return f.frames[len(f.frames)-1].at
}

// show adds a frame of what the terminal shows now.
func (f *Film) show() {
	now := frame{at: f.at}
	now.lines[0] = clockText(f.clock)
	for y := range height {
		now.lines[1+y] = f.line(y, f.cells(y))
	}
	if len(f.frames) > 0 && f.last() == f.at {
		f.frames = f.frames[:len(f.frames)-1]
	}
	f.frames = append(f.frames, now)
}
