package side

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gohone/hone/bench/honecli"
)

// Main is the main function of a benchmark: it serves if this process was started as a
// server, else reads the arguments and runs until the end or Ctrl-C. An error ends the
// process with 1.
func Main[C any](name string, parse func(args []string) (C, error), run func(context.Context, C) error) {
	ServeIfAsked()
	c, err := parse(os.Args[1:])
	if err == nil {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		err = run(ctx, c)
		stop()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, name+":", err)
		os.Exit(1)
	}
}

// WithHone prints what machine this is, and runs a benchmark with hone's binary and a
// directory that goes at the end; hone's ledger is there too.
func WithHone(program string, run func(hone honecli.Hone, dir string) error) error {
	for _, line := range Machine() {
		fmt.Println(line)
	}
	hone, err := honecli.Find(program)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "hone-bench-")
	if err != nil {
		return fmt.Errorf("make a directory: %w", err)
	}
	defer os.RemoveAll(dir)
	hone.Ledger = filepath.Join(dir, "ledger")
	return run(hone, dir)
}

// MainWithHone is the main function of a benchmark whose only settings are hone's binary and
// a number of rounds; usage says what a round is.
func MainWithHone(name string, rounds int, usage string, run func(ctx context.Context, hone honecli.Hone, rounds int) error) {
	var program string
	parse := func(args []string) (int, error) {
		fs := NewFlags(name)
		fs.Hone(&program)
		fs.IntVar(&rounds, "rounds", rounds, usage)
		fs.Read(args)
		fs.Want(rounds > 0, "want at least one round")
		return rounds, fs.Faults()
	}
	Main(name, parse, func(ctx context.Context, rounds int) error {
		return WithHone(program, func(hone honecli.Hone, _ string) error { return run(ctx, hone, rounds) })
	})
}

// Flags are the flags of a benchmark.
type Flags struct {
	*flag.FlagSet
	faults []error
}

// NewFlags has no flags yet.
func NewFlags(name string) *Flags {
	return &Flags{FlagSet: flag.NewFlagSet(name, flag.ContinueOnError)}
}

// Hone is the flag for hone's binary.
func (f *Flags) Hone(to *string) { f.StringVar(to, "hone", "../bin/hone", "hone's binary") }

// CPUs are the flags for the CPUs of both sides.
func (f *Flags) CPUs(server, client *int) {
	f.IntVar(server, "server-cpu", 0, "CPU of the server")
	f.IntVar(client, "client-cpu", 1, "CPU of the clients")
}

// Ints is a flag for numbers from least on, separated by commas.
func (f *Flags) Ints(to *[]int, name, value string, least int, usage string) {
	f.list(name, value, usage, func(words []string) (err error) {
		*to = make([]int, len(words))
		for i, w := range words {
			n, bad := strconv.Atoi(w)
			if bad != nil || n < least {
				err = errors.Join(err, fmt.Errorf("-%s has %q, want a number from %d", name, w, least))
			}
			(*to)[i] = n
		}
		return err
	})
}

// Words is a flag for words separated by commas; none for "".
func (f *Flags) Words(to *[]string, name, value, usage string) {
	f.list(name, value, usage, func(words []string) error {
		*to = words
		return nil
	})
}

// Choice is a flag for some of all by their names, in that order; all for "".
func Choice[T any](f *Flags, to *[]T, name, value, what string, all []T, nameOf func(T) string, usage string) {
	names := make([]string, len(all))
	for i, x := range all {
		names[i] = nameOf(x)
	}
	known := strings.Join(names, ", ")
	f.list(name, value, usage+": "+known, func(words []string) (err error) {
		*to = nil
		for _, w := range words {
			if i := slices.Index(names, w); i >= 0 {
				*to = append(*to, all[i])
			} else {
				err = errors.Join(err, fmt.Errorf("-%s: unknown %s %q (known: %s)", name, what, w, known))
			}
		}
		if len(words) == 0 {
			*to = slices.Clone(all)
		}
		return err
	})
}

// list is a flag for words separated by commas. It keeps its text, as flags do that are read
// back, and its faults until all flags are read.
type list struct {
	text string
	read func(text string)
}

func (l *list) String() string { return l.text }

// Set implements flag.Value.
func (l *list) Set(text string) error {
	l.text = text
	l.read(text)
	return nil
}

func (f *Flags) list(name, value, usage string, set func(words []string) error) {
	l := &list{value, func(text string) {
		var words []string
		if text != "" {
			words = strings.Split(text, ",")
		}
		err := set(words)
		f.Want(err == nil, "%w", err)
	}}
	l.read(value)
	f.Var(l, name, usage)
}

// Want notes a fault unless ok.
func (f *Flags) Want(ok bool, format string, args ...any) {
	if !ok {
		f.faults = append(f.faults, fmt.Errorf(format, args...))
	}
}

// Read reads arguments, all of which are flags.
func (f *Flags) Read(args []string) {
	err := f.Parse(args)
	f.Want(err == nil, "%w", err)
	f.Want(f.NArg() == 0, "unexpected argument %q: every setting is a flag", f.Arg(0))
}

// Faults are all that Read and Want found.
func (f *Flags) Faults() error { return errors.Join(f.faults...) }
