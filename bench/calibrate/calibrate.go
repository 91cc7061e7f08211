// Package calibrate measures how far hone's verdicts can be believed, on real services: how often two equal variants are called
// different or the same, and how often a slow-down that was planted is found. The kinds of comparisons, and the classic way
// besides them, take turns in random order, so that a drift of the machine hits them alike.
//
// What it does not show: one machine, and its days; services in closed loops; one binary on both sides; power on CPU time per
// request only; the verdict at the first budget. The classic way is held against false alarms, not against its power.
package calibrate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/gohone/hone/bench/bed"
)

// Case is the calibration. With -agents 2 -only aa -aa 40 -service framed,http the load comes from agents.
var Case = bed.Case{
	Name: "calibrate", Shows: "how often verdicts are right: equal variants and planted slow-downs on five services", Takes: "hours; goes on where it was", About: bed.AboutServices,
	Run: run,
}

// records is the file of results; agents have one of their own.
const records = "results/calibrate.jsonl"

type config struct {
	*bed.Bed
	want     wanted
	services []service
	kinds    []kind
	agents   int
}

func parse(b *bed.Bed) config {
	c := config{Bed: b}
	b.Keeps(records)
	b.IntVar(&c.want.AA, "aa", 60, "comparisons of equal variants within 60 s, over all services")
	b.IntVar(&c.want.ShortAA, "aa-short", 60, "comparisons of equal variants within 15 s, over all services")
	b.IntVar(&c.want.Planted, "planted", 15, "comparisons of each planted slow-down, for each service")
	b.IntVar(&c.want.Classic, "classic", 12, "trials of the classic way, over all services")
	bed.Choice(b.Flags, &c.services, "service", "", "service", services, func(s service) string { return s.Name }, "services")
	bed.Choice(b.Flags, &c.kinds, "only", "", "kind", kinds, func(k kind) string { return k.Name }, "kinds")
	b.IntVar(&c.agents, "agents", 0, "have so many agents on this machine load the services, instead of hone; 0 for none")
	b.Read()
	if c.agents > 0 && b.Records == records {
		b.Records = strings.TrimSuffix(records, ".jsonl") + "-agents.jsonl"
	}
	b.Want(c.want.AA >= 0 && c.want.ShortAA >= 0 && c.want.Planted >= 0 && c.want.Classic >= 0 && c.agents >= 0, "want 0 comparisons or more of each kind")
	return c
}

func run(ctx context.Context, b *bed.Bed) error {
	c := parse(b)
	if err := b.Start(ctx); err != nil {
		return err
	}
	m := &measurement{tool: tool{Hone: c.Hone}}
	stop := func() {}
	defer func() { stop() }()
	begin := func(ctx context.Context) (err error) {
		if c.agents > 0 {
			var broker string
			if broker, stop, err = c.Hone.Agents(ctx, generatorCPU, c.agents); err != nil {
				return err
			}
			m.tool.flags = []string{"--agents", fmt.Sprintf("n=%d", c.agents), "--broker", broker}
		}
		m.programs, err = buildSubjects(ctx, c.Dir, c.services)
		return err
	}
	todo := func(_ context.Context, j *bed.Journal[record]) ([]bed.Trial[record], error) {
		m.journal = j
		trials := missing(j.Records, c.kinds, c.services, c.want, rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())))
		return bed.Each(trials, func(t trial) string { return t.service.Name + " " + t.kind.Name }, m.take), nil
	}
	write := func(r *bed.Result, records []record) { document(r, records, c.agents) }
	return bed.Calibration[record]{Schema: resultsSchema, Begin: begin, Todo: todo, Write: write}.Run(ctx, b)
}

// generatorCPU is the CPU that hone gives to its own load on a machine of two (affinity.SplitCPUs): agents take its place.
const generatorCPU = 0
