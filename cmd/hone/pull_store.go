package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/program/continuous"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
)

// Secrets come by the environment or a file: every user of the machine can read a command line.
const (
	pullPassword = "HONE_PULL_PASSWORD"
	pullToken    = "HONE_PULL_TOKEN"
)

// pullStoreCommand is hone pull NAME for a store of profiles.
func (a *commands) pullStoreCommand(name, title string,
	connect func(string, continuous.Options) (continuous.Store, error)) *cobra.Command {
	f := &spec.Spec{}
	cmd := &cobra.Command{
		Use:   name + " URL --query '{LABEL=\"VALUE\"}'",
		Short: "Keep profiles that " + title + " has as a run",
		Long: title + ` is asked by its query API for all kinds of profiles of a service, summed up over the time, with their labels. A bearer
token is read from ` + pullToken + ` or a file, a password from ` + pullPassword + `; neither goes by plain http to
another machine.`,
		Example: "  hone pull " + name + " " + map[string]string{"pyroscope": "http://localhost:4040",
			"parca": "http://localhost:7070"}[name] + ` --query '{service_name="shop"}' --from now-1h`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			o, err := pullOptions(&f.Pull)
			if err != nil {
				return err
			}
			store, err := connect(args[0], o)
			if err != nil {
				return err
			}
			return a.pullStore(f, store)
		},
	}
	app.AddOptions(cmd, spec.ForPullStore, f)
	return cmd
}

func (a *commands) pullStore(f *spec.Spec, store continuous.Store) (err error) {
	q := continuous.Query{Selector: f.Pull.Query, Kind: f.Pull.Kind, Labels: f.Pull.Labels}
	if q.Kind != "" && !slices.Contains(spec.PulledKinds, q.Kind) {
		return fail.New(fail.BadInput, "--kind %q: want one of %s", q.Kind, strings.Join(spec.PulledKinds, ", "))
	}
	if q.From, q.To, err = continuous.ParseRange(f.Pull.From, f.Pull.To, time.Now()); err != nil {
		return err
	}
	progress := a.Progress(f.Quiet)
	progress.Phase("ask "+store.String(), 0)
	p, err := continuous.Pull(a.Ctx, store, q)
	progress.Clear()
	if err != nil {
		return err
	}
	label := fmt.Sprintf("%s %s to %s", q.Selector, q.From.UTC().Format(time.RFC3339), q.To.UTC().Format(time.RFC3339))
	return a.keepPulled(f, ledger.Run{Label: label, Target: store.String()}, p)
}

// pullOptions are what goes with each request, with the secrets.
func pullOptions(f *spec.Pull) (continuous.Options, error) {
	o := continuous.Options{User: f.User, Password: os.Getenv(pullPassword), Token: os.Getenv(pullToken),
		Headers: map[string]string{}}
	if f.TokenFile != "" {
		text, err := inputs.Secret.ReadFile(f.TokenFile)
		if err != nil {
			return o, fail.New(fail.Or(fail.BadInput, err), "read --token-file: %w", err)
		}
		o.Token = strings.TrimSpace(string(text))
	}
	if cmp.Or(o.Password, o.User) != "" && (o.User == "" || o.Password == "") {
		return o, fail.New(fail.BadInput,
			"basic authentication needs a user and a password, and one of them is missing").
			WithHint("--user NAME, and the password in %s", pullPassword)
	}
	for _, text := range f.Headers {
		name, value, found := strings.Cut(text, ":")
		if !found || strings.TrimSpace(name) == "" {
			return o, fail.New(fail.BadInput, "--header: want 'Name: value'")
		}
		o.Headers[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	return o, nil
}
