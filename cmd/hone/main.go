// Command hone runs the Go performance loop: baseline, profile, optimise, compare.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"runtime/debug"
	"sync"

	"github.com/gohone/hone/internal/spec/cli"
	"github.com/gohone/hone/internal/spec/extension"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/fail"
)

func main() {
	// hone says itself what matters; libraries would write past it (quic-go: small UDP buffers)
	log.SetOutput(io.Discard)
	os.Exit(Main(os.Args[1:], os.Stdout, os.Stderr))
}

// Main runs hone with args and returns its exit code. Data goes to stdout, messages
// and progress to stderr.
func Main(args []string, stdout, stderr io.Writer) (code int) {
	a, end := newApp(stdout, stderr)
	defer end()
	defer func() { // Go's own code for it, 2, means bad input here
		if r := recover(); r != nil {
			err := fmt.Errorf("panic: %v\n%s", r, debug.Stack())
			a.explain(err)
			code = fail.ExitCode(err)
		}
	}()
	var stop func()
	a.ctx, a.hard, stop = cli.Signals()
	defer stop()
	a.args = args
	root := a.root()
	if found, ok := extension.Named(args, root); ok {
		err := found.Run(cli.ThisBuild()) // returns only if it cannot
		a.explain(err)
		return fail.ExitCode(err)
	}
	cli.NoteRuns(root, &a.ran)
	root.SetArgs(endFlagsAtArgs(args))
	err := a.withDamage(cli.OfCommandLine(a.ofCommands(root, root.ExecuteContext(a.ctx)), a.ran, "hone"))
	if err != nil {
		a.explain(err)
	}
	return fail.ExitCode(err)
}

// app is what the commands share.
type app struct {
	args []string // the command line after hone, for hints that repeat it
	// stdout and stderr take any text: what would steer a terminal is written visibly.
	stdout, stderr io.Writer
	// unfiltered are the same two for what draws (terminal.go).
	unfiltered unfiltered
	// ctx ends with the first Ctrl-C or SIGTERM: drain and save. hard ends with the
	// second: stop at once, with the ledger closed.
	ctx, hard context.Context
	// read is the ledger that the command has read, nil if none.
	read *ledger.Ledger
	// ran says that a command has begun: its command line was accepted.
	ran bool
	// finders are those of the source of programs, prof.Sources by program.
	finders sync.Map
	// owned are the runs and comparisons that are known to be the user's own or trusted, true by what the store of
	// trust calls them.
	owned sync.Map
	// said are the records that a name by age, such as last, stood for, and that the user was told of.
	said sync.Map
}

// explain prints an error and, on a line of its own, what to do about it.
func (a *app) explain(err error) { cli.Explain(a.stderr, "hone", a.copyable(err)) }
