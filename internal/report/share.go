package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gohone/hone/internal/exchange"
	"github.com/gohone/hone/internal/printable"
	"github.com/gohone/hone/internal/units"
)

// Shared writes what became of one object of a store.
func Shared(w io.Writer, i exchange.Item) error {
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

// SharedAll writes what became of all of them, and what comes next.
func SharedAll(w io.Writer, place string, items []exchange.Item) error {
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
		fmt.Fprintf(b, "note: %s\nnext: hone pull %s, on any machine\n", notExported, place)
	case counts[exchange.Pulled] > 0:
		fmt.Fprintf(b, "next: hone history\n")
	}
	return write(w, b)
}
