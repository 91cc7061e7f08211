package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone-agent/internal/cluster"
	"github.com/gohone/hone/cmd/hone-agent/internal/fleet"
	"github.com/gohone/hone/internal/spec/cli"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
)

func (a *app) listCommand() *cobra.Command {
	f, json := &linkFlags{}, false
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the agents that can load",
		Long: `list asks which agents are there and lists them, with what each can send and may load.

hone load --agents takes all that fit; --agents n=4 takes the four with the highest
capacity, --agents zone=a,n=2 two of those with that label.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.list(cmd.Context(), f, json) },
	}
	f.add(cmd.Flags())
	f.addListen(cmd.Flags())
	cmd.Flags().BoolVar(&json, "json", false, "print JSON")
	return cmd
}

func (a *app) list(ctx context.Context, f *linkFlags, json bool) error {
	keys, err := fleet.UserKeys()
	if err != nil {
		return err
	}
	link, stop, err := f.coordinate(keys)
	if err != nil {
		return err
	}
	defer stop()
	there, _, err := link.Who(ctx, fleet.WaitForAgents, nil)
	if err != nil {
		return fail.New(fail.Or(fail.Interrupted, err), "ask for agents: %w", err)
	}
	if there == nil {
		there = []cluster.Hello{}
	}
	slices.SortFunc(there, func(a, b cluster.Hello) int { return strings.Compare(a.Name+a.ID, b.Name+b.ID) })
	return a.Print(json, struct {
		Schema string          `json:"schema"`
		Agents []cluster.Hello `json:"agents"`
	}{"hone.agents/1", there}, func(w io.Writer) error { return writeAgents(w, there, cli.ThisBuild().Version) })
}

// writeAgents writes which agents are there. version is that of this hone.
func writeAgents(w io.Writer, there []cluster.Hello, version string) error {
	there, version = printable.Document(there), printable.Document(version)
	if len(there) == 0 {
		_, err := fmt.Fprintln(w,
			"No agent answered. hone agent starts one; hone agent key says what it needs on another machine.")
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "agent\tCPUs\tcan send\tmay load\tlabels\t")
	for _, h := range there {
		note := ""
		switch {
		case h.Version != version:
			note = "has another version of hone: " + h.Version
		case h.Busy != "":
			note = "busy with run " + h.Busy
		}
		var labels []string
		for _, key := range slices.Sorted(maps.Keys(h.Labels)) {
			labels = append(labels, key+"="+h.Labels[key])
		}
		fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%s\t%s\n", h.Name, h.CPUs, units.Rate(h.CapacityHz),
			strings.Join(h.Allow, ", "), strings.Join(labels, " "), note)
	}
	return t.Flush()
}
