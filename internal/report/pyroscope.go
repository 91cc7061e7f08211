package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/printable"
)

// PushedProfiles is what a Pyroscope took of one run.
type PushedProfiles struct {
	Run     string `json:"run"`
	Service string `json:"service_name"`
	// Profiles counts them by Pyroscope's name of their kind.
	Profiles map[string]int `json:"profiles"`
}

// ProfilesPushed writes what a Pyroscope took, and how to find it there.
func ProfilesPushed(w io.Writer, server string, runs []PushedProfiles) error {
	server, runs = printable.Document(server), printable.Document(runs)
	b := &strings.Builder{}
	for _, r := range runs {
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(r.Profiles)) {
			parts = append(parts, fmt.Sprintf("%s %d", name, r.Profiles[name]))
		}
		fmt.Fprintf(b, "pushed: run %s: profiles %s\n", r.Run, strings.Join(parts, ", "))
		fmt.Fprintf(b, "query: %s, {service_name=%q, run=%q}\n", server, r.Service, r.Run)
	}
	return write(w, b)
}
