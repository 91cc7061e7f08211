package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/conduct/cluster"
	"github.com/gohone/hone/internal/conduct/fleet"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/report"
)

func (a *app) agentsCommand() *cobra.Command {
	f, json := &linkFlags{}, false
	cmd := &cobra.Command{
		Use:   "agents",
		Short: "List the agents that can load (hone agent)",
		Long: `agents asks which agents are there and lists them, with what each can send and may load.

hone load --agents takes all that fit; --agents n=4 takes the four with the highest
capacity, --agents zone=a,n=2 two of those with that label.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.agents(f, json) },
	}
	f.add(cmd.Flags())
	f.addListen(cmd.Flags())
	cmd.Flags().BoolVar(&json, "json", false, "print JSON")
	cmd.AddCommand(a.agentsKeyCommand())
	return cmd
}

func (a *app) agents(f *linkFlags, json bool) error {
	keys, err := fleet.UserKeys()
	if err != nil {
		return err
	}
	link, stop, err := f.coordinate(keys)
	if err != nil {
		return err
	}
	defer stop()
	there, _, err := link.Who(a.ctx, fleet.WaitForAgents, nil)
	if err != nil {
		return fail.New(fail.Or(fail.Interrupted, err), "ask for agents: %w", err)
	}
	if there == nil {
		there = []cluster.Hello{}
	}
	slices.SortFunc(there, func(a, b cluster.Hello) int { return strings.Compare(a.Name+a.ID, b.Name+b.ID) })
	return a.print(json, struct {
		Schema string          `json:"schema"`
		Agents []cluster.Hello `json:"agents"`
	}{"hone.agents/1", there}, func(w io.Writer) error { return report.Agents(w, there, version()) })
}

func (a *app) agentsKeyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "key",
		Short: "Print what an agent on another machine needs: your public key, and the file of your token",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			keys, err := fleet.UserKeys()
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.stdout, "key         %s\ntoken file  %s\n\nOn the other machine, with a copy of that file:\n  hone agent --nats nats://THIS-MACHINE:4222 --token-file FILE --trust %s --allow ADDRESSES\n",
				keys.Signer.Key(), keys.TokenFile, keys.Signer.Key())
			return err
		},
	}
}

// parseChoice reads --agents: n=4,zone=a; "all" or nothing for all that fit.
func parseChoice(text string) (c cluster.Choice, err error) {
	c.Labels = map[string]string{}
	if text == "all" {
		return c, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		key, value, ok := strings.Cut(part, "=")
		if !ok || key == "" || value == "" {
			return c, fail.New(fail.BadInput, "--agents %q: %q is neither n=COUNT nor a label", text, part).
				WithHint("write all, n=4, or labels and a number: zone=a,n=2")
		}
		if key != "n" {
			c.Labels[key] = value
			continue
		}
		if c.Count, err = strconv.Atoi(value); err != nil || c.Count < 1 {
			return c, fail.New(fail.BadInput, "--agents %q: %q is no number of agents", text, value).WithHint("write n=4")
		}
	}
	return c, nil
}
