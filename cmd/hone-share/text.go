package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/gohone/hone/cmd/hone-share/internal/exchange"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
)

// writeItem writes what became of one object of a store.
func writeItem(w io.Writer, i exchange.Item) error {
	i = printable.Document(i)
	text := fmt.Sprintf("%s: %v", i.Outcome, i.Ref())
	if len(i.Runs) > 0 {
		text += " with " + units.Plural(len(i.Runs), "run")
	}
	if i.Bytes > 0 {
		text += ", " + units.Bytes(float64(i.Bytes))
	}
	if i.Why != "" {
		text += ": " + i.Why
	}
	_, err := fmt.Fprintln(w, text)
	return err
}

// writeItems writes what became of all of them, and what comes next.
func writeItems(w io.Writer, place string, items []exchange.Item) error {
	place, items = printable.Document(place), printable.Document(items)
	counts := map[exchange.Outcome]int{}
	for _, i := range items {
		counts[i.Outcome]++
	}
	var parts []string
	for _, o := range []exchange.Outcome{exchange.Pushed, exchange.Pulled, exchange.There, exchange.Refused} {
		if n := counts[o]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, o))
		}
	}
	if len(parts) == 0 {
		parts = []string{"nothing to do"}
	}
	b := &strings.Builder{}
	fmt.Fprintf(b, "%s: %s\n", place, strings.Join(parts, ", "))
	switch {
	case counts[exchange.Pushed] > 0:
		fmt.Fprintf(b,
			"note: time series and baselines are not in the store\nnext: hone share pull %s, on any machine\n", place)
	case counts[exchange.Pulled] > 0:
		fmt.Fprintf(b, "next: hone history\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// pushedProfiles is what a Pyroscope took of one run.
type pushedProfiles struct {
	Run     string `json:"run"`
	Service string `json:"service_name"`
	// Profiles counts them by Pyroscope's name of their kind.
	Profiles map[string]int `json:"profiles"`
}

// writePushed writes what a Pyroscope took, and how to find it there.
func writePushed(w io.Writer, server string, runs []pushedProfiles) error {
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
	_, err := io.WriteString(w, b.String())
	return err
}
