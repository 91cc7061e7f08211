package main

import (
	"cmp"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/conduct/service"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/spec/read"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/page"
	"github.com/gohone/hone/internal/view/report"
)

func (a *commands) compareCommand() *cobra.Command {
	f := &app.MeasureFlags{}
	cmd := &cobra.Command{
		Use:   "compare [A B [C...]] [flags] [-- ARGS...]",
		Short: "Measure variants together and say which is faster, by how much and why",
		Long: `compare builds the variants and starts them afresh several times. It loads them in turn, in
short slices and random order, and compares the CPU time per request of each with that of A.
It ends when a difference is shown, when a difference larger than --delta is excluded, or when the
budget is used up. With --rate it also goes on until throughput and latency are settled.

A, B, C are packages as for hone run; arguments after -- go to all. One package alone is
compared with its state at HEAD. A variant at a git ref runs in a checkout of its own, so that
the files it opens are those of the ref. A released version runs in this directory. @VERSION is of
the package before it, and one released version alone is compared with @latest. Without A, A is the baseline of hone.yaml; without A
and B, B is its subject.

A patch or a pull request is given instead of a variant: a file (git diff, git format-patch, diff -u), - for
standard input, '#123' or its URL. It is a commit on the variant before it (REF or REF:DIR; HEAD without); a pull request is
compared with the commit from which it branched. Before anything is measured its tests run, and what it touches besides
code is refused: tests, go.mod, CI, unsafe and others, one by one allowed by --allow. Nothing of it is applied here.

If A and B are names of stored runs (or baseline), hone compares what is stored and measures
nothing. Runs of one comparison were measured together, and get the verdict of that
comparison. For other runs the result is only an indication.

With --once the variants are programs that end by themselves. hone executes them in turns until
it knows which takes less CPU time.`,
		Example: `  hone compare ./cmd/server                            # HEAD against the working tree
  hone compare main:./cmd/server ./cmd/server
  hone compare HEAD faster.diff                        # a patch; also main:./cmd/server faster.diff
  hone compare main:./cmd/server ./cmd/server --weigh production.pb.gz
  hone compare github.com/caddyserver/caddy/v2/cmd/caddy@v2.11.3 @latest --path / -- respond --listen 127.0.0.1:{port}
  hone compare ./cmd/server --gate 'cpu<+5%' --prove-gate  # a planted slow-down has to end with 1
  hone compare --once './prog -fast' './prog -slow' -- input
  hone compare './services/framed/cmd/framed -stage raw' './services/framed/cmd/framed -stage buffered' \
      --target framed://127.0.0.1:{port} -c 100 --depth 16 --budget 30s -- -addr 127.0.0.1:{port}`,
		RunE: app.WithExits(&f.Spec, func(cmd *cobra.Command, args []string) error {
			if err := checkOnce(f, cmd); err != nil {
				return err
			}
			if f.Once {
				return a.compareOnce(f, cmd, args)
			}
			return a.compare(f, cmd, args)
		}),
	}
	f.Add(cmd, spec.ForCompare)
	return cmd
}

func (a *commands) compare(f *app.MeasureFlags, cmd *cobra.Command, args []string) error {
	words, rest := app.SplitAtDash(cmd, args)
	if err := read.Gates(&f.Test, gate.Measures); err != nil { // before anything is checked out
		return err
	}
	least, most := 2, record.MostVariants
	if f.ProveGate { // A is the last variant, too
		words, f.Twice = words[max(0, len(words)-1):], true
		least, most = 1, 1
	}
	switch found, err := areStored(words); {
	case err != nil:
		return err
	case found && f.Receipt != "":
		return fail.New(fail.BadInput, "--receipt: stored runs were not measured together, which a receipt claims").
			WithHint("name two packages or commits, or write that of a comparison: hone show COMPARISON --receipt FILE")
	case found:
		return a.compareStored(f, words)
	}
	_, err := a.TakeWords(f, cmd, words, rest, least, most)
	if err != nil {
		return err
	}
	if f.Task.Production, err = a.WeighedBy(&f.Spec); err != nil {
		return err
	}
	if f.Task.Production != nil && !spec.Of(cmd.Flags()).Given("profile-time") {
		f.ProfileTime = max(f.ProfileTime, min(f.Budget/service.WeighedShare, app.MostWeighed))
	}
	return a.Measure(f, func(out *record.Outcome, lib *page.Library, err error) error {
		lib.Stored.Explain(out.Comparison)
		printed := a.printComparison(f, out)
		a.ReportOf(f, lib, out.Comparison.ID)
		kept := app.KeepComparisonCSV(f.CSV, model.ComparisonOf(out.Comparison, out.Runs, model.Full))
		return cmp.Or(err, printed, kept, a.KeepReceipt(f.Receipt, lib, out.Comparison.ID), app.ExitOf(out.Comparison))
	})
}

// printComparison writes the comparison in the form asked for.
func (a *commands) printComparison(f *app.MeasureFlags, out *record.Outcome) error {
	switch {
	case f.JSON:
		return a.PrintJSON(app.DocumentOf(out))
	case f.Markdown:
		return report.Markdown(a.Stdout, out.Comparison, out.Runs)
	}
	return report.Comparison(a.Stdout, out.Comparison, out.Runs, app.Detail(f.Output))
}
