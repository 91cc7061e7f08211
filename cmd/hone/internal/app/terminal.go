package app

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/charmbracelet/x/term"

	"github.com/gohone/hone/internal/conduct/watch"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/panels"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/view/report"
)

// unfiltered is standard output and error without a filter. Only this file uses it, and only
// for what draws (progress, panels and watch's screen, which clean the texts that they
// are given) and for what is not text and goes to no terminal; a test of internal/lint holds it.
type unfiltered struct{ stdout, stderr io.Writer }

// NewApp returns an app that writes to stdout and stderr. end, called when all is written,
// writes what is left of a broken character.
func NewApp(stdout, stderr io.Writer) (a *App, end func()) {
	out, messages := printable.NewWriter(stdout), printable.NewWriter(stderr)
	a = &App{Stdout: out, Stderr: messages, unfiltered: unfiltered{stdout, stderr}}
	return a, func() { _ = errors.Join(out.Close(), messages.Close()) } // there is no place left to report it
}

// Progress is a line on stderr that redraws on a terminal.
func (a *App) Progress(quiet bool) *report.Progress {
	return report.NewProgress(a.unfiltered.stderr, isTerminal(a.unfiltered.stderr), quiet)
}

// live is progress on stderr: panels on a terminal that has room, else lines.
func (a *App) live(title string, quiet bool) *report.Live {
	var size func() panels.Size
	if f, ok := a.unfiltered.stderr.(*os.File); ok && isTerminal(f) {
		size = func() panels.Size {
			width, height, err := term.GetSize(f.Fd())
			if err != nil || os.Getenv("TERM") == "dumb" {
				return panels.Size{} // a line will do
			}
			return panels.Size{Width: width, Height: height}
		}
	}
	return report.NewLive(a.unfiltered.stderr, title, size, panels.Theme{Colour: os.Getenv("NO_COLOR") == ""}, quiet)
}

// dimmed writes a line on stderr that explains what the command does: in faint letters where the terminal has them.
func (a *App) dimmed(line string) {
	if isTerminal(a.unfiltered.stderr) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" {
		_, _ = fmt.Fprintf(a.unfiltered.stderr, "\x1b[2m%s\x1b[0m\n", printable.Line(line)) // as all messages
		return
	}
	fmt.Fprintln(a.Stderr, line)
}

// Agree asks a question on a terminal, and returns an error unless the answer is yes. If the input or the output is not
// a terminal, no one can answer: then the command counts as a yes.
func (a *App) Agree(question string) error {
	if !a.CanAsk() {
		return nil
	}
	fmt.Fprint(a.Stdout, question+" [y/N] ")
	answer := make(chan string, 1)
	go func() { // ends with a line, or with hone
		line, _ := bufio.NewReader(os.Stdin).ReadString('\n') // without a line the answer is no
		answer <- strings.ToLower(strings.TrimSpace(line))
	}()
	select {
	case said := <-answer:
		if said == "y" || said == "yes" {
			return nil
		}
	case <-a.Ctx.Done():
		return fail.New(fail.Interrupted, "interrupted")
	}
	return fail.New(fail.Untrusted,
		"not allowed, and nothing was recorded").WithHint("hone trust --yes allows it without a question")
}

// CanAsk says whether somebody is there to answer a question.
func (a *App) CanAsk() bool {
	return term.IsTerminal(os.Stdin.Fd()) && isTerminal(a.unfiltered.stdout)
}

// HandOver gives a program this terminal: what it reads and writes is not hone's.
func (a *App) HandOver(cmd *exec.Cmd) {
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, a.unfiltered.stdout, a.unfiltered.stderr
}

// CanShowScreen says whether standard output is a terminal that can be redrawn as a whole.
func (a *App) CanShowScreen() bool {
	return isTerminal(a.unfiltered.stdout) && os.Getenv("TERM") != "dumb"
}

// Screen is watch's picture on the whole terminal.
func (a *App) Screen(colour string, do func(watch.Action)) *watch.Screen {
	return watch.NewScreen(watch.ScreenOptions{
		Output: a.unfiltered.stdout, Colour: colour == "always",
		NoColour: colour == "never" || colour == "auto" && os.Getenv("NO_COLOR") != "",
		Do:       do,
	})
}

// Framed is standard output for messages whose headers end with a carriage return. Their JSON has no control
// characters.
func (a *App) Framed() io.Writer { return a.unfiltered.stdout }

// BinaryOutput is standard output for what is not text; ok is false if it is a terminal.
func (a *App) BinaryOutput() (w io.Writer, ok bool) {
	return a.unfiltered.stdout, !isTerminal(a.unfiltered.stdout)
}

// isTerminal says whether w is a character device.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
