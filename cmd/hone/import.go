package main

import (
	"bytes"
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/archive"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/sys/tempdir"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/internal/view/report"
	"github.com/gohone/hone/prof"
)

func (a *commands) importCommand() *cobra.Command {
	f := &spec.Spec{}
	cmd := &cobra.Command{
		Use:   "import FILE [flags]",
		Short: "Add the runs and comparisons of an archive to the ledger",
		Long: `import reads an archive made by hone export; - is standard input. It checks the whole archive
first, then adds all its runs or none. An archive with content that hone export does not write
is refused (exit code 2). Runs keep their names and are marked as imported. Runs that the ledger
has already stay as they are. For profiles in pprof's format use hone pull.`,
		Example: `  hone import hone-1a2b3c4d.tar.gz
  hone import hone-1a2b3c4d.tar.gz --ledger from-ci`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.importArchive(f, args[0]) },
	}
	app.AddOptions(cmd, spec.ForKeeping, f)
	return cmd
}

func (a *commands) importArchive(f *spec.Spec, file string) (err error) {
	in, err := openArchive(file)
	if err != nil {
		return err
	}
	defer in.Close()
	dir, err := tempdir.Make()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dir.Remove()) }()
	read, err := archive.Read(in, dir.Path, archive.DefaultLimits)
	if err != nil {
		return notAnArchive(file, err)
	}
	store, err := a.OpenToKeep(f.Ledger, f.Quiet, nil)
	if err != nil {
		return err
	}
	done, err := store.Import(read.Records, read.Blob)
	if err := errors.Join(err, store.Close()); err != nil {
		return err
	}
	return a.Print(f.JSON, struct {
		Schema string `json:"schema"`
		ledger.Imported
	}{"hone.import/1", done}, func(w io.Writer) error { return report.Imported(w, done) })
}

// openArchive opens a regular file, or standard input.
func openArchive(file string) (io.ReadCloser, error) {
	if file == "-" {
		return io.NopCloser(os.Stdin), nil
	}
	in, err := inputs.Archive.Open(file)
	if err != nil {
		return nil, fail.New(fail.Or(fail.BadInput, err), "open archive: %w", err).WithHint("hone export RUN makes one")
	}
	return in, nil
}

// profileHead is how much of a file is looked at to tell whether it is a profile.
const profileHead = 8 << 20

// notAnArchive says more of a file that is refused if it is a profile.
func notAnArchive(file string, err error) error {
	in, openErr := inputs.Archive.Open(file)
	if openErr != nil {
		return err
	}
	defer in.Close()
	head, readErr := io.ReadAll(io.LimitReader(in, profileHead))
	if readErr != nil {
		return err
	}
	if c, e := prof.ReadCapture(bytes.NewReader(head), app.ImportLimits); e != nil || c.Kind == "" {
		return err
	}
	return fail.New(fail.BadInput, "%s is a profile, not an archive of hone export", file).
		WithHint("hone pull %s", file)
}
