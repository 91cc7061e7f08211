package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/report"
	"github.com/gohone/hone/prof"
)

// blameFlags are what hone profile blame and hot are asked for.
type blameFlags struct {
	profileFlags
	level, basis string
	most         int
}

func (a *app) profileBlameCommand() *cobra.Command {
	return a.blaming(&cobra.Command{
		Use:   "blame RUN",
		Short: "Assign the garbage collector's CPU time to the code that allocates",
		Long: `blame divides the cost of the collector's background work (marking, sweeping, scavenging) among
the code that allocated under the same load, in proportion to its bytes: without allocation there
would be no cycle. The time of the allocator and of assists stays where it was spent. True cost is
a site's own CPU time plus its blame.`,
	}, "line", func(b *prof.Blame) []prof.BlamedSite { return b.Sites }, report.Blame)
}

func (a *app) profileHotCommand() *cobra.Command {
	return a.blaming(&cobra.Command{
		Use:   "hot RUN",
		Short: "Code that is high in both CPU time and allocation",
		Long: `hot lists what is high in both the CPU profile and the allocation profile, ordered by the
smaller of the two shares.`,
	}, "function", (*prof.Blame).Hot, report.Hot)
}

// blaming completes a command that shows some of those whom a run has to blame.
func (a *app) blaming(cmd *cobra.Command, level string, some func(*prof.Blame) []prof.BlamedSite,
	text func(io.Writer, *prof.Blame, int) error) *cobra.Command {
	f := &blameFlags{}
	f.profileFlags.add(cmd, "")
	fl := cmd.Flags()
	fl.StringVar(&f.level, "by", level, "what to blame: line, function, package")
	fl.StringVar(&f.basis, "per", "request", "what costs are divided by: request, second, raw (nothing)")
	fl.IntVarP(&f.most, "number", "n", 20, "show at most this many; 0 shows all")
	cmd.Args = cobra.ExactArgs(1)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		b, err := a.blame(f, args[0])
		if err != nil {
			return err
		}
		b.Sites = some(b)
		return a.print(f.json, b, func(w io.Writer) error { return text(w, b, f.most) })
	}
	return cmd
}

func (a *app) blame(f *blameFlags, run string) (*prof.Blame, error) {
	p, err := a.openProfiles(&f.profileFlags, run, "cpu", "allocs", "heap")
	if err != nil {
		return nil, err
	}
	if p.record == nil {
		return nil, fail.New(fail.BadInput, "%s is a file; blame needs a CPU and an allocation profile of the same load", run).
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
	var heap prof.Capture
	if len(p.captures["heap"]) > 0 { // without one there is no share of the live heap
		if heap, err = p.one("heap"); err != nil {
			return nil, err
		}
	}
	options := prof.BlameOptions{Module: p.module(), Level: prof.BlameLevel(f.level), Basis: prof.Basis(f.basis)}
	b, err := prof.NewBlame(cpu, allocs, heap.Profile, options)
	if errors.Is(err, prof.ErrNothingAllocated) {
		return nil, fail.New(fail.BadInput, "%s: %w: there is no garbage to divide", p.name, err)
	}
	if err != nil {
		return nil, fail.New(fail.BadInput, "%s: %w", p.name, err)
	}
	return b, nil
}
