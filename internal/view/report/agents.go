package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/gohone/hone/internal/conduct/cluster"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
)

// Agents writes which agents are there. version is that of this hone.
func Agents(w io.Writer, there []cluster.Hello, version string) error {
	there, version = printable.Document(there), printable.Document(version)
	if len(there) == 0 {
		_, err := fmt.Fprintln(w, "No agent answered. hone agent starts one; hone agents key says what it needs on another machine.")
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
		fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%s\t%s\n", h.Name, h.CPUs, units.Rate(h.CapacityHz), strings.Join(h.Allow, ", "), strings.Join(labels, " "), note)
	}
	return t.Flush()
}
