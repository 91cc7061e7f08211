package main

import (
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone-agent/internal/cluster"
	"github.com/gohone/hone/cmd/hone-agent/internal/fleet"
	"github.com/gohone/hone/internal/conduct/agents"
	"github.com/gohone/hone/internal/text/fail"
)

// coordinateCommand is what hone starts: hone load --agents and others.
func (a *app) coordinateCommand() *cobra.Command {
	return &cobra.Command{
		Use: "coordinate", Hidden: true, Short: "Carry out what hone asks for on standard input", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			signal.Ignore(syscall.SIGPIPE) // a hone that ends must not end this before it has told the agents
			return fleet.Serve(cmd.Context(), agents.NewLines(os.Stdin, a.Raw), coordinatorOf)
		},
	}
}

// coordinatorOf makes the coordinator that hone asks for. stop ends its link.
func coordinatorOf(s agents.Setup) (c *fleet.Coordinator, stop func(), err error) {
	choice, err := parseChoice(s.Choice)
	if err != nil {
		return nil, func() {}, err
	}
	keys, err := fleet.UserKeys()
	if err != nil {
		return nil, func() {}, err
	}
	link, stop, err := (*linkFlags)(&s.Link).coordinate(keys)
	if err != nil {
		return nil, func() {}, err
	}
	return &fleet.Coordinator{Version: s.Version, Link: link, Signer: keys.Signer, Choice: choice,
		KeepGoing: s.Link.KeepGoing, Dir: s.Dir}, stop, nil
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
			return c, fail.New(fail.BadInput, "--agents %q: %q is not a number of agents", text,
				value).WithHint("write n=4")
		}
	}
	return c, nil
}
