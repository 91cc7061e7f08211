package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/bench/results"
	"github.com/gohone/hone/bench/side"
)

type config struct {
	hone, results, doc string
	kinds              []*kind
	length             time.Duration
	want               map[string]int // trials of each kind, all sessions together
	fuzzSlice          time.Duration
	fuzzWorkers        int
	repeat             int // -1: nothing to repeat
	write, list        bool
	command            string // as the document has it
}

func main() { side.Main("robust", parse, run) }

func parse(args []string) (config, error) {
	c := config{want: map[string]int{}}
	fs := side.NewFlags("robust")
	fs.Hone(&c.hone)
	fs.StringVar(&c.results, "results", "../bin/robust.jsonl", "`file` of results, a line for each trial")
	fs.StringVar(&c.doc, "doc", "../docs/robustness.md", "`file` that the document is written to")
	side.Choice(fs, &c.kinds, "kinds", "", "kind", kinds, func(k *kind) string { return k.Name }, "kinds")
	fs.DurationVar(&c.length, "for", time.Hour, "begin no further trial after so long")
	want := fs.String("n", "", "trials of each kind in the end, with those of earlier sessions: 500, or crash=300,pages=1000 (default: "+defaults()+")")
	fs.DurationVar(&c.fuzzSlice, "fuzz-slice", 15*time.Second, "how long a fuzz target runs in one trial")
	fs.IntVar(&c.fuzzWorkers, "fuzz-workers", 1, "processes that execute a fuzz target at once")
	fs.IntVar(&c.repeat, "repeat", -1, "carry out the trial with this `number` of the one kind in -kinds again, and keep nothing")
	fs.BoolVar(&c.write, "write", false, "try nothing, write the document from the results")
	fs.BoolVar(&c.list, "list-fuzz", false, "print the fuzz targets: directory of the module, package, name")
	fs.Read(args)
	fs.Want(c.length > 0 && c.fuzzSlice >= time.Second && c.fuzzWorkers > 0, "want -for above 0, -fuzz-slice of 1s or more, -fuzz-workers of 1 or more")
	fs.Want(c.repeat < 0 || len(c.kinds) == 1, "-repeat wants one kind in -kinds")
	c.command = commandLine(fs.FlagSet)
	var err error
	c.want, err = parseWanted(*want)
	return c, errors.Join(fs.Faults(), err)
}

// commandLine is what makes these trials: the flags that were given, without those that say
// where files are.
func commandLine(fs *flag.FlagSet) string {
	text := "go run ./robust"
	fs.Visit(func(f *flag.Flag) {
		switch f.Name {
		case "hone", "results", "doc":
		default:
			text += " -" + f.Name + " " + f.Value.String()
		}
	})
	return text
}

// defaults is the default of -n in its own words.
func defaults() string {
	text := ""
	for _, k := range kinds {
		text += fmt.Sprintf(",%s=%d", k.Name, k.Default)
	}
	return text[1:]
}

// parseWanted reads -n: one number for every kind, or NAME=NUMBER of some.
func parseWanted(text string) (map[string]int, error) {
	want := map[string]int{}
	for _, k := range kinds {
		want[k.Name] = k.Default
	}
	if text == "" {
		return want, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		name, number, named := strings.Cut(part, "=")
		if !named {
			name, number = "", part
		}
		n, err := strconv.Atoi(number)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("-n %q: %q is not a number from 0", text, number)
		}
		if _, known := want[name]; named && !known {
			return nil, fmt.Errorf("-n %q: unknown kind %q (known: %s)", text, name, strings.Join(slices.Sorted(maps.Keys(want)), ", "))
		}
		for k := range want {
			if !named || k == name {
				want[k] = n
			}
		}
	}
	return want, nil
}

func run(ctx context.Context, c config) error {
	switch {
	case c.list:
		return printTargets(os.Stdout, "..")
	case c.repeat >= 0:
		return repeat(ctx, c)
	case !c.write:
		if err := measure(ctx, c); err != nil {
			return err
		}
	}
	return results.Publish(c.results, resultsSchema, c.doc, func(w io.Writer, all []record) { document(w, all, explained) })
}
