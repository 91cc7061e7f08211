package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone-share/internal/exchange"
)

func (a *app) pullCommand() *cobra.Command {
	f := &storeFlags{}
	cmd := &cobra.Command{
		Use:   "pull s3://BUCKET[/PREFIX] [RUN|COMPARISON...] [flags]",
		Short: "Get runs that were pushed to an S3-compatible store",
		Long: `pull gets runs that hone share push put into an S3-compatible store, and adds them to the ledger as hone
import does. What the ledger has already is not asked for. Without names, pull gets all that the ledger
does not have. Each object is checked against its SHA-256 and as an archive. One that is damaged is
refused whole (exit code 2), and the others are still pulled. After an interruption, repeat the
command: it goes on with what is missing.
` + credentialsHelp,
		Example: `  hone share pull s3://team-runs/checkout
  hone share pull s3://team-runs 1a2b3c4d --ledger from-ci`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.pull(cmd.Context(), f, args) },
	}
	f.add(cmd)
	return cmd
}

func (a *app) pull(ctx context.Context, f *storeFlags, args []string) error {
	at, names, err := f.location(args, "hone share pull s3://BUCKET[/PREFIX] [RUN...]")
	if err != nil {
		return err
	}
	store, err := f.open(at)
	if err != nil {
		return err
	}
	defer store.Close()
	shown := a.showShared(f, at, len(names) > 0)
	err = exchange.Pull(ctx, f.ledger, store, exchange.PullOptions{Names: names, Done: shown.done})
	return errors.Join(err, shown.end("hone.pull/1", err))
}
