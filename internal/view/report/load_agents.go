package report

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/conduct/lab"
)

// agentParts are the conditions that load from agents brings; nil without them.
func agentParts(r lab.Record) []string {
	if len(r.Agents) == 0 {
		return nil
	}
	parts := []string{fmt.Sprintf("load by %s: %s", plural(len(r.Agents), "agent"), strings.Join(r.Agents, ", "))}
	if a := r.AgentsApart; a != nil {
		parts = append(parts, fmt.Sprintf("the agents began a slice %v apart (median of %d; at most %v; +-%v)",
			nanosOf(a.Median), a.Slices, nanosOf(a.Most), nanosOf(a.Uncertain)))
	}
	return parts
}
