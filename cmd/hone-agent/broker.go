package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone-agent/internal/fleet"
	"github.com/gohone/hone/cmd/hone-agent/internal/natslink"
	"github.com/gohone/hone/internal/spec/cli"
	"github.com/gohone/hone/internal/text/fail"
)

func (a *app) brokerCommand() *cobra.Command {
	listen := ""
	cmd := &cobra.Command{
		Use:   "broker",
		Short: "Run the broker that coordinators and agents meet at, until Ctrl-C",
		Long: `broker runs a NATS server where hone load --agents and hone agent meet. It is needed only
if several tests follow each other and agents are to stay connected: without it hone load
--agents starts one for its own time.

It listens on this machine only, unless --listen gives another address. Its token is that of
the user (hone agent key). Nothing is encrypted: in a network that others use, take a NATS
server with TLS and --nats tls://HOST:PORT --creds FILE.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.broker(cmd.Context(), listen) },
	}
	cmd.Flags().StringVar(&listen, "listen", natslink.DefaultListen, "`HOST:PORT` to listen at")
	return cmd
}

func (a *app) broker(ctx context.Context, listen string) error {
	keys, err := fleet.UserKeys()
	if err != nil {
		return err
	}
	b, err := natslink.Serve(listen, keys.Token)
	if err != nil {
		return err
	}
	defer b.Close()
	fmt.Fprintf(a.Stdout, "%s\n", b.URL())
	<-ctx.Done()
	return cli.Shown(fail.New(fail.Interrupted, "interrupted")) // how it ends; nothing needs to be said
}
