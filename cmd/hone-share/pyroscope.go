package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone-share/internal/objectstore"
	"github.com/gohone/hone/cmd/hone-share/internal/pyroscope"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/stored"
	"github.com/gohone/hone/prof"
)

// Secrets come by the environment: the command line is for everybody to read.
const (
	passwordVariable = "HONE_PUSH_PASSWORD"
	tokenVariable    = "HONE_PUSH_TOKEN"
)

// pyroscopeFlags say where profiles go.
type pyroscopeFlags struct {
	server, service string
	headers         []string
	options         pyroscope.Options
}

const pyroscopeHelp = `
With --pyroscope, the profiles of the runs go to Grafana Pyroscope instead, with the labels service_name,
run, variant and commit. A password for --user or a bearer token is read from ` + passwordVariable + ` and
` + tokenVariable + `. Pyroscope counts a profile twice that is pushed twice, and takes by default none that is
older than an hour.`

func (f *pyroscopeFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&f.server, "pyroscope", "", "push the profiles of the runs to the Pyroscope at `URL`")
	fl.StringVar(&f.service, "service", "", "`NAME` for the label service_name (default the last part of the package)")
	fl.StringVar(&f.options.User, "user", "", "user `NAME` for Pyroscope; the password is in "+passwordVariable)
	fl.StringArrayVar(&f.headers, "header", nil, "header of the requests to Pyroscope, `'Name: value'` (repeatable)")
}

// client prepares the connection, with the secrets of the environment.
func (f *pyroscopeFlags) client(insecure bool) (*pyroscope.Client, error) {
	o := f.options
	o.Password, o.Token, o.Insecure = os.Getenv(passwordVariable), os.Getenv(tokenVariable), insecure
	o.Headers = map[string]string{}
	for _, text := range f.headers {
		name, value, found := strings.Cut(text, ":")
		if !found || name == "" {
			return nil, fail.New(fail.BadInput, "--header %q: want 'Name: value'", text)
		}
		o.Headers[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	return pyroscope.New(f.server, o)
}

func (a *app) pushProfiles(ctx context.Context, f *storeFlags, p *pyroscopeFlags, names []string) error {
	if slices.ContainsFunc(names, objectstore.IsLocation) {
		return fail.New(fail.BadInput,
			"--pyroscope and s3:// are two places").
			WithHint("hone share push RUN --pyroscope %s, then hone share push RUN s3://...", p.server)
	}
	client, err := p.client(f.store.Insecure)
	if err != nil {
		return err
	}
	defer client.Close()
	l, err := ledger.OpenReader(f.ledger)
	if err != nil {
		return err
	}
	defer l.Close()
	runs, err := runsNamed(l, names)
	if err != nil {
		return err
	}
	done := []pushedProfiles{}
	for _, run := range runs {
		one, err := p.pushRun(ctx, l, client, run)
		if err != nil {
			return err
		}
		done = append(done, one)
	}
	return a.Print(f.json, struct {
		Schema string           `json:"schema"`
		Server string           `json:"server"`
		Runs   []pushedProfiles `json:"runs"`
	}{"hone.push.pyroscope/1", client.String(), done},
		func(w io.Writer) error { return writePushed(w, client.String(), done) })
}

// runsNamed are the runs, and those of the comparisons, of these names.
func runsNamed(l *ledger.Ledger, names []string) (runs []ledger.Run, err error) {
	for _, name := range names {
		ref, err := l.Find(name)
		if err != nil {
			return nil, err
		}
		ids := []string{ref.ID}
		if ref.Kind != ledger.KindRun {
			c, err := l.Comparison(ref.ID)
			if err != nil {
				return nil, err
			}
			ids = c.Runs
		}
		for _, id := range ids {
			run, err := l.Run(id)
			if err != nil {
				return nil, err
			}
			runs = append(runs, run)
		}
	}
	return runs, nil
}

// pushRun sends all profiles of one run.
func (f *pyroscopeFlags) pushRun(ctx context.Context, l *ledger.Ledger, client *pyroscope.Client,
	run ledger.Run) (done pushedProfiles, err error) {
	captures, _, err := (&stored.Library{Ledger: l}).Captures(run.ID, prof.KindNames()...)
	if err != nil {
		return done, err
	}
	if len(captures) == 0 {
		return done, fail.New(fail.BadInput, "run %s has no profiles",
			run.ID).WithHint("hone run --no-profile stores none: measure again without that")
	}
	done = pushedProfiles{Run: run.ID, Service: f.serviceOf(run), Profiles: map[string]int{}}
	labels := map[string]string{"service_name": done.Service, "run": run.ID, "variant": run.Variant,
		"commit": run.Commit}
	if run.Dirty && run.Commit != "" {
		labels["commit"] += "-dirty" // as git describe says it
	}
	sent := 0
	for _, kind := range prof.KindNames() {
		for _, c := range captures[kind] {
			profile, err := pyroscope.FromCapture(c, run.Started, labels)
			if err == nil {
				err = client.Push(ctx, profile)
			}
			if err != nil {
				return done, fmt.Errorf("run %s, after %d profiles that were taken: %w", run.ID, sent, err)
			}
			sent++
			done.Profiles[profile.Name]++
		}
	}
	return done, nil
}

// serviceOf is the name of the service that a run measured.
func (f *pyroscopeFlags) serviceOf(run ledger.Run) string {
	if f.service == "" && run.Package != "" {
		return path.Base(run.Package)
	}
	return cmp.Or(f.service, run.Label, "unknown")
}
