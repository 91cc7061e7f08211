package report

import (
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/prof"
)

// Delays is what the profiles of blocking say of a run that has no trace.
type Delays struct {
	Schema string `json:"schema"`
	Run    string `json:"run"`
	// Holders are the places that released a lock while others waited for it: the delay of those.
	Holders []prof.Cost `json:"holders,omitempty"`
	// Waiters are the places that waited for a lock, a channel or another goroutine.
	Waiters []prof.Cost `json:"waiters,omitempty"`
}

// WriteDelays writes them, in time per request. They are means: the profiles do not know requests.
func WriteDelays(w io.Writer, d Delays) error {
	d = printable.Document(d)
	b := &strings.Builder{}
	fmt.Fprintf(b, "run %s has no trace: what its profiles of blocking say of all requests together\n", d.Run)
	table := leftColumns(b)
	for _, part := range []struct {
		title string
		of    []prof.Cost
	}{{"waited in", d.Waiters}, {"a lock was held up to", d.Holders}} {
		for _, c := range part.of {
			fmt.Fprintf(table, "%s\t%s per request\t%s\n", part.title, units.Nanos(c.PerRequest), siteText(c.Site))
		}
	}
	table.Flush()
	return write(w, b)
}

// siteText is a place with its line.
func siteText(s prof.Site) string {
	text := facts.Short(s.Function)
	if s.What != "" && s.What != text {
		text += ": " + s.What
	}
	return fmt.Sprintf("%s %s:%d", text, path.Base(s.File), s.Line)
}
