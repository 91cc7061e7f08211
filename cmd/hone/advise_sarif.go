package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/sys/outfile"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/sarif"
	"github.com/gohone/hone/internal/view/stored"
)

// keepSARIF writes findings as SARIF to a file, or to standard output for "-", and says how many have no place in the
// repository.
func (a *commands) keepSARIF(path string, found *advice.Findings, run string, source stored.Checkout) error {
	root, err := a.repository()
	if err != nil {
		return err
	}
	log, left := sarif.Of(found, sarif.Options{Version: app.Version(), Run: run, Below: func(file string) (string, bool) {
		if source == nil {
			return "", false
		}
		return source.Below(root, file)
	}})
	write := func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(log)
	}
	if path == "-" {
		err = write(a.Stdout)
	} else if err = outfile.Write(path, 0o644, write); err != nil {
		err = fail.New(fail.Or(fail.Environment, err), "write %s: %w", path, err)
	}
	if err == nil && left > 0 {
		fmt.Fprintf(a.Stderr, "sarif: %s left out: GitHub shows only findings at a line of this repository\n",
			units.Plural(left, "finding"))
	}
	return err
}

// repository is the root of the work tree around the working directory; without git it is the working directory.
func (a *commands) repository() (string, error) {
	if root, err := git.Run(a.Ctx, ".", "rev-parse", "--show-toplevel"); err == nil {
		return root, nil
	}
	return app.WorkDir()
}
