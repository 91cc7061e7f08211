// Command havlaktimes runs the stages of havlak in Go and in C++ side by side, each as a
// whole process, and prints what the published table has: user, system and real time and
// the most memory resident.
//
//	havlaktimes [-rounds 5] [-first]
//
// Run it in the repository: it builds the programs itself, those in C++ with g++ -O3 and
// only where there is a compiler. Each round runs every program once, in random order.
// -first adds the first stages, which take some ten times as long as the others. The exit
// code is 2 for bad flags, 1 for anything else that fails, also for programs that disagree
// about the loops.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/gohone/hone/services/havlak"
	"github.com/gohone/hone/services/internal/program"
	"github.com/gohone/hone/services/internal/settings"
)

func main() { os.Exit(program.UntilSignalled(start)) }

func start(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("havlaktimes", flag.ContinueOnError)
	rounds := fs.Int("rounds", 5, "`times` that each program is run")
	first := fs.Bool("first", false, "run the first stages, too")
	return program.Tool("havlaktimes", stderr, func() error {
		if err := program.Parse(fs, args, stderr); err != nil {
			return err
		}
		return settings.Check(*rounds >= 1, "-rounds is %d, want 1 or more", *rounds)()
	}, func() error { return run(ctx, *rounds, *first, nil, stdout) })
}

// contestant is a program that takes part.
type contestant struct {
	name string
	args []string // the path first
	runs []usage
}

// run builds the programs, runs them with the arguments extra, and prints the table.
func run(ctx context.Context, rounds int, first bool, extra []string, out io.Writer) error {
	dir, err := os.MkdirTemp("", "havlaktimes-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	programs, err := build(ctx, dir, first, out)
	if err != nil {
		return err
	}
	var summary string
	for range rounds {
		for _, i := range rand.Perm(len(programs)) {
			p := &programs[i]
			u, text, err := measure(ctx, append(p.args[:len(p.args):len(p.args)], extra...))
			if err != nil {
				return fmt.Errorf("run %s: %w", p.name, err)
			}
			if summary == "" {
				summary = text
			}
			if text != summary {
				return fmt.Errorf("run %s: it found\n%sothers found\n%s", p.name, text, summary)
			}
			p.runs = append(p.runs, u)
		}
	}
	_, err = io.WriteString(out, table(programs)+summary)
	return err
}

// build compiles all programs into dir, and says which it cannot.
func build(ctx context.Context, dir string, first bool, out io.Writer) ([]contestant, error) {
	var programs []contestant
	path := filepath.Join(dir, "havlak")
	build := exec.CommandContext(ctx, "go", "build", "-o", path, "github.com/gohone/hone/services/havlak/cmd/havlak")
	if text, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build havlak: %w\n%s", err, text)
	}
	for _, stage := range havlak.CPPStages {
		if stage == "first" && !first {
			continue
		}
		path, err := havlak.BuildCPP(ctx, stage, dir)
		switch {
		case errors.Is(err, havlak.ErrNoCompiler):
			fmt.Fprintf(out, "SKIPPED: C++ %s: %v\n", stage, err)
		case err != nil:
			return nil, err
		default:
			programs = append(programs, contestant{name: "C++ " + stage, args: []string{path}})
		}
	}
	for _, s := range havlak.Stages {
		if s.Name != "first" || first {
			programs = append(programs, contestant{name: "Go " + s.Name, args: []string{path, "-stage", s.Name}})
		}
	}
	return programs, nil
}
