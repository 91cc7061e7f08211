package model

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/shellwords"
	"github.com/gohone/hone/internal/text/units"
)

// Under is each condition by itself.
func Under(r record.Run) []string {
	loop := "closed loop: a new request for each answer"
	if r.RateHz > 0 {
		loop = "open loop: requests are due at " + units.Rate(r.RateHz) + ", whatever the answers do"
	}
	parts := NonEmpty(r.Target, mixText(r), Connections(r.Plan), loop)
	if r.Load != nil {
		parts = loadCommandParts(r)
	}
	parts = append(parts, agentParts(r)...)
	if r.Slices > 0 && r.Load == nil {
		parts = append(parts, fmt.Sprintf("%s of %v (short parts of the load)", units.Plural(r.Slices, "slice"),
			r.Slice))
	}
	if e := r.Environment; len(e.SubjectCPUs) > 0 {
		other := "the load generator"
		if len(r.Agents) > 0 {
			other = "hone"
		}
		parts = append(parts, fmt.Sprintf("the program on CPU %s, %s on CPU %s", list(e.SubjectCPUs), other,
			list(e.GeneratorCPUs)))
	}
	if b := r.Box; b != nil {
		parts = append(parts, "in a box of "+b.Limits.String())
	}
	if r.Arrangement != record.Single && r.Arrangement != record.Ports {
		parts = append(parts, string(r.Arrangement))
	}
	return parts
}

func list(cpus []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(cpus), " ", ","), "[]")
}

// loadCommandParts are the conditions that a load command brings, instead of hone's target, connections and loop.
func loadCommandParts(r record.Run) []string {
	parts := []string{
		"load by " + shellwords.Join(r.Load.Words),
		fmt.Sprintf("a request is an operation that it carried out (%s)", r.Load.Counted()),
	}
	if r.Slices > 0 {
		parts = append(parts, units.Plural(r.Slices, "slice")+", an execution each")
	}
	return parts
}

// LoadCommandCheck says how busy a load command was, which may be why there are no more operations.
func LoadCommandCheck(busy float64) string {
	return fmt.Sprintf("load command at %.0f %% of its CPU", 100*busy)
}

// LoadCommandUnknown says what hone does not know of a load that is not its own; empty for its own.
func LoadCommandUnknown(r record.Run) string {
	if r.Load == nil || len(r.Load.Words) == 0 { // only a document that others wrote has no command
		return ""
	}
	return fmt.Sprintf("hone does not see the answers to %s: latency, right answers and whether the load kept up are "+
		"not known; its starts and ends are in the throughput", filepath.Base(r.Load.Words[0]))
}

// agentParts are the conditions that load from agents brings; nil without them.
func agentParts(r record.Run) []string {
	if len(r.Agents) == 0 {
		return nil
	}
	parts := []string{fmt.Sprintf("load by %s: %s", units.Plural(len(r.Agents), "agent"), strings.Join(r.Agents, ", "))}
	if a := r.AgentsApart; a != nil {
		parts = append(parts, fmt.Sprintf("the agents began a slice %v apart (median of %d; at most %v; +-%v)",
			units.Nanos(float64(a.Median)), a.Slices, units.Nanos(float64(a.Most)), units.Nanos(float64(a.Uncertain))))
	}
	return parts
}

// mixText says which further targets share the requests of a run, and with how many of 100 each; empty where there is
// one.
func mixText(r record.Run) string {
	if r.Asked == nil || !r.Asked.Protocol.IsMix() {
		return ""
	}
	own, further, sum := r.Asked.Protocol.Requests[0], r.Asked.Protocol.Requests[1:], 0
	for _, one := range r.Asked.Protocol.Requests {
		sum += max(1, one.Weight)
	}
	share := func(weight int) string { return fmt.Sprintf("%.3g %%", 100*float64(weight)/float64(sum)) }
	parts := []string{share(max(1, own.Weight)) + " of the requests"}
	for i, one := range further {
		if i == mixShown && len(further) > mixShown+1 {
			parts = append(parts, fmt.Sprintf("and %d more", len(further)-i))
			break
		}
		parts = append(parts, one.Path+" "+share(max(1, one.Weight)))
	}
	return strings.Join(parts, ", ") + ": CPU time is of them together"
}

// mixShown is how many further targets are named.
const mixShown = 8
