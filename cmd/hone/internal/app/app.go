package app

import (
	"context"
	"io"
	"sync"

	"github.com/gohone/hone/internal/spec/cli"
	"github.com/gohone/hone/internal/store/ledger"
)

// App is what the commands share.
type App struct {
	Words []string // the command line after hone, for hints that repeat it
	// Stdout and stderr take any text: what would steer a terminal is written visibly.
	Stdout, Stderr io.Writer
	// unfiltered are the same two for what draws (terminal.go).
	unfiltered unfiltered
	// Ctx ends with the first Ctrl-C or SIGTERM: drain and save. Hard ends with the
	// second: stop at once, with the ledger closed.
	Ctx, Hard context.Context
	// read is the ledger that the command has read, nil if none.
	read *ledger.Ledger
	// Ran says that a command has begun: its command line was accepted.
	Ran bool
	// finders are those of the source of programs, prof.Sources by program.
	finders sync.Map
	// owned are the runs and comparisons that are known to be the user's own or trusted, true by what the store of
	// trust calls them.
	owned sync.Map
	// said are the records that a name by age, such as last, stood for, and that the user was told of.
	said sync.Map
}

// Explain prints an error and, on a line of its own, what to do about it.
func (a *App) Explain(err error) { cli.Explain(a.Stderr, "hone", a.copyable(err)) }

// Version is what measurements and pages record.
func Version() string { return cli.ThisBuild().Version }
