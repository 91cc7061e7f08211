// Command hone runs the Go performance loop: baseline, profile, optimise, compare.
package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"runtime/debug"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/spec/cli"
	"github.com/gohone/hone/internal/spec/extension"
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
	a, end := app.NewApp(stdout, stderr)
	defer end()
	defer func() { // Go's own code for it, 2, means bad input here
		if r := recover(); r != nil {
			err := fmt.Errorf("panic: %v\n%s", r, debug.Stack())
			a.Explain(err)
			code = fail.ExitCode(err)
		}
	}()
	var stop func()
	a.Ctx, a.Hard, stop = cli.Signals()
	defer stop()
	a.Words = args
	root := (&commands{a}).root()
	if found, ok := extension.Named(args, root); ok {
		err := found.Run(cli.ThisBuild()) // returns only if it cannot
		a.Explain(err)
		return fail.ExitCode(err)
	}
	cli.NoteRuns(root, &a.Ran)
	root.SetArgs(endFlagsAtArgs(args))
	err := a.WithDamage(cli.OfCommandLine(a.OfCommands(root, root.ExecuteContext(a.Ctx)), a.Ran, "hone"))
	if err != nil {
		a.Explain(err)
	}
	return fail.ExitCode(err)
}
