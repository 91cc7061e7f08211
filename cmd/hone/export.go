package main

import (
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/archive"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/sys/outfile"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/report"
)

// exportFlags are what hone export is asked for.
type exportFlags struct {
	spec.Spec
	output             string
	force, openMetrics bool
}

func (a *commands) exportCommand() *cobra.Command {
	f := &exportFlags{}
	cmd := &cobra.Command{
		Use:   "export [RUN|COMPARISON...] [flags]",
		Short: "Write runs and comparisons to one file, for hone import on another machine",
		Long: `export writes runs, the newest run or comparison if you name none, with their slices, profiles and logs to an archive (tar, gzip). hone import
reads it, and tar tzf lists it. A comparison comes with all its runs, and a run with the
comparison that it belongs to. The archive names this machine. Time series and baselines are
not in it. Equal runs give equal bytes.

With --openmetrics it writes the time series instead, as text with times:
  promtool tsdb create-blocks-from openmetrics FILE DATA-DIRECTORY`,
		Example: `  hone export
  hone export RUN1 RUN2 -o both.tar.gz
  hone export RUN -o - | ssh ci hone import -
  hone export RUN --openmetrics -o run.om`,
		RunE: func(_ *cobra.Command, args []string) error { return a.export(f, app.OrNewest(args, 1)) },
	}
	app.AddOptions(cmd, spec.ForKeeping, &f.Spec)
	fl := cmd.Flags()
	fl.StringVarP(&f.output, "output", "o", "",
		"`FILE` to write, - for standard output (default hone-RUN.tar.gz, or hone-RUN.om)")
	fl.BoolVar(&f.force, "force", false, "replace the file if it is there")
	fl.BoolVar(&f.openMetrics, "openmetrics", false, "write the time series as OpenMetrics text")
	return cmd
}

func (a *commands) export(f *exportFlags, names []string) error {
	out, err := a.exportOutput(f)
	if err != nil {
		return err
	}
	l, err := a.ReadLedger(f.Ledger)
	if err != nil {
		return err
	}
	defer l.Close()
	wanted, err := app.Each(names, func(name string) (ledger.Ref, error) { return l.Find(name) })
	if err != nil {
		return err
	}
	if f.openMetrics {
		return a.exportOpenMetrics(f, l, wanted)
	}
	o := archive.Options{Hone: app.Version(), Host: archive.HostName()}
	if out != nil {
		_, err := archive.Write(out, l, wanted, o)
		return err
	}
	if f.output == "" {
		f.output = "hone-" + wanted[0].ID + ".tar.gz"
	}
	var summary archive.Summary
	err = f.writeFile(func(w io.Writer) (err error) {
		summary, err = archive.Write(w, l, wanted, o)
		return err
	})
	if err != nil {
		return err
	}
	return a.Print(f.JSON, struct {
		Schema string `json:"schema"`
		File   string `json:"file"`
		archive.Summary
	}{"hone.export/1", f.output, summary}, func(w io.Writer) error { return report.Exported(w, f.output, summary) })
}

// exportOutput is standard output if the archive goes there, nil if it goes to a file.
func (a *commands) exportOutput(f *exportFlags) (io.Writer, error) {
	if f.output != "-" {
		return nil, nil
	}
	if f.JSON {
		return nil, fail.New(fail.BadInput,
			"-o - and --json both write to standard output").WithHint("name a file with -o FILE")
	}
	out, ok := a.BinaryOutput()
	if !ok {
		return nil, fail.New(fail.BadInput, "standard output is a terminal, and an archive is not text").
			WithHint("name a file with -o FILE, or pipe the output into another program")
	}
	return out, nil
}

// writeFile writes the archive to the file, whole or not at all.
func (f *exportFlags) writeFile(write func(io.Writer) error) error {
	if _, err := os.Lstat(f.output); err == nil && !f.force && !outfile.Special(f.output) {
		return fail.New(fail.BadInput, "%s is there already", f.output).
			WithHint("--force replaces it, -o FILE takes another name")
	}
	var known *fail.Error
	err := app.WriteFile(f.output, func(w io.Writer) error {
		err := write(w)
		errors.As(err, &known)
		return err
	})
	if known != nil { // of the ledger, not of the file
		return known
	}
	return err
}
