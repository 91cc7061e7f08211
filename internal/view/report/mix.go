package report

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/conduct/lab"
)

// mixText says which further targets share the requests of a run, and with how many of 100 each; empty where there is one.
func mixText(r lab.Record) string {
	if r.Asked == nil || len(r.Asked.Protocol.Mix) == 0 {
		return ""
	}
	o := r.Asked.Protocol
	sum := max(1, o.Weight)
	for _, w := range o.Mix {
		sum += w.Weight
	}
	share := func(weight int) string { return fmt.Sprintf("%.3g %%", 100*float64(weight)/float64(sum)) }
	parts := []string{share(max(1, o.Weight)) + " of the requests"}
	for i, w := range o.Mix {
		if i == mixShown && len(o.Mix) > mixShown+1 {
			parts = append(parts, fmt.Sprintf("and %d more", len(o.Mix)-i))
			break
		}
		parts = append(parts, w.URL+" "+share(w.Weight))
	}
	return strings.Join(parts, ", ") + ": CPU time is of them together"
}

// mixShown is how many further targets are named.
const mixShown = 8
