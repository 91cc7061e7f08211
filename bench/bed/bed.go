// Package bed is what all benchmarks stand on. A benchmark is a Case: it declares its flags, measures, and puts tables
// and claims into a Result. The bed says where and how that came about, prints it, and keeps it in a file if it is to
// be published. Cases of hours keep a Journal, with which an interrupted one goes on.
package bed

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/gohone/hone/bench/honecli"
)

// Case is one benchmark. All need Linux and two CPUs, one for the server and one for the tools.
type Case struct {
	Name string
	// Shows is the question that it answers, Takes how long that lasts with its default flags.
	Shows, Takes string
	// Needs is what it needs apart from hone; empty for nothing.
	Needs string
	// About are the directories of hone, from the root of its repository, that the case is about: a change of their
	// code makes its results old. None: all of them.
	About []string
	Run   func(ctx context.Context, b *Bed) error
}

// Bed is one case at work. The case declares its flags, then calls Start.
type Bed struct {
	*Flags
	*Result
	// Hone is its binary, with a ledger that goes at the end; Dir is a directory that does, too.
	Hone honecli.Hone
	Dir  string

	// Of the flags that most cases have: CPUs, Turns.
	ServerCPU, ClientCPU, Rounds int
	Slice                        time.Duration
	// Of the flags of those with a journal.
	Records               string
	Resume, Report, Again bool
	For                   time.Duration

	program string
	publish bool
	state   *State // what Case.State asks for
	about   []string
	// inRounds says that -n is Rounds, timed that -d is Slice.
	inRounds, timed bool
	args            []string
}

// New is the bed of a case with its arguments.
func New(name string, args ...string) *Bed {
	return &Bed{Flags: NewFlags(name), Result: &Result{Case: name}, args: args}
}

// CPUs declares the flags for the CPUs of both sides.
func (b *Bed) CPUs() {
	b.IntVar(&b.ServerCPU, "server-cpu", 0, "CPU of the server")
	b.IntVar(&b.ClientCPU, "client-cpu", 1, "CPU of the clients")
}

// Turns declares the flags for a number of rounds and the length of what is measured in one.
func (b *Bed) Turns(rounds int, length time.Duration) {
	b.Repeats(rounds, "rounds")
	b.timed = true
	b.DurationVar(&b.Slice, "d", length, "length of what is measured once")
}

// Repeats declares the flag for a number of rounds; usage says what one is.
func (b *Bed) Repeats(rounds int, usage string) {
	b.IntVar(&b.Rounds, "n", rounds, usage)
	b.inRounds = true
}

// Keeps declares the flags of a case with a journal.
func (b *Bed) Keeps(records string) {
	b.StringVar(&b.Records, "results", records, "`file` of results, a line for each measurement")
	b.BoolVar(&b.Resume, "resume", true,
		"go on where the file of results ends; else begin anew and keep it as FILE.old")
	b.DurationVar(&b.For, "for", 0, "time after which no further measurement begins; 0 means no limit")
	b.BoolVar(&b.Report, "report", false, "measure nothing, report what the file of results has")
}

// KeepsByVersion is Keeps for a case whose results are of hone as it is now (Current).
func (b *Bed) KeepsByVersion(records string) {
	b.Keeps(records)
	b.BoolVar(&b.Again, "again", false, "measure also what these results have, and take the later result")
}

// Start reads the flags, finds hone and notes where all this happens. The error has all faults of the flags. A case
// that only reports needs no hone.
func (b *Bed) Start(ctx context.Context) (err error) {
	if !b.Parsed() {
		b.Read()
	}
	b.Want(b.Rounds > 0 || !b.inRounds, "want at least one round")
	b.Want(b.Slice >= time.Millisecond || !b.timed, "want -d of 1ms or more")
	if err := b.Faults(); err != nil {
		return err
	}
	if b.Hone, err = honecli.Find(b.program); err != nil && !b.Report {
		return err
	}
	b.Hone.Ledger = filepath.Join(b.Dir, "ledger")
	b.Taken = Here(ctx, b.CommandLine())
	return nil
}

// Read reads the flags, after which a case may want something of them.
func (b *Bed) Read() { b.Flags.Read(b.args) }

// Progress says on standard error how far the case is.
func (b *Bed) Progress(format string, args ...any) {
	fmt.Fprintf(os.Stderr, b.Case+": "+format+"\n", args...)
}

// run runs a case, prints what it measured, also before an error, and keeps it with -publish.
func (c Case) run(ctx context.Context, args []string, results string, writePages func(context.Context) error) error {
	b := New(c.Name, args...)
	b.BoolVar(&b.publish, "publish", false, "keep the figures in "+results+", and write the pages that have them")
	failed := c.in(ctx, b)
	if len(b.Tables)+len(b.Claims) > 0 {
		fmt.Print(b.Text())
	}
	if errors.Is(failed, flag.ErrHelp) {
		return nil
	}
	if failed != nil || !b.publish {
		return failed
	}
	if err := b.Keep(results); err != nil {
		return err
	}
	return writePages(ctx)
}

// in runs a case in a directory that goes at the end.
func (c Case) in(ctx context.Context, b *Bed) (err error) {
	b.about = c.About
	b.StringVar(&b.program, "hone", "../bin/hone", "hone's binary")
	if b.Dir, err = os.MkdirTemp("", "hone-bench-"); err != nil {
		return fmt.Errorf("make a directory: %w", err)
	}
	defer os.RemoveAll(b.Dir)
	return c.Run(ctx, b)
}

// State says how far a calibration with its arguments is, and measures nothing.
func (c Case) State(ctx context.Context, args ...string) (State, error) {
	b := New(c.Name, args...)
	b.state = &State{}
	err := c.in(ctx, b)
	return *b.state, err
}

// GoOn has a calibration with its arguments take trials for some time, the last one to its end.
func (c Case) GoOn(ctx context.Context, d time.Duration, args ...string) error {
	return c.in(ctx, New(c.Name, append(slices.Clone(args), "-for", d.String())...))
}

// ResultsDir is where published figures are, from the directory bench.
const ResultsDir = "results"

// Main is the main function of the program: bench NAME, with flags of the case after it; -list lists the cases, -page
// writes the pages that have published figures again. It ends the process with 1 after an error.
func Main(cases []Case, writePages func(context.Context) error, args []string) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := Do(ctx, cases, writePages, args); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// Do is Main with an error.
func Do(ctx context.Context, cases []Case, writePages func(context.Context) error, args []string) error {
	if len(args) == 1 && args[0] == "-page" {
		return writePages(ctx)
	}
	if len(args) == 0 || args[0] == "-list" {
		printList(cases)
		return nil
	}
	for _, c := range cases {
		if c.Name == args[0] {
			err := c.run(ctx, args[1:], ResultsDir, writePages)
			return errors.Join(err, context.Cause(ctx))
		}
	}
	return fmt.Errorf("no case %q: -list lists them", args[0])
}

func printList(cases []Case) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, c := range cases {
		needs := ""
		if c.Needs != "" {
			needs = "; needs " + c.Needs
		}
		fmt.Fprintf(w, "%s\t%s\t%s%s\n", c.Name, c.Takes, strings.TrimSpace(c.Shows), needs)
	}
	w.Flush()
}
