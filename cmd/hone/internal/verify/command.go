// Package verify is hone verify.
package verify

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/judge/repeat"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/spec/config"
	"github.com/gohone/hone/internal/sys/paths"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/view/receipt"
	"github.com/gohone/hone/internal/view/report"
)

// asked is what a command line asks for.
type asked struct {
	spec.Spec
	fetch, yes bool
}

// Command is hone verify.
func Command(of *app.App) *cobra.Command {
	f := &asked{}
	cmd := &cobra.Command{
		Use:   "verify RECEIPT [RECEIPT OF THE SECOND MEASUREMENT]",
		Short: "Measure the comparison of a receipt again, and say whether it holds here",
		Long: `verify reads a receipt (hone compare --receipt FILE, hone bench --vs REF --receipt FILE), finds the
commits of both sides in the repository here, checks that their trees are those of the receipt, and measures the same again on this
machine, with the same budget. Then it says of each claim, with both intervals:

  holds                 the same direction is shown here, and the intervals agree
  does not hold         the intervals exclude each other
  cannot be told here   the interval here is too wide, or nothing was claimed

The answer goes by the verdict and the gates of the receipt. A figure beside them that does not hold leaves it open.

verify builds and executes the code of both commits, and the commands that stand in the receipt. Unless your own hone
measured it, verify shows them and asks first; --yes allows it.

With a second receipt of the same trees, which was measured elsewhere, nothing is measured.

Exit codes: 0 holds, 1 does not hold, 8 cannot be told here, 2 the receipt was changed or cannot be read.`,
		Example: `  hone verify receipt.json
  hone verify receipt.json --fetch --yes
  hone verify receipt.json again.json`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(_ *cobra.Command, args []string) error { return verify(of, f, args) },
	}
	cmd.Flags().BoolVar(&f.fetch, "fetch", false,
		"fetch the commits from the receipt's repository if they are not here")
	cmd.Flags().BoolVar(&f.yes, "yes", false, "allow what the receipt makes hone execute without a question")
	app.AddOptions(cmd, spec.ForKeeping, &f.Spec)
	return cmd
}

func verify(of *app.App, f *asked, args []string) error {
	r, text, err := receipt.ReadFile(of.Ctx, args[0])
	if err != nil {
		return err
	}
	if bundle := args[0] + receipt.BundleSuffix; paths.IsFile(bundle) {
		fmt.Fprintf(of.Stderr, "note: %s is a signature, which is not checked here: hone sign --verify %s --identity PATTERN "+
			"--issuer URL\n", printable.Line(bundle), config.Show(args[0]))
	}
	var again *receipt.Receipt
	if len(args) == 2 {
		if again, _, err = receipt.ReadFile(of.Ctx, args[1]); err == nil {
			err = receipt.SameSides(r, again)
		}
	} else {
		again, err = measure(of, f, args[0], text, r)
	}
	if err != nil {
		return err
	}
	o := receipt.Hold(r, again)
	if err := of.Print(f.JSON, o, func(w io.Writer) error { return report.OfReceipt(w, r, o) }); err != nil {
		return err
	}
	return exitOf(o, args[0])
}

// exitOf is how an outcome ends the command; nil where the receipt holds.
func exitOf(o *receipt.Outcome, name string) error {
	switch o.Answer {
	case repeat.Holds:
		return nil
	case repeat.Refuted:
		return fail.New(fail.Regression, "%s does not hold here: %s", name, o.Reason).
			WithHint("the figures of both are above; the second measurement is comparison %s", o.Receipt.Comparison)
	}
	return fail.New(fail.Undecided, "whether %s holds cannot be told here: %s", name, o.Reason).
		WithHint("verify on a quiet machine of the same kind, or ask for a receipt with a larger --budget")
}

// asks are the lines that say what is executed.
func asks(r *receipt.Receipt) (lines []string) {
	for _, side := range r.Sides {
		what := side.Release
		if side.Commit != "" {
			what = "commit " + side.Commit
		}
		if remote := r.Repository.Remote; remote != "" && side.Commit != "" {
			what += " of " + remote
		}
		lines = append(lines, strings.Join(strings.Fields(fmt.Sprintf("code of %s: %s %s", side.Name, side.Source, what)), " "))
	}
	if p := r.Patch; p != nil {
		lines = append(lines, fmt.Sprintf("patch: %d bytes on commit %.12s, as the receipt has them", len(p.Text), p.Base))
	}
	if r.Patch != nil || len(r.Checked) > 0 {
		lines = append(lines, "tests: those of the packages that the patch changes")
	}
	lines = append(lines, "command: "+r.Line.String())
	for _, entry := range r.Environment.Variables {
		lines = append(lines, "environment: "+entry)
	}
	return lines
}
