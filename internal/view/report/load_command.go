package report

import (
	"fmt"
	"path/filepath"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/program/subject"
)

// loadCommandParts are the conditions that a load command brings, instead of hone's target, connections and loop.
func loadCommandParts(r lab.Record) []string {
	parts := []string{
		"load by " + subject.JoinCommand(r.Load.Words),
		fmt.Sprintf("a request is an operation that it carried out (%s)", r.Load.Counted()),
	}
	if r.Slices > 0 {
		parts = append(parts, plural(r.Slices, "slice")+", an execution each")
	}
	return parts
}

// loadCommandCheck says how busy a load command was, which may be why there are no more operations.
func loadCommandCheck(busy float64) string {
	return fmt.Sprintf("load command at %.0f %% of its CPU", 100*busy)
}

// loadCommandUnknown says what hone does not know of a load that is not its own; empty for its own.
func loadCommandUnknown(r lab.Record) string {
	if r.Load == nil || len(r.Load.Words) == 0 { // only a document that others wrote has no command
		return ""
	}
	return fmt.Sprintf("hone does not see the answers to %s: latency, right answers and whether the load kept up are not known; "+
		"its starts and ends are in the throughput", filepath.Base(r.Load.Words[0]))
}
