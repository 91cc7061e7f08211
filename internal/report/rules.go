package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gohone/hone/internal/advice"
	"github.com/gohone/hone/internal/units"
)

// Rules lists the rules: what each looks for, and its thresholds with their reasons.
func Rules(w io.Writer, rules []*advice.Rule) error {
	b := &strings.Builder{}
	for _, r := range rules {
		fmt.Fprintf(b, "%s: %s\n", r.Name, r.Title)
		wrapped(b, "  looks for ", " ", strings.Fields(r.Looks))
		for _, t := range r.Thresholds {
			wrapped(b, fmt.Sprintf("  %s from %s on: ", t.Name, units.Digits(t.Value)), " ", strings.Fields(t.Reason))
		}
		if r.Mechanical {
			fmt.Fprintln(b, "  hone advise --try can make the change")
		}
	}
	return write(w, b)
}
