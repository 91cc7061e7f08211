package profiles

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/report"
	"github.com/gohone/hone/prof"
)

func (a *commands) profileBlameCommand() *cobra.Command {
	return a.blaming(&cobra.Command{
		Use:   "blame [RUN]",
		Short: "Assign the garbage collector's CPU time to the code that allocates",
		Long: `blame divides the cost of the collector's background work (marking, sweeping, scavenging) among
the code that allocated under the same load, in proportion to its bytes: without allocation there
would be no cycle. The time of the allocator and of assists stays where it was spent. True cost is
a site's own CPU time plus its blame.`,
	}, spec.ForBlame, func(b *prof.Blame) []prof.BlamedSite { return b.Sites }, report.Blame)
}

func (a *commands) profileHotCommand() *cobra.Command {
	return a.blaming(&cobra.Command{
		Use:   "hot [RUN]",
		Short: "Code that is high in both CPU time and allocation",
		Long: `hot lists what is high in both the CPU profile and the allocation profile, ordered by the
smaller of the two shares.`,
	}, spec.ForHot, (*prof.Blame).Hot, report.Hot)
}

// blaming completes a command that shows some of those whom a run has to blame.
func (a *commands) blaming(cmd *cobra.Command, of spec.Commands, some func(*prof.Blame) []prof.BlamedSite,
	text func(io.Writer, *prof.Blame, int) error) *cobra.Command {
	f := &spec.Spec{}
	app.AddOptions(cmd, of, f)
	cmd.Args = cobra.MaximumNArgs(1)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		b, err := a.blame(f, app.OrNewest(args, 1)[0])
		if err != nil {
			return err
		}
		b.Sites = some(b)
		return a.Print(f.JSON, b, func(w io.Writer) error { return text(w, b, f.Shown) })
	}
	return cmd
}

func (a *commands) blame(f *spec.Spec, run string) (*prof.Blame, error) {
	p, err := a.OpenProfiles(f, run, "cpu", "allocs", "heap")
	if err != nil {
		return nil, err
	}
	if p.Record == nil {
		return nil, fail.New(fail.BadInput,
			"%s is a file; blame needs a CPU and an allocation profile of the same load", run).
			WithHint("name a run: hone history")
	}
	cpu, err := p.One("cpu")
	if err != nil {
		return nil, err
	}
	allocs, err := p.One("allocs")
	if err != nil {
		return nil, err
	}
	var heap prof.Capture
	if len(p.Captures["heap"]) > 0 { // it is optional: only the shares of the live heap come from it
		if heap, err = p.One("heap"); err != nil {
			return nil, err
		}
	}
	options := prof.BlameOptions{Module: p.Module(), Level: prof.BlameLevel(f.Profile.By),
		Basis: prof.Basis(f.Profile.Per)}
	b, err := prof.NewBlame(cpu, allocs, heap.Profile, options)
	if errors.Is(err, prof.ErrNothingAllocated) {
		return nil, fail.New(fail.BadInput, "%s: %w, so no line can be blamed for garbage", p.Name, err)
	}
	if err != nil {
		return nil, fail.New(fail.BadInput, "%s: %w", p.Name, err)
	}
	return b, nil
}
