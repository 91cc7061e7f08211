package main

import (
	"context"
	"io"
	"sync"

	"github.com/gohone/hone/internal/spec/cli"
	"github.com/gohone/hone/internal/store/ledger"
)

// App is what the commands share.
type App struct {
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
func (a *App) explain(err error) { cli.Explain(a.stderr, "hone", a.copyable(err)) }

// version is what measurements and pages record.
func version() string { return cli.ThisBuild().Version }
