package insight

import (
	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/insight/code"
)

// resultsSchema is that of the file of results: JSON lines, each a record. Each session begins with a line that names it.
const resultsSchema = "hone.insight/1"

// record is what hone said of one program, or the session that the next ones belong to.
type record struct {
	bed.Entry
	Program string `json:"program,omitempty"`
	Closed  bool   `json:"closed,omitempty"`
	// Failed says why there is no result; empty if there is one.
	Failed string `json:"failed,omitempty"`
	// Invalid says that hone itself distrusts the measurement.
	Invalid  bool    `json:"invalid,omitempty"`
	Findings []found `json:"findings,omitempty"`
	// Waits are of a service that waits, one for each rate.
	Waits []waited `json:"waits,omitempty"`
	// Pair is of two versions.
	Pair *compared `json:"pair,omitempty"`
}

// found is a finding without what no judgement needs.
type found struct {
	Rule    string         `json:"rule"`
	Title   string         `json:"title"`
	Place   code.Place     `json:"place"`
	Measure advice.Measure `json:"measure"`
	Cost    float64        `json:"cost"`
	Gain    float64        `json:"gain"`
}

func short(all []advice.Finding) []found {
	some := make([]found, len(all))
	for i, f := range all {
		some[i] = found{f.Rule, f.Title, f.Place, f.Measure, f.Cost, f.Gain}
	}
	return some
}

// last are the latest records of each program of one half.
func last(records []record, closed bool) map[string]record {
	all := map[string]record{}
	for _, r := range records {
		if r.Program != "" && r.Closed == closed {
			all[r.Program] = r
		}
	}
	return all
}

// has says whether a program of one half was measured, and not in vain, by hone as it is now.
func has(records []record, name string, closed bool, current bed.Current) bool {
	named := func(r record) (bool, bool) { return r.Closed, r.Program == name }
	return bed.Done(records, current, named, func(r record) bool { return r.Failed == "" })[closed]
}
