package main

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/sys/outfile"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/view/web"
)

func (a *commands) reportCommand() *cobra.Command {
	f, output := &spec.Spec{}, ""
	var open bool
	cmd := &cobra.Command{
		Use:   "report [RUN|COMPARISON]",
		Short: "Write one HTML file about a run or a comparison: charts, profiles, findings",
		Long: `report writes one HTML file that needs no network and no other file, and can be mailed. It
holds the pages of hone serve for this run or comparison, or the newest: the numbers, the charts, the
profiles as flame graphs with source, the findings. Measurements write it at their end.`,
		Example: "  hone report --open\n  hone report COMPARISON -o result.html --open",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.report(f.Ledger, app.OrNewest(args, 1)[0], output, open)
		},
	}
	app.AddOptions(cmd, spec.ForPages, f)
	fl := cmd.Flags()
	fl.StringVarP(&output, "output", "o", "",
		"`FILE` for the report, - for standard output (default: reports/NAME.html in the ledger)")
	fl.BoolVar(&open, "open", false, "open it in a browser")
	return cmd
}

// report writes the report of what has this name, and prints where it is.
func (a *commands) report(dir, name, output string, open bool) error {
	l, err := a.ReadLedger(dir)
	if err != nil {
		return err
	}
	defer l.Close()
	found, err := l.Find(name)
	if err != nil {
		return err
	}
	r, err := app.ReportFrom(a.Library(l), found)
	if err != nil {
		return err
	}
	write := func(w io.Writer) error { return web.WriteReport(w, r) }
	switch output {
	case "-":
		out, ok := a.BinaryOutput()
		if !ok {
			return fail.New(fail.BadInput,
				"a report is a page for browsers, and standard output is a terminal").WithHint("name a file: -o report.html")
		}
		return write(out)
	case "":
		if output, err = app.KeepIn(dir, found.ID, write); err != nil {
			return fail.New(fail.Or(fail.Storage, err), "write the report: %w",
				err).WithHint("name another place: -o report.html")
		}
	default:
		if err := outfile.Write(output, outfile.Private, write); err != nil {
			return fail.New(fail.Storage, "write %s: %w", output, err)
		}
	}
	fmt.Fprintln(a.Stdout, output)
	if !open {
		return nil
	}
	full, err := filepath.Abs(output)
	if err == nil {
		err = openBrowser("file://" + filepath.ToSlash(full))
	}
	if err != nil {
		fmt.Fprintf(a.Stderr, "no browser was opened: %s\n", printable.Indented(err.Error()))
	}
	return nil
}
