// Package reach is hone reach.
package reach

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/conduct/testreach"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/view/report"
)

// Command is hone reach.
func Command(of *app.App) *cobra.Command {
	f := &spec.Spec{}
	cmd := &cobra.Command{
		Use:   "reach [packages] [--vs REF]",
		Short: "List the functions that changed, and which benchmarks and tests execute them",
		Long: `reach compares the compiled code of the working tree (B) with that of --vs (A: a git ref or a directory), and
lists the functions that differ. Comments and shifted lines do not count. Where a constant, table, embedded file or
type has changed, the functions that use it count as changed.

Then it builds the test binaries of both sides with coverage counters, runs the tests, and each benchmark once.
It says which functions that differ each of them executes, and how many of the changed lines.

What has no counters (assembly, C code) is in doubt: it may be executed.`,
		Example: `  hone reach                      # the package here, against HEAD
  hone reach ./... --vs main
  hone reach ./parse --vs HEAD~3 --json`,
		RunE: func(_ *cobra.Command, args []string) error {
			f.Bench.Packages = args
			progress := of.Progress(f.Quiet)
			found, err := testreach.Packages(of.Ctx, testreach.Task{Program: f.Program, Bench: f.Bench, Progress: progress})
			progress.Clear()
			if err != nil {
				return err
			}
			return of.Print(f.JSON, found, func(w io.Writer) error { return report.Reach(w, found) })
		},
	}
	app.AddOptions(cmd, spec.ForReach, f)
	return cmd
}
