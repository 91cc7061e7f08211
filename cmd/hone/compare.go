package main

import (
	"cmp"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/compare"
	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/lab"
	"github.com/gohone/hone/internal/report"
)

// How long run loads and compare may take by default.
const (
	defaultRunTime = 10 * time.Second
	defaultBudget  = 60 * time.Second
)

func (a *app) compareCommand() *cobra.Command {
	f, o := &measureFlags{}, &onceFlags{}
	cmd := &cobra.Command{
		Use:   "compare [A B [C...]] [flags] [-- ARGS...]",
		Short: "Measure variants together and say which is faster, by how much and why",
		Long: `compare builds the variants and starts them afresh several times. It loads them in turn, in
short slices and random order, and compares the CPU time per request of each with that of A.
It ends when a difference is shown, when it is shown that there is none beyond +-delta, or when
the budget is used up. With --rate it goes on until throughput and latency are settled, too.

A, B, C are packages as for hone run; arguments behind -- go to all. One package alone is
compared with its state at HEAD. A variant at a git ref runs in a checkout of its own, so that
the files it opens are those of the ref. Without A, A is the baseline of hone.yaml; without A
and B, B is its subject.

Two names of stored runs (or baseline) are compared as they are stored, without a new
measurement. Runs of one comparison were measured together, and get the verdict of that
comparison. For other runs the result is only an indication.

With --once the variants are programs that end by themselves. They are executed in turns until
it is decided which takes less CPU time.`,
		Example: `  hone compare ./cmd/server                            # HEAD against the working tree
  hone compare main:./cmd/server ./cmd/server
  hone compare './services/framed/cmd/framed -stage raw' './services/framed/cmd/framed -stage buffered' \
      --target framed://127.0.0.1:{port} -c 100 --depth 16 --budget 30s -- -addr 127.0.0.1:{port}
  hone compare --once './prog -fast' './prog -slow' -- input`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(cmd); err != nil {
				return err
			}
			if o.on {
				return a.compareOnce(f, o, cmd, args)
			}
			return a.compare(f, cmd, args)
		},
	}
	f.add(cmd)
	f.addTest(cmd)
	o.add(cmd, false)
	cmd.Flags().BoolVar(&f.markdown, "markdown", false, "print Markdown for a comment on a pull request")
	return cmd
}

// addTest declares the flags of the test itself.
func (f *measureFlags) addTest(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.DurationVar(&f.request.Budget, "budget", defaultBudget, "time limit from the first start on; the comparison ends earlier if it can")
	fl.DurationVarP(&f.request.Budget, "duration", "d", defaultBudget, "the same as --budget")
	fl.Lookup("duration").Hidden = true
	fl.DurationVar(&f.request.Slice, "slice", 0, "length of one slice (default: 10ms, longer for slow services and a busy collector)")
	fl.DurationVar(&f.request.WarmUp, "warmup", 150*time.Millisecond, "load before the first slice of each start, not counted")
	fl.Float64Var(&f.request.Alpha, "alpha", compare.DefaultAlpha, "level of the test, shared by all looks and variants")
	fractionVar(fl, &f.request.Delta, "delta", compare.DefaultDelta, "tolerance of \"the same\"")
	fl.StringArrayVar(&f.gates, "gate", nil, "limit on the change from A, such as cpu<+2%, p99<+5%, allocs<=0 or 'func(main.work)<+5%' (repeatable);\npassed: exit 0, failed: 1, undecided: 8")
	fl.IntVar(&f.request.Layouts, "layouts", 0, "build each variant this many times, each with another order of functions (-randlayout)")
	fl.BoolVar(&f.request.NoIsolate, "no-isolate", false, "no network namespaces: restart variants on the same fixed port in turn,\nfor programs that need other servers on this machine")
	fl.BoolVar(&f.request.Answers.Volatile, "volatile", false, "bodies of answers differ by nature: of them only status, header and length are compared")
	fl.BoolVar(&f.request.Answers.Allow, "allow-different-answers", false, "compare variants that answer the same requests differently (without it invalid, exit 4),\nor do less besides (undecided, exit 8)")
	fl.DurationVar(&f.request.BlockLoad, "block", 0, "timed load between fresh starts of the variants (default: chosen from the first blocks)")
}

func (a *app) compare(f *measureFlags, cmd *cobra.Command, args []string) error {
	words, _ := splitAtDash(cmd, args)
	switch found, err := stored(words); {
	case err != nil:
		return err
	case found:
		return a.compareStored(f, words)
	}
	out, err := a.measureWords(f, cmd, args, 2, lab.MostVariants)
	if out == nil {
		return err
	}
	printed := a.printComparison(f, out)
	a.reportOf(f, out.Comparison.ID)
	return cmp.Or(err, printed, exitOf(out.Comparison))
}

// printComparison writes the comparison in the form asked for.
func (a *app) printComparison(f *measureFlags, out *lab.Outcome) error {
	a.explainByFindings(f.ledger, out.Comparison)
	switch {
	case f.json:
		return a.printJSON(documentOf(out))
	case f.markdown:
		return report.Markdown(a.stdout, out.Comparison, out.Runs)
	}
	return report.Comparison(a.stdout, out.Comparison, out.Runs)
}

// comparisonDocument is the JSON of a comparison with its runs.
type comparisonDocument[R any] struct {
	Schema     string                `json:"schema"`
	Comparison *lab.ComparisonRecord `json:"comparison"`
	Runs       []R                   `json:"runs"`
}

func documentOf(out *lab.Outcome) comparisonDocument[lab.Record] {
	return comparisonDocument[lab.Record]{"hone.compare/2", out.Comparison, out.Runs}
}

// splitAtDash separates the variants from the arguments behind --.
func splitAtDash(cmd *cobra.Command, args []string) (words, rest []string) {
	if n := cmd.ArgsLenAtDash(); n >= 0 {
		return args[:n], args[n:]
	}
	return args, nil
}

// wantVariants holds a command line to the number of packages that it may name.
func wantVariants(cmd *cobra.Command, words []string, least, most int) error {
	if least <= len(words) && len(words) <= most {
		return nil
	}
	want := fmt.Sprint(least)
	if most > least {
		want += " or more"
	}
	return fail.New(fail.BadInput, "%s takes %s package(s), got %d: %q", cmd.CommandPath(), want, len(words), words).
		WithHint("quote a package together with its own arguments, and put arguments for all behind --: %s", cmd.UseLine())
}
