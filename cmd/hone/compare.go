package main

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/lab"
	"github.com/gohone/hone/internal/report"
)

// How long run and compare load by default.
const (
	defaultRunTime     = 10 * time.Second
	defaultCompareTime = 15 * time.Second
)

func (a *app) compareCommand() *cobra.Command {
	f := &measureFlags{}
	cmd := &cobra.Command{
		Use:   "compare A B [flags] [-- ARGS...]",
		Short: "Measure two variants together and say which is faster, by how much and why",
		Long: `compare builds two variants, keeps both warm, loads them in short slices in random
order, and decides on the ratio of CPU time per request. A and B are packages as for
hone run; arguments behind -- go to both.`,
		Example: `  hone compare main:./cmd/server ./cmd/server
  hone compare './services/framed/cmd/framed -stage raw' './services/framed/cmd/framed -stage buffered' \
      --target framed://127.0.0.1:{port} -c 100 --depth 16 -d 15s -- -addr 127.0.0.1:{port}`,
		Args: twoVariants,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.compare(f, cmd, args)
		},
	}
	f.add(cmd, defaultCompareTime)
	f.addTest(cmd)
	return cmd
}

// addTest declares the flags of the test itself.
func (f *measureFlags) addTest(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.Float64Var(&f.request.Alpha, "alpha", 0.05, "level of the test")
	fl.Float64Var(&f.request.Delta, "delta", 0.01, "tolerance of \"the same\", as a fraction")
	fl.BoolVar(&f.request.NoIsolate, "no-isolate", false, "no network namespaces: restart variants on the same fixed port in turn,\nfor programs that need other servers on this machine")
	fl.DurationVar(&f.request.BlockLoad, "block", 2500*time.Millisecond, "timed load between fresh starts of the variants")
}

func (a *app) compare(f *measureFlags, cmd *cobra.Command, args []string) error {
	out, err := a.measureWords(f, cmd, args)
	if out == nil {
		return err
	}
	return orFirst(err, a.printComparison(f, out))
}

func (a *app) printComparison(f *measureFlags, out *lab.Outcome) error {
	if f.json {
		return a.printJSON(documentOf(out))
	}
	return report.Comparison(a.stdout, out.Comparison, out.Runs)
}

// comparisonDocument is the JSON of a comparison with its runs.
type comparisonDocument struct {
	Schema     string                `json:"schema"`
	Comparison *lab.ComparisonRecord `json:"comparison"`
	Runs       []lab.Record          `json:"runs"`
}

func documentOf(out *lab.Outcome) comparisonDocument {
	return comparisonDocument{Schema: "hone.compare/1", Comparison: out.Comparison, Runs: out.Runs}
}

// splitAtDash separates the variants from the arguments behind --.
func splitAtDash(cmd *cobra.Command, args []string) (words, rest []string) {
	if n := cmd.ArgsLenAtDash(); n >= 0 {
		return args[:n], args[n:]
	}
	return args, nil
}

func oneVariant(cmd *cobra.Command, args []string) error  { return wantVariants(cmd, args, 1) }
func twoVariants(cmd *cobra.Command, args []string) error { return wantVariants(cmd, args, 2) }

func wantVariants(cmd *cobra.Command, args []string, want int) error {
	words, _ := splitAtDash(cmd, args)
	if len(words) == want {
		return nil
	}
	return fail.New(fail.BadInput, "%s takes %d package(s), got %d: %q", cmd.CommandPath(), want, len(words), words).
		WithHint("quote a package together with its own arguments, and put arguments for all behind --: %s", cmd.UseLine())
}

// orFirst returns the first error that is not nil.
func orFirst(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
