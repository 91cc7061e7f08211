package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/report"
	"github.com/gohone/hone/prof"
)

// blameFlags are what hone profile blame and hot are asked for.
type blameFlags struct {
	profileFlags
	level, basis string
	most         int
}

func (f *blameFlags) add(cmd *cobra.Command) {
	f.profileFlags.add(cmd, "")
	fl := cmd.Flags()
	fl.StringVar(&f.level, "by", "line", "what to blame: line, function, package")
	fl.StringVar(&f.basis, "per", "request", "what costs are divided by: request, second, raw (nothing)")
	fl.IntVarP(&f.most, "number", "n", 20, "show at most so many; 0 shows all")
}

func (a *app) profileBlameCommand() *cobra.Command {
	f := &blameFlags{}
	cmd := &cobra.Command{
		Use:   "blame RUN",
		Short: "Hand the garbage collector's CPU time to the code that allocates",
		Long: `blame shares out what the collector's background work costs (marking, sweeping,
scavenging) to those who allocated in the same stretch of load, in proportion to their
bytes: without allocation there would be no cycle. The allocator's own time and assisting
the collector stay where they happen. True cost is a site's own CPU time and its blame.`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			b, err := a.blame(f, args[0])
			if err != nil {
				return err
			}
			if f.json {
				return a.printJSON(b)
			}
			return report.Blame(a.stdout, b, f.most)
		},
	}
	f.add(cmd)
	return cmd
}

func (a *app) profileHotCommand() *cobra.Command {
	f := &blameFlags{}
	cmd := &cobra.Command{
		Use:   "hot RUN",
		Short: "Code that is high in both CPU time and allocation",
		Long: `hot lays the CPU profile beside the allocation profile and lists what is high in both,
those first whose smaller share is the largest.`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			b, err := a.blame(f, args[0])
			if err != nil {
				return err
			}
			b.Sites = b.Hot()
			if f.json {
				return a.printJSON(b)
			}
			return report.Hot(a.stdout, b, f.most)
		},
	}
	f.add(cmd)
	if err := cmd.Flags().Set("by", "function"); err != nil {
		panic(err) // the flag is declared just above
	}
	return cmd
}

func (a *app) blame(f *blameFlags, run string) (*prof.Blame, error) {
	p, err := f.openProfiles(run, "cpu", "allocs")
	if err != nil {
		return nil, err
	}
	if p.record == nil {
		return nil, fail.New(fail.BadInput, "%s is a file, and blame takes a CPU and an allocation profile of the same stretch", run).
			WithHint("name a run: hone history")
	}
	cpu, err := p.one("cpu")
	if err != nil {
		return nil, err
	}
	allocs, err := p.one("allocs")
	if err != nil {
		return nil, err
	}
	options := prof.BlameOptions{Module: p.module(), Level: prof.BlameLevel(f.level), Basis: prof.Basis(f.basis)}
	heap := prof.Capture{}
	if live, err := f.openProfiles(run, "heap"); err == nil {
		if heap, err = live.one("heap"); err != nil {
			return nil, err
		}
	}
	b, err := prof.NewBlame(cpu, allocs, heap.Profile, options)
	if errors.Is(err, prof.ErrNothingAllocated) {
		return nil, fail.New(fail.BadInput, "%s: %w: there is no garbage to blame anybody for", p.name, err)
	}
	if err != nil {
		return nil, fail.New(fail.BadInput, "%s: %w", p.name, err)
	}
	return b, nil
}
