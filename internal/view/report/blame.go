package report

import (
	"fmt"
	"io"

	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/symbol"
)

// Blame writes who causes the collector's work, the most expensive first, at most most of them
// if most is over 0.
func Blame(w io.Writer, b *prof.Blame, most int) error {
	b = printable.Document(b)
	c, per := b.Collector, b.Basis.Per()
	fmt.Fprintf(w, "CPU%s: %s, of which the collector takes %.3g %%\n", per, units.Nanos(b.Total), c.Share)
	fmt.Fprintf(w, "shared out among the sites by bytes: mark %s, sweep %s, scavenge %s; counted where they happen: "+
		"assist %s, allocator %s\n",
		units.Nanos(c.Mark), units.Nanos(c.Sweep), units.Nanos(c.Scavenge), units.Nanos(c.Assist),
		units.Nanos(c.Malloc))
	if c.Idle > 0.05*b.Total {
		fmt.Fprintf(w, "note: %s of the marking was done on CPUs that had nothing else to do\n", units.Nanos(c.Idle))
	}
	fmt.Fprintf(w, "allocated%s: %s in %s objects\n\n", per, units.Bytes(b.Bytes), units.Digits(b.Objects))
	table := rightColumns(w)
	fmt.Fprint(table, "true cost\t\town\tblame\tof it allocator\tbytes\tlive\t\n")
	sites := b.Sites
	if most > 0 && most < len(sites) {
		sites = sites[:most]
	}
	for _, s := range sites {
		fmt.Fprintf(table, "%s\t%.3g %%\t%s\t%s\t%s\t%.3g %%\t%.3g %%\t  %s\n", units.Nanos(s.True), s.Share,
			units.Nanos(s.Own), units.Nanos(s.Blame), units.Nanos(s.Malloc+s.Assist), s.ByteShare, s.LiveShare,
			blamed(s))
	}
	err := table.Flush()
	if left := len(b.Sites) - len(sites); left > 0 && err == nil {
		_, err = fmt.Fprintf(w, "and %d more\n", left)
	}
	return err
}

// Hot writes what is high in both CPU time and allocation.
func Hot(w io.Writer, b *prof.Blame, most int) error {
	b = printable.Document(b)
	if len(b.Sites) == 0 {
		_, err := fmt.Fprintln(w, "nothing takes 1 % of both the CPU time and the bytes allocated")
		return err
	}
	return Blame(w, b, most)
}

// blamed names a site: function, line, and by way of what it allocates.
func blamed(s prof.BlamedSite) string {
	if s.Package != "" {
		return s.Package
	}
	text := s.Function
	if s.Line > 0 {
		text += fmt.Sprintf("  %s:%d", symbol.ShortFile(s.File), s.Line)
	}
	if s.Via != "" {
		text += "  via " + s.Via
	}
	return text
}
