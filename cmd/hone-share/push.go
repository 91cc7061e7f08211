package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone-share/internal/exchange"
	"github.com/gohone/hone/internal/spec/cli"
	"github.com/gohone/hone/internal/store/archive"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/fail"
)

func (a *app) pushCommand() *cobra.Command {
	f, p := &storeFlags{}, &pyroscopeFlags{}
	replace := false
	cmd := &cobra.Command{
		Use:   "push [RUN|COMPARISON...] s3://BUCKET[/PREFIX] [flags]",
		Short: "Put runs into an S3-compatible store that others can pull from",
		Long: `push puts finished runs into an S3-compatible store: Amazon S3, MinIO, Ceph, Garage and others.
hone share pull gets them on any machine. Each run is one object, an archive as hone export makes it. A
comparison is one object with all its runs. What is there already is left alone. Without names, push
puts all complete runs and comparisons that are not there yet. hone makes no bucket.
` + credentialsHelp + `
` + pyroscopeHelp,
		Example: `  hone share push s3://team-runs/checkout
  hone share push RUN s3://team-runs --endpoint https://minio.example:9000
  hone share push RUN --pyroscope http://127.0.0.1:4040`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if p.server != "" {
				return a.pushProfiles(cmd.Context(), f, p, args)
			}
			return a.push(cmd.Context(), f, replace, args)
		},
	}
	f.add(cmd)
	p.add(cmd)
	cmd.Flags().BoolVar(&replace, "replace", false, "replace objects that are there: for those that are damaged")
	for _, other := range []string{"replace", "endpoint", "region"} {
		cmd.MarkFlagsMutuallyExclusive("pyroscope", other)
	}
	return cmd
}

func (a *app) push(ctx context.Context, f *storeFlags, replace bool, args []string) error {
	at, names, err := f.location(args, "hone share push [RUN...] s3://BUCKET[/PREFIX]")
	if err != nil {
		return err
	}
	l, err := ledger.OpenReader(f.ledger)
	if err != nil {
		return err
	}
	defer l.Close()
	var wanted []ledger.Ref
	for _, name := range names {
		ref, err := l.Find(name)
		if err != nil {
			return err
		}
		wanted = append(wanted, ref)
	}
	if replace && len(wanted) == 0 {
		return fail.New(fail.BadInput, "--replace without the name of a run would push everything again").
			WithHint("name the runs that are damaged in the store: hone share push RUN %s --replace", at)
	}
	store, err := f.open(at)
	if err != nil {
		return err
	}
	defer store.Close()
	shown := a.showShared(f, at, len(wanted) > 0)
	err = exchange.Push(ctx, l, store, exchange.PushOptions{
		Wanted: wanted, Replace: replace, Done: shown.done,
		Archive: archive.Options{Hone: cli.ThisBuild().Version, Host: archive.HostName()},
	})
	return errors.Join(err, shown.end("hone.push/1", err), l.Damage())
}
