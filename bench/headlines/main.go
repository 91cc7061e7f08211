// Command headlines measures every published ladder and headline of the six reference
// services on this machine, with hone itself, and writes docs/headlines.md: published and
// measured side by side.
//
//	make headlines          # builds hone, then this
//	go run ./headlines -quick -only framed,visits
//
// With -quick or -only the page goes to standard output: docs/headlines.md is all of it, at
// full length, or not touched. The exit code is 1 if a section could not be measured; the
// page says why.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/bench/results"
	"github.com/gohone/hone/bench/side"
)

type config struct {
	hone string
	out  string // "-" is standard output
	only []string
	// quick is for trying: a tenth of the time, and figures that mean nothing.
	quick   bool
	command string
}

func main() { side.Main("headlines", parse, run) }

const document = "../docs/headlines.md"

func parse(args []string) (config, error) {
	c := config{command: "make headlines"}
	fs := flag.NewFlagSet("headlines", flag.ContinueOnError)
	fs.StringVar(&c.hone, "hone", "../bin/hone", "hone's binary")
	only := fs.String("only", "", "sections to measure, with commas between them: "+strings.Join(names(), ", "))
	fs.BoolVar(&c.quick, "quick", false, "short budgets, to try whether everything runs: the figures mean nothing")
	fs.StringVar(&c.out, "o", "", "`file` for the page, - for standard output (default "+document+"; with -only or -quick: -)")
	if err := fs.Parse(args); err != nil {
		return c, err
	}
	if fs.NArg() > 0 {
		return c, fmt.Errorf("unexpected argument %q: want flags only", fs.Arg(0))
	}
	if *only != "" {
		c.only = strings.Split(*only, ",")
	}
	partial := c.quick || len(c.only) > 0
	if len(args) > 0 {
		c.command = "go run ./headlines " + strings.Join(args, " ")
	}
	if c.out == "" {
		c.out = document
		if partial {
			c.out = "-"
		}
	}
	_, err := choose(c.only)
	return c, err
}

// choose returns the sections with these names, in the order of the page; all without any.
func choose(only []string) ([]section, error) {
	for _, name := range only {
		if !slices.Contains(names(), name) {
			return nil, fmt.Errorf("unknown section %q (known: %s)", name, strings.Join(names(), ", "))
		}
	}
	var chosen []section
	for _, s := range sections {
		if len(only) == 0 || slices.Contains(only, s.Name) {
			chosen = append(chosen, s)
		}
	}
	return chosen, nil
}

func run(ctx context.Context, c config) error {
	chosen, err := choose(c.only)
	if err != nil {
		return err
	}
	r, err := newRig(ctx, c)
	if err != nil {
		return err
	}
	defer os.RemoveAll(r.dir)
	began := time.Now()
	p := page{Date: began.UTC(), Command: c.command, Machine: side.Machine(), Hone: r.version, Quick: c.quick}
	for _, s := range chosen {
		fmt.Fprintf(os.Stderr, "headlines: %s\n", s.Name)
		p.Parts = append(p.Parts, r.measure(ctx, s))
		if ctx.Err() != nil {
			return context.Cause(ctx) // a page of half a measurement is of no use
		}
	}
	p.Took, p.After = time.Since(began), loadLine(side.Machine())
	if err := write(c.out, p.markdown()); err != nil {
		return err
	}
	return p.failures()
}

// loadLine is the line of side.Machine about the load.
func loadLine(machine []string) string {
	for _, line := range machine {
		if strings.HasPrefix(line, "load ") {
			return line
		}
	}
	return ""
}

// write puts the page into a file, whole or not at all.
func write(path, text string) error {
	if path == "-" {
		_, err := os.Stdout.WriteString(text)
		return err
	}
	return results.WriteDocument(path, text)
}

// newRig prepares a place for ledgers and programs; the caller removes it.
func newRig(ctx context.Context, c config) (*rig, error) {
	hone, err := filepath.Abs(c.hone)
	if err != nil {
		return nil, err
	}
	version, err := exec.CommandContext(ctx, hone, "version").Output()
	if err != nil {
		return nil, fmt.Errorf("run hone: %w (make build makes it)", err)
	}
	root, err := filepath.Abs("..")
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "headlines-")
	if err != nil {
		return nil, err
	}
	return &rig{hone: hone, version: strings.TrimSpace(string(version)), root: root, dir: dir, quick: c.quick}, nil
}
