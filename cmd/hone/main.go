// Command hone runs the Go performance loop: baseline, profile, optimise, compare.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/printable"
	"github.com/gohone/hone/internal/redact"
)

func main() {
	log.SetOutput(io.Discard) // hone says itself what matters; libraries would write past it (quic-go: small UDP buffers)
	os.Exit(Main(os.Args[1:], os.Stdout, os.Stderr))
}

// Main runs hone with args and returns its exit code. Data goes to stdout, messages
// and progress to stderr.
func Main(args []string, stdout, stderr io.Writer) int {
	a, end := newApp(stdout, stderr)
	defer end()
	var stop func()
	a.ctx, a.hard, stop = signals()
	defer stop()
	a.args = args
	root := a.root()
	a.noteRuns(root)
	root.SetArgs(endFlagsAtArgs(args))
	err := a.withDamage(a.ofCommandLine(root.ExecuteContext(a.ctx)))
	if err != nil {
		a.explain(err)
	}
	return fail.ExitCode(err)
}

// app is what the commands share.
type app struct {
	args []string // the command line behind hone, for hints that repeat it
	// stdout and stderr take any text: what would steer a terminal is written visibly.
	stdout, stderr io.Writer
	// unfiltered are the same two for what draws (terminal.go).
	unfiltered unfiltered
	// ctx ends with the first Ctrl-C or SIGTERM: drain and save. hard ends with the
	// second: stop at once, with the ledger closed.
	ctx, hard context.Context
	// damage is what is wrong with the ledger that the command has read.
	damage error
	// ran says that a command has begun: its command line was accepted.
	ran bool
	// finders are those of the source of programs, prof.Sources by program.
	finders sync.Map
	// ownRuns are the runs that are known to be the user's own or trusted, true by what the store of trust calls them.
	ownRuns sync.Map
}

// noteRuns makes cmd and all commands below it set ran when they begin.
func (a *app) noteRuns(cmd *cobra.Command) {
	if run := cmd.RunE; run != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			a.ran = true
			return run(cmd, args)
		}
	}
	for _, sub := range cmd.Commands() {
		a.noteRuns(sub)
	}
}

// ofCommandLine gives a kind to what cobra says of a command line that it does not accept:
// an unknown command, too many arguments, flags that exclude each other.
func (a *app) ofCommandLine(err error) error {
	var known *fail.Error
	if err == nil || a.ran || errors.As(err, &known) {
		return err
	}
	return fail.New(fail.BadInput, "%w", err).WithHint("hone --help lists the commands, and --help behind a command its arguments")
}

// signals returns the two contexts of app. The goroutine ends with stop.
func signals() (soft, hard context.Context, stop func()) {
	soft, endSoft := context.WithCancel(context.Background())
	hard, endHard := context.WithCancel(context.Background())
	ch := make(chan os.Signal, 2)
	signal.Notify(ch, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		for _, end := range []context.CancelFunc{endSoft, endHard} {
			select {
			case <-ch:
				end()
			case <-done:
				return
			}
		}
	}()
	return soft, hard, func() {
		signal.Stop(ch)
		close(done)
		endSoft()
		endHard()
	}
}

// explain prints an error and, on a line of its own, what to do about it.
func (a *app) explain(err error) {
	var shown *shownError
	if errors.As(err, &shown) {
		return
	}
	hide := redact.Text
	if fail.ExitCode(err) == int(fail.Untrusted) {
		// What a file asks hone to execute is shown as it is: the user judges by it.
		hide = func(text string) string { return text }
	}
	fmt.Fprintln(a.stderr, "hone:", printable.Indented(hide(err.Error())))
	if hint := fail.HintOf(err); hint != "" {
		fmt.Fprintln(a.stderr, "hint:", printable.Indented(hide(hint)))
	}
}

// shownError is an error that a command has reported already, in a form of its own.
type shownError struct{ error }

func (e *shownError) Unwrap() error { return e.error }
