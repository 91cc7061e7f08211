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
	hone, results, doc, reviewed, public, record string
	trials                                       []*trial
	parts                                        []part
	length                                       time.Duration // of the whole measurement; 0: no limit
	duration                                     time.Duration // of the timed load of a run
	budget                                       time.Duration // of a comparison
	resume, again, write                         bool
	command                                      string // as the document has it
}

func main() { side.Main("findings", parse, run) }

func parse(args []string) (config, error) {
	var c config
	var only []string
	fs := side.NewFlags("findings")
	fs.Hone(&c.hone)
	fs.StringVar(&c.results, "results", "../bin/findings.jsonl", "`file` of results, a line for each measurement")
	fs.StringVar(&c.doc, "doc", "../docs/findings.md", "`file` that the document is written to")
	fs.StringVar(&c.reviewed, "reviewed", "findings/reviewed.jsonl", "`file` with what a reader of the source says of other findings")
	fs.StringVar(&c.public, "public", "findings/public.md", "`file` with a section of the document that is written by hand")
	fs.StringVar(&c.record, "record", "", "`directory` that gets RULE/PART.view of each run, for the tests of the rules; none if empty")
	fs.Words(&only, "only", "", "rules to try, such as json-any,boxing; all if empty")
	side.Choice(fs, &c.parts, "parts", "speaks,silent,fixed,gain", "part", parts, func(p part) string { return string(p) },
		"what to measure of each trial")
	fs.DurationVar(&c.length, "for", 0, "begin no further measurement after so long; 0 is no limit")
	fs.DurationVar(&c.duration, "duration", 3*time.Second, "timed load of each run")
	fs.DurationVar(&c.budget, "budget", 20*time.Second, "time limit of each comparison")
	fs.BoolVar(&c.resume, "resume", true, "go on where the file of results ends; else begin anew and keep it as FILE.old")
	fs.BoolVar(&c.again, "again", false, "measure also what these results have, and take the later result")
	fs.BoolVar(&c.write, "write", false, "measure nothing, write the document from the results")
	fs.Read(args)
	fs.Want(c.length >= 0 && c.duration >= time.Second && c.budget >= time.Second,
		"want -for of 0 or more, and -duration and -budget of 1s or more")
	c.command = commandLine(fs.FlagSet)
	var err error
	c.trials, err = chosen(only)
	return c, errors.Join(fs.Faults(), err)
}

// commandLine is what makes these results: the flags that were given, without those that say where
// files are.
func commandLine(fs *flag.FlagSet) string {
	text := "go run ./findings"
	fs.Visit(func(f *flag.Flag) {
		switch f.Name {
		case "hone", "results", "doc", "reviewed", "public", "record":
		default:
			text += " -" + f.Name + " " + f.Value.String()
		}
	})
	return text
}

func run(ctx context.Context, c config) error {
	reviews, err := readReviews(c.reviewed)
	if err != nil {
		return err
	}
	var failed error
	if !c.write {
		failed = measure(ctx, c)
	}
	public, err := readPublic(c.public)
	if err == nil {
		err = results.Publish(c.results, resultsSchema, c.doc, func(w io.Writer, all []record) { write(w, all, reviews, public) })
	}
	return errors.Join(failed, err)
}
