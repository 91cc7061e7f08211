package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/text/units"
)

// Rules lists the rules: what each looks for, and its thresholds with their reasons.
func Rules(w io.Writer, rules []*advice.Rule) error {
	b := &strings.Builder{}
	wrapped(b, "", " ",
		strings.Fields("A rule speaks from 3 % of the CPU time on, and of what requests wait for from 10 % of the latency "+
			"on, where it names no threshold of its own."))
	for _, r := range rules {
		fmt.Fprintf(b, "%s: %s\n", r.Name, r.Title)
		wrapped(b, "  looks for ", " ", strings.Fields(r.Looks))
		for _, t := range r.Thresholds {
			wrapped(b, fmt.Sprintf("  threshold %s: %s: ", t.Name, units.Digits(t.Value)), " ",
				strings.Fields(t.Reason))
		}
		if r.Mechanical {
			fmt.Fprintln(b, "  hone advise --try can make the change")
		}
	}
	return write(w, b)
}
