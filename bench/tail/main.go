package main

import (
	"context"
	"errors"
	"flag"
	"io"
	"time"

	"github.com/gohone/hone/bench/results"
	"github.com/gohone/hone/bench/side"
)

type config struct {
	hone, results, doc, public  string
	trials                      []*trial
	length                      time.Duration // of the whole measurement; 0: no limit
	duration                    time.Duration // of the timed load of a run
	resume, again, write, print bool
	command                     string // as the document has it
}

func main() { side.Main("tail", parse, run) }

func parse(args []string) (config, error) {
	var c config
	var only []string
	fs := side.NewFlags("tail")
	fs.Hone(&c.hone)
	fs.StringVar(&c.results, "results", "../bin/tail.jsonl", "`file` of results, a line for each measurement")
	fs.StringVar(&c.doc, "doc", "../docs/tail.md", "`file` that the document is written to")
	fs.StringVar(&c.public, "public", "tail/public.md", "`file` with a section of the document that is written by hand")
	fs.Words(&only, "only", "", "services or trials to measure, such as mutex,plain-tcp; all if empty")
	fs.DurationVar(&c.length, "for", 0, "begin no further measurement after so long; 0 is no limit")
	fs.DurationVar(&c.duration, "duration", 3*time.Second, "timed load of each run")
	fs.BoolVar(&c.resume, "resume", true, "go on where the file of results ends; else begin anew and keep it as FILE.old")
	fs.BoolVar(&c.again, "again", false, "measure also what these results have, and take the later result")
	fs.BoolVar(&c.write, "write", false, "measure nothing, write the document from the results")
	fs.BoolVar(&c.print, "print", false, "print the causes of each measurement, and keep nothing")
	fs.Read(args)
	fs.Want(c.length >= 0 && c.duration >= time.Second, "want -for of 0 or more and -duration of 1s or more")
	fs.Want(!c.write || !c.print, "want -write or -print, not both")
	c.command = commandLine(fs.FlagSet)
	var err error
	c.trials, err = chosen(only)
	return c, errors.Join(fs.Faults(), err)
}

// commandLine is what makes these results: the flags that were given, without those that say where
// files are.
func commandLine(fs *flag.FlagSet) string {
	text := "go run ./tail"
	fs.Visit(func(f *flag.Flag) {
		switch f.Name {
		case "hone", "results", "doc", "public":
		default:
			text += " -" + f.Name + " " + f.Value.String()
		}
	})
	return text
}

func run(ctx context.Context, c config) error {
	if !c.write {
		if err := measure(ctx, c); err != nil || c.print {
			return err
		}
	}
	public, err := readPublic(c.public)
	if err != nil {
		return err
	}
	return results.Publish(c.results, resultsSchema, c.doc, func(w io.Writer, all []record) { write(w, all, public) })
}
