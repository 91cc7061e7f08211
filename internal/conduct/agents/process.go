package agents

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/gohone/hone/internal/conduct/loadtest"
	"github.com/gohone/hone/internal/text/fail"
)

// patience is how long a coordinator has to end by itself: until all agents have answered that they stop, or count as
// lost.
const patience = 5 * time.Second

// Start starts a coordinator: a command that speaks with hone over its standard input and output. What it says on
// standard error is the reason, if it ends by itself. Close ends it. The end of hard ends it, too, after some seconds.
func Start(ctx, hard context.Context, cmd *exec.Cmd, s Setup, t *loadtest.Tester) (*Coordinator, error) {
	said := &firstBytes{}
	cmd.Stderr = said
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C on the terminal is for hone, which passes it on
	in, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fail.New(fail.Environment, "start %s: %w", cmd.Path, err)
	}
	out, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, fail.New(fail.Environment, "start %s: %w", cmd.Path, err)
	}
	kill := func() { _ = cmd.Process.Kill() } // it may have ended
	c := newCoordinator(NewLines(in, out), s, t)
	calm := context.AfterFunc(hard, func() { time.AfterFunc(patience, kill) })
	c.end = func() {
		defer calm()
		late := time.AfterFunc(patience, kill)
		defer late.Stop()
		_ = out.Close() // with which it ends
		<-c.ended
	}
	gone := func(err error) error {
		if !errors.Is(err, io.EOF) { // it goes on, but not as agreed
			kill()
		}
		_ = out.Close()
		return endOf(cmd.Wait(), err, said.String())
	}
	if err := c.begin(ctx, gone); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// endOf is the error of a coordinator that ended before hone did: how it ended, why its lines were of no use, and what
// it said.
func endOf(ended, lines error, said string) error {
	var exit *exec.ExitError
	// as package cli prints an error; a panic is printed otherwise
	words, own := strings.CutPrefix(said, "hone-agent: ")
	if own && errors.As(ended, &exit) && exit.Exited() {
		text, hint, _ := strings.Cut(strings.TrimSpace(words), "\nhint: ")
		return fail.New(fail.Kind(exit.ExitCode()), "%s", text).WithHint("%s", hint)
	}
	if ended == nil && !errors.Is(lines, io.EOF) {
		ended = lines
	}
	text := "hone-agent ended, and the load with it"
	if ended != nil {
		text = fmt.Sprintf("%s: %v", text, ended)
	}
	if said != "" {
		text += ": " + said
	}
	return fail.New(fail.Environment, "%s", text).WithHint("each agent ends its load within seconds; try again")
}

// firstBytes keeps the beginning of what a program says.
type firstBytes struct{ bytes.Buffer }

func (b *firstBytes) Write(p []byte) (int, error) {
	b.Buffer.Write(p[:min(len(p), max(0, 4<<10-b.Len()))])
	return len(p), nil
}
