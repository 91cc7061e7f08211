package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone-agent/internal/fleet"
)

func (a *app) keyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "key",
		Short: "Print what an agent on another machine needs: your public key, and the file of your token",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			keys, err := fleet.UserKeys()
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.Stdout,
				"key         %s\ntoken file  %s\n\nOn the other machine, with a copy of that file:\n"+
					"  hone agent --nats nats://THIS-MACHINE:4222 --token-file FILE --trust %s --allow ADDRESSES\n",
				keys.Signer.Key(), keys.TokenFile, keys.Signer.Key())
			return err
		},
	}
}
