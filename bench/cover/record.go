package cover

import (
	"fmt"

	"github.com/gohone/hone/bench/bed"
)

// schema is that of the file of results: JSON lines, each a record. Each session begins with a line that names it.
const schema = "hone.cover-bench/1"

// record is what was measured of one service, or the session that the next ones belong to.
type record struct {
	bed.Entry
	Service string `json:"service,omitempty"`
	// Failed is the error of a service without a result.
	Failed string `json:"failed,omitempty"`
	Demand string `json:"demand,omitempty"`
	// Same is what hone says of another profile of the same load, Less of one of the load without some requests, whose overlap is Truth.
	Same  *stated `json:"same,omitempty"`
	Less  *stated `json:"less,omitempty"`
	Truth *truth  `json:"truth,omitempty"`
	Drawn *pairs  `json:"drawn,omitempty"`
	// Fit is of the load that hone makes of production's log.
	Fit *fit `json:"fit,omitempty"`

	secret bool // of the closed half: progress does not show it
}

// String is a record as progress shows it.
func (r record) String() string {
	switch {
	case r.Failed != "":
		return "no result"
	case r.secret:
		return "of the closed half"
	}
	t := r.Truth
	return fmt.Sprintf("fitted %s; same %s, chance %.2f; without %s (%.1f %% of the CPU time, %.1f seen) %s, truth %.1f +- %.1f; drawn %+.1f off, %d of %d hold, %d the same", r.Fit, r.Same, r.Same.Chance, t.Missing, t.Share, t.Seen, r.Less, t.Overlap, t.Error, r.Drawn.mean(), r.Drawn.Held, len(r.Drawn.Off), r.Drawn.Same)
}

// named is the service of a record; not ok of a session's.
func (r record) named() (string, bool) { return r.Service, r.Service != "" }

// last are the latest records of each service.
func last(records []record) map[string]record { return bed.Last(records, record.named) }

// has says which services were measured, and not in vain, by hone as it is now.
func has(records []record, current bed.Current) map[string]bool {
	return bed.Done(records, current, record.named, func(r record) bool { return r.Failed == "" })
}
