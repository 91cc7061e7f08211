package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/conduct/pull"
	"github.com/gohone/hone/internal/program/continuous"
	"github.com/gohone/hone/internal/program/pprofhttp"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/prof"
)

func (a *commands) pullCommand() *cobra.Command {
	f := &spec.Spec{}
	cmd := &cobra.Command{
		Use:   "pull FILE... | http://HOST:PORT | pyroscope URL | parca URL",
		Short: "Store profiles of production as a run: from files, a service, Pyroscope, Parca",
		Long: `pull takes profiles from elsewhere, checks them, and keeps them in the ledger as one run, with their labels. Files are
in pprof's format or OTLP's (protobuf), also of fgprof, Parca and Pyroscope. Several files of one kind count as
repeated captures: hone profile diff takes their scatter as its noise. With an address it takes the profiles of a
service that serves net/http/pprof there, under its present load. Pyroscope and Parca are asked by their query API.

What the run is for: hone cover PROD RUN, hone profile diff PROD RUN, hone advise RUN --weigh PROD,
hone compare A B --weigh PROD (docs/production.md).`,
		Example: `  hone pull cpu.pb.gz heap.pb.gz
  hone pull http://localhost:6060 --seconds 30
  hone pull pyroscope http://localhost:4040 --query '{service_name="shop"}'
  hone pull parca http://localhost:7070 --query '{job="shop"}' --from now-15m`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 && strings.Contains(args[0], "://") {
				return a.pullAddress(f, args[0])
			}
			return a.pullFiles(f, args)
		},
	}
	app.AddOptions(cmd, spec.ForPull, f)
	cmd.AddCommand(a.pullStoreCommand("pyroscope", "Grafana Pyroscope", continuous.NewPyroscope),
		a.pullStoreCommand("parca", "Parca", continuous.NewParca))
	return cmd
}

// captured says what a run of profiles only is called; kind is one that it has.
func (a *commands) captured(asJSON bool, id, kind string, warnings []string) error {
	if asJSON {
		return a.PrintJSON(struct {
			Schema   string   `json:"schema"`
			ID       string   `json:"id"`
			Warnings []string `json:"warnings,omitempty"`
		}{"hone.profile-capture/1", id, warnings})
	}
	for _, w := range warnings {
		fmt.Fprintf(a.Stdout, "note: %s\n", printable.Line(w))
	}
	if kind != "cpu" {
		_, err := fmt.Fprintf(a.Stdout, "kept as run %s\nnext: hone profile top %s --kind %s, hone show %s\n", id, id,
			kind, id)
		return err
	}
	_, err := fmt.Fprintf(a.Stdout,
		"kept as run %s\nnext: hone profile top %s, hone profile blame %s --per second, hone show %s\n", id, id, id, id)
	return err
}

func (a *commands) pullFiles(f *spec.Spec, files []string) error {
	var captures []prof.Capture
	var notes []string
	for _, name := range files {
		of, left, err := readCaptureFile(name)
		if err != nil {
			return err
		}
		captures, notes = append(captures, of...), append(notes, left...)
	}
	return a.keepPulled(f, ledger.Run{Label: filepath.Base(files[0])},
		continuous.Pulled{Captures: captures, Notes: notes})
}

// keepPulled stores profiles as a run, and says what it is called.
func (a *commands) keepPulled(f *spec.Spec, row ledger.Run, p continuous.Pulled) error {
	store, err := a.OpenToKeep(f.Ledger, f.Quiet, nil)
	if err != nil {
		return err
	}
	l := pull.Store{Ledger: store, Version: app.Version()}
	id, err := l.Import(row, "", p.Captures)
	if err := errors.Join(err, store.Close()); err != nil {
		return err
	}
	kind := p.Captures[0].Kind
	if slices.ContainsFunc(p.Captures, func(c prof.Capture) bool { return c.Kind == "cpu" }) {
		kind = "cpu"
	}
	return a.captured(f.JSON, id, kind, p.Notes)
}

// readCaptureFile reads the profiles of a file of unknown origin that a run keeps.
func readCaptureFile(name string) (captures []prof.Capture, notes []string, err error) {
	file, err := inputs.Profile.Open(name)
	if err != nil {
		return nil, nil, fail.New(fail.Or(fail.BadInput, err), "open profile %w", err)
	}
	defer file.Close()
	captures, left, err := prof.ReadCaptures(file, app.ImportLimits)
	if err != nil {
		return nil, nil, app.ForeignFault(name, err)
	}
	captures = slices.DeleteFunc(captures, func(c prof.Capture) bool { return c.Kind == "" })
	if len(captures) == 0 {
		return nil, nil, fail.New(fail.BadInput,
			"%s: its sample types are none of a Go program's profiles, and a run keeps no others", name).
			WithHint("hone profile top %s and the other views show it", name)
	}
	return captures, continuous.LeftOut(left), nil
}

// pullAddress takes the profiles of a running service.
func (a *commands) pullAddress(f *spec.Spec, address string) error {
	if !(f.Pull.Seconds >= 1 && f.Pull.Seconds <= 3600) {
		return fail.New(fail.BadInput, "--seconds is %v, want 1 to 3600", f.Pull.Seconds)
	}
	service, err := pprofhttp.New(address)
	if err != nil {
		return err
	}
	progress := a.Progress(f.Quiet)
	cpuTime := time.Duration(f.Pull.Seconds * float64(time.Second))
	taken := pull.Take(a.Ctx, progress, pull.Remote{Service: service, CPUTime: cpuTime})
	progress.Clear()
	store, err := a.OpenToKeep(f.Ledger, f.Quiet, a.UserMark())
	if err != nil {
		return err
	}
	l := pull.Store{Ledger: store, Version: app.Version()}
	id, warnings, err := l.Keep(taken)
	if err := errors.Join(err, store.Close()); err != nil {
		return err
	}
	return a.captured(f.JSON, id, "cpu", warnings)
}
