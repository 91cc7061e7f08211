// Command havlak finds the loops of the published graph, or of one that it reads, with one
// stage of its ladder.
//
//	havlak [-stage final] [-repeat 50] [-loops 76000] [-warmups 15000]
//	havlak [-stage final] [-repeat 50] -graph FILE [-dump]
//
// It does what the published program does: calls the finder 15,000 times on a graph of
// three nodes, builds the graph, calls the finder once and then 50 times more. It prints
// the number of loops, with the artificial root as published, and a digest of the loops
// and how they nest, which is the same for every stage; -dump prints the loops
// instead. The exit code is 2 for bad flags, 1 for anything else that
// fails.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/gohone/hone/services/havlak"
	"github.com/gohone/hone/services/internal/ladder"
	"github.com/gohone/hone/services/internal/program"
	"github.com/gohone/hone/services/internal/settings"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// job is what the flags ask for.
type job struct {
	stage           havlak.Stage
	repeat, warmups int
	loops           int
	graph           string
	dump            bool
}

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var j job
	return program.Tool("havlak", stderr,
		func() error { return j.parse(args, stderr) },
		func() error { return j.do(stdin, stdout) })
}

func (j *job) parse(args []string, stderr io.Writer) error {
	fs := flag.NewFlagSet("havlak", flag.ContinueOnError)
	stage := fs.String("stage", havlak.DefaultStage, "`stage` of the ladder: "+ladder.Names(havlak.Stages))
	fs.IntVar(&j.repeat, "repeat", 50, "`calls` of the finder after the first")
	fs.IntVar(&j.warmups, "warmups", 15_000, "`calls` of the finder on a graph of three nodes, before")
	fs.IntVar(&j.loops, "loops", havlak.PublishedLoops, fmt.Sprintf("`number` of loops of the published graph, a multiple of %d", havlak.LoopsPerTree))
	fs.StringVar(&j.graph, "graph", "", "`file` with another graph: \"nodes N\", then \"FROM TO\" on each line; - is standard input")
	fs.BoolVar(&j.dump, "dump", false, "print the loops")
	if err := program.Parse(fs, args, stderr); err != nil {
		return err
	}
	return settings.Fill(
		settings.Check(j.repeat >= 0 && j.warmups >= 0, "-repeat and -warmups want 0 or more"),
		func() (err error) { j.stage, err = havlak.LookupStage(*stage); return err },
		func() error { return havlak.CheckLoops(j.loops) },
	)
}

func (j job) do(stdin io.Reader, stdout io.Writer) error {
	warm := j.stage.New(havlak.Warmup())
	for range j.warmups {
		warm.Find()
	}
	finder, err := j.build(stdin)
	if err != nil {
		return err
	}
	finder.Find()
	for range j.repeat {
		finder.Find()
	}
	forest := finder.Forest()
	if j.dump {
		_, err := forest.WriteTo(stdout)
		return err
	}
	_, err = io.WriteString(stdout, forest.Summary())
	return err
}

// build makes a finder; the list of edges is garbage when it returns.
func (j job) build(stdin io.Reader) (havlak.Finder, error) {
	g, err := j.read(stdin)
	if err != nil {
		return nil, err
	}
	return j.stage.New(g), nil
}

func (j job) read(stdin io.Reader) (havlak.Graph, error) {
	switch j.graph {
	case "":
		return havlak.Published(j.loops)
	case "-":
		g, err := havlak.ReadGraph(stdin)
		if err != nil {
			return g, fmt.Errorf("read graph from standard input: %w", err)
		}
		return g, nil
	}
	f, err := os.Open(j.graph)
	if err != nil {
		return havlak.Graph{}, err // says which file
	}
	defer f.Close()
	g, err := havlak.ReadGraph(f)
	if err != nil {
		return g, fmt.Errorf("read graph %q: %w", j.graph, err)
	}
	return g, nil
}
