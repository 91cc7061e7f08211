package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"

	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/bench/results"
	"github.com/gohone/hone/bench/side"
)

type config struct {
	hone, results, doc string
	want               wanted
	services           []service
	kinds              []kind
	agents             int
	resume, report     bool
}

func main() { side.Main("calibrate", parse, run) }

func parse(args []string) (config, error) {
	var c config
	fs := side.NewFlags("calibrate")
	fs.Hone(&c.hone)
	fs.StringVar(&c.results, "results", "calibrate/results.jsonl", "`file` of results, a line for each comparison")
	fs.StringVar(&c.doc, "doc", "../docs/calibration.md", "`file` that the document is written to")
	fs.IntVar(&c.want.AA, "aa", 60, "comparisons of equal variants within 60 s, over all services")
	fs.IntVar(&c.want.ShortAA, "aa-short", 60, "comparisons of equal variants within 15 s, over all services")
	fs.IntVar(&c.want.Planted, "planted", 15, "comparisons of each planted slow-down, for each service")
	fs.IntVar(&c.want.Classic, "classic", 12, "trials of the classic way, over all services")
	side.Choice(fs, &c.services, "service", "", "service", services, func(s service) string { return s.Name }, "services")
	side.Choice(fs, &c.kinds, "only", "", "kind", kinds, func(k kind) string { return k.Name }, "kinds")
	fs.IntVar(&c.agents, "agents", 0, "have so many agents on this machine load the services, in place of hone; 0 for none")
	fs.BoolVar(&c.resume, "resume", true, "go on where the file of results ends; else begin anew and keep it as FILE.old")
	fs.BoolVar(&c.report, "report", false, "measure nothing, write the document from the results")
	fs.Read(args)
	fs.Want(c.want.AA >= 0 && c.want.ShortAA >= 0 && c.want.Planted >= 0 && c.want.Classic >= 0 && c.agents >= 0, "want 0 comparisons or more of each kind")
	return c, fs.Faults()
}

func run(ctx context.Context, c config) error {
	if !c.report {
		if err := measure(ctx, c); err != nil {
			return err
		}
	}
	return results.Publish(c.results, resultsSchema, c.doc, func(w io.Writer, records []record) { document(w, records, c.agents) })
}

// generatorCPU is the CPU that hone gives to its own load on a machine of two (subject.SplitCPUs): agents take its place.
const generatorCPU = 0

// measure takes what the file of results lacks.
func measure(ctx context.Context, c config) (err error) {
	hone, err := honecli.Find(c.hone)
	if err != nil {
		return err
	}
	for _, s := range c.services {
		if _, err := os.Stat(s.Package); err != nil {
			return fmt.Errorf("find the program of %s: %w: run calibrate in the directory bench", s.Name, err)
		}
	}
	j, err := results.Open[record](c.results, resultsSchema, c.resume)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	trials := missing(j.Records, c.kinds, c.services, c.want, rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())))
	if len(trials) == 0 {
		return nil
	}
	dir, err := os.MkdirTemp("", "hone-calibrate-")
	if err != nil {
		return fmt.Errorf("make a place for programs: %w", err)
	}
	defer os.RemoveAll(dir)
	m := &measurement{tool: tool{Hone: hone}, journal: j, progress: os.Stderr}
	if c.agents > 0 {
		broker, stop, err := hone.Agents(ctx, generatorCPU, c.agents)
		if err != nil {
			return err
		}
		defer stop()
		m.tool.flags = []string{"--agents", fmt.Sprintf("n=%d", c.agents), "--broker", broker}
	}
	if err := m.begin(ctx); err != nil {
		return err
	}
	if m.programs, err = buildSubjects(ctx, dir, c.services); err != nil {
		return err
	}
	if err := m.sowAll(ctx, trials); err != nil {
		return err
	}
	return m.takeAll(ctx, trials)
}
