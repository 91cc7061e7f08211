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
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/results"
	"github.com/gohone/hone/bench/side"
	"github.com/gohone/hone/internal/machine"
)

// section is one system.
type section struct {
	// Name is what -only takes.
	Name  string
	Title string
	// About says what is measured, how, and what differs from the published measurement.
	About string
	// Measure returns the rows that it could measure, also with an error.
	Measure func(ctx context.Context, r *rig) ([]row, error)
}

// sections are the page, in its order.
var sections = []section{framed, rpc, tlsIdle, visits, chat, havlakLoops}

// row is one line of a section's table. What is empty or zero is left out.
type row struct {
	What      string
	Published string
	// PublishedRatio is Published relative to what Ratio is relative to.
	PublishedRatio float64
	Here           string
	Ratio          figures.Ratio
	Note           string
}

// part is a section that was measured.
type part struct {
	section
	Rows []row
	// Err is why rows are missing.
	Err  error
	Took time.Duration
	// Disturbed is what else the machine, with that many CPUs, did in each measurement.
	Disturbed []machine.Disturbance
	CPUs      int
	// Repeated is what hone said of invalid measurements that were taken again.
	Repeated []string
}

type config struct {
	hone     string
	out      string    // "-" is standard output
	sections []section // in the order of the page
	// quick is for trying: a tenth of the time, and figures that mean nothing.
	quick   bool
	command string
}

func main() { side.Main("headlines", parse, run) }

const document = "../docs/headlines.md"

func parse(args []string) (config, error) {
	c := config{command: "make headlines"}
	fs := side.NewFlags("headlines")
	fs.Hone(&c.hone)
	side.Choice(fs, &c.sections, "only", "", "section", sections, func(s section) string { return s.Name }, "sections to measure")
	fs.BoolVar(&c.quick, "quick", false, "short budgets, to try whether everything runs: the figures mean nothing")
	fs.StringVar(&c.out, "o", "", "`file` for the page, - for standard output (default "+document+"; with -only or -quick: -)")
	fs.Read(args)
	slices.SortFunc(c.sections, func(a, b section) int { return place(a) - place(b) })
	if len(args) > 0 {
		c.command = "go run ./headlines " + strings.Join(args, " ")
	}
	if c.out == "" {
		c.out = document
		if c.quick || len(c.sections) < len(sections) {
			c.out = "-"
		}
	}
	return c, fs.Faults()
}

// place is where a section stands on the page.
func place(s section) int {
	return slices.IndexFunc(sections, func(o section) bool { return o.Name == s.Name })
}

func run(ctx context.Context, c config) error {
	r, err := newRig(ctx, c)
	if err != nil {
		return err
	}
	defer os.RemoveAll(r.dir)
	began := time.Now()
	p := page{Date: began.UTC(), Command: c.command, Machine: side.Machine(), Hone: r.version, Quick: c.quick}
	for _, s := range c.sections {
		fmt.Fprintf(os.Stderr, "headlines: %s\n", s.Name)
		p.Parts = append(p.Parts, r.measure(ctx, s))
		if ctx.Err() != nil {
			return context.Cause(ctx) // a page of half a measurement is of no use
		}
	}
	p.Took, p.After = time.Since(began), side.Machine()
	if c.out == "-" {
		_, err = os.Stdout.WriteString(p.markdown())
	} else {
		err = results.WriteDocument(c.out, p.markdown())
	}
	if err != nil {
		return err
	}
	return p.failures()
}

// measure measures a section.
func (r *rig) measure(ctx context.Context, s section) part {
	began := time.Now()
	r.part = part{section: s, CPUs: runtime.NumCPU()}
	r.Rows, r.Err = s.Measure(ctx, r)
	r.Took = time.Since(began)
	return r.part
}
