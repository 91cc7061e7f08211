package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/program/pprofhttp"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/prof"
)

func (a *app) captureRemote(f *spec.Spec, address string) error {
	if !(f.Profile.Seconds >= 1 && f.Profile.Seconds <= 3600) {
		return fail.New(fail.BadInput, "--seconds is %v, want 1 to 3600", f.Profile.Seconds)
	}
	service, err := pprofhttp.New(address)
	if err != nil {
		return err
	}
	store, err := a.openToMeasure(f.Ledger)
	if err != nil {
		return err
	}
	progress := a.progress(f.Quiet)
	l := &lab.Lab{Ledger: store, Progress: progress, Hard: a.hard, Version: version()}
	id, warnings, err := l.Capture(a.ctx, lab.Remote{Service: service, CPUTime: time.Duration(f.Profile.Seconds * float64(time.Second))})
	progress.Clear()
	if err := errors.Join(err, store.Close()); err != nil {
		return err
	}
	return a.captured(f.JSON, id, "cpu", warnings)
}

// captured says what a run of profiles only is called; kind is one that it has.
func (a *app) captured(asJSON bool, id, kind string, warnings []string) error {
	if asJSON {
		return a.printJSON(struct {
			Schema   string   `json:"schema"`
			ID       string   `json:"id"`
			Warnings []string `json:"warnings,omitempty"`
		}{"hone.profile-capture/1", id, warnings})
	}
	for _, w := range warnings {
		fmt.Fprintf(a.stdout, "note: %s\n", printable.Line(w))
	}
	if kind != "cpu" {
		_, err := fmt.Fprintf(a.stdout, "kept as run %s\nnext: hone profile top %s --kind %s, hone show %s\n", id, id, kind, id)
		return err
	}
	_, err := fmt.Fprintf(a.stdout, "kept as run %s\nnext: hone profile top %s, hone profile blame %s --per second, hone show %s\n", id, id, id, id)
	return err
}

// importLimits are tighter than those of a program's own profiles: a file may come from
// any source, and a megabyte of gzip can hold a gigabyte.
var importLimits = prof.Limits{Compressed: 64 << 20, Uncompressed: 100 << 20}

func (a *app) profileImportCommand() *cobra.Command {
	f := &spec.Spec{}
	cmd := &cobra.Command{
		Use:   "import FILE...",
		Short: "Keep profile files in the ledger, as one run",
		Long: `import reads profiles in pprof's format, checks them, and keeps them as one run. They can then
be compared, and viewed after the files are gone. Several files of one kind count as repeated
captures: diff takes their scatter as its noise.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.importProfiles(f, args) },
	}
	addOptions(cmd, spec.ForImport, f)
	return cmd
}

func (a *app) importProfiles(f *spec.Spec, files []string) error {
	captures, err := each(files, readCaptureFile)
	if err != nil {
		return err
	}
	store, err := ledger.Open(f.Ledger)
	if err != nil {
		return err
	}
	l := &lab.Lab{Ledger: store}
	id, err := l.Import(ledger.Run{Label: filepath.Base(files[0])}, "", captures)
	if err := errors.Join(err, store.Close()); err != nil {
		return err
	}
	kind := captures[0].Kind
	if slices.ContainsFunc(captures, func(c prof.Capture) bool { return c.Kind == "cpu" }) {
		kind = "cpu"
	}
	return a.captured(f.JSON, id, kind, nil)
}

// readCaptureFile reads a file of unknown origin.
func readCaptureFile(name string) (prof.Capture, error) {
	file, err := inputs.Profile.Open(name)
	if err != nil {
		return prof.Capture{}, fail.New(fail.Or(fail.BadInput, err), "open profile %w", err)
	}
	defer file.Close()
	c, err := readForeign(name, file)
	if as, ok := prof.AsCPU(c); err == nil && ok {
		c = as
	}
	if err == nil && c.Kind == "" {
		err = fail.New(fail.BadInput, "%s: its sample types are none of a Go program's profiles, and a run keeps no others", name).
			WithHint("hone profile top %s and the other views show it", name)
	}
	return c, err
}

func readForeign(name string, r io.Reader) (prof.Capture, error) {
	c, err := prof.ReadCapture(r, importLimits)
	if err != nil {
		return c, fail.New(fail.BadInput, "%s: %w", name, err).
			WithHint("hone reads profiles in the format of pprof, and as text with debug=1: those of /debug/pprof, of go test -cpuprofile, of go tool pprof -proto")
	}
	return c, nil
}
