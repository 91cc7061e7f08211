package findings

import (
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/internal/insight/advice"
)

// resultsSchema is that of the file of results: JSON lines, each a record. Each session begins with a
// line that names it.
const resultsSchema = "hone.findingsbench/1"

// record is one part of a trial, or the session that the next ones belong to.
type record struct {
	At      time.Time    `json:"at"`
	Session *bed.Session `json:"session,omitempty"`
	Trial   string       `json:"trial,omitempty"`
	Part    part         `json:"part,omitempty"`
	// Failed is why there is no result.
	Failed string `json:"failed,omitempty"`
	// Said is what hone advises for the program of this part; nil for gain.
	Said *said `json:"said,omitempty"`
	// Marks are the planted lines, of speaks only.
	Marks []mark `json:"marks,omitempty"`
	// Changes are the measures of fixed beside speaks, by key; of gain only.
	Changes map[string]change `json:"changes,omitempty"`
}

// Head implements bed.Record.
func (r record) Head() (time.Time, *bed.Session) { return r.At, r.Session }

// said is what hone advises.
type said struct {
	// Invalid says that hone itself distrusts the run.
	Invalid  bool         `json:"invalid,omitempty"`
	Findings []found      `json:"findings"`
	Spent    advice.Spent `json:"spent"`
	Missing  []string     `json:"missing,omitempty"`
}

// found is a finding without what no judgement needs.
type found struct {
	Rule    string         `json:"rule"`
	Title   string         `json:"title"`
	Place   advice.Place   `json:"place"`
	Via     string         `json:"via,omitempty"`
	Measure advice.Measure `json:"measure"`
	Cost    float64        `json:"cost"`
	Gain    float64        `json:"gain"`
}

func short(all []advice.Finding) []found {
	some := make([]found, len(all))
	for i, f := range all {
		some[i] = found{f.Rule, f.Title, f.Place, f.Via, f.Measure, f.Cost, f.Gain}
	}
	return some
}

// change is a measure of fixed by that of speaks.
type change struct {
	A       float64 `json:"a"` // in the unit of hone compare's measure
	B       float64 `json:"b"`
	Ratio   float64 `json:"ratio"`
	Low     float64 `json:"low"` // 0 with High: too few starts for an interval
	High    float64 `json:"high"`
	Verdict string  `json:"verdict"`
}

// taken are the latest records of the parts of a trial.
type taken map[part]*record

// last are those of each trial, by its rule.
func last(records []record) map[string]taken {
	all := map[string]taken{}
	for i := range records {
		r := &records[i]
		if r.Trial == "" {
			continue
		}
		if all[r.Trial] == nil {
			all[r.Trial] = taken{}
		}
		all[r.Trial][r.Part] = r
	}
	return all
}

// has says whether a part was measured, and not in vain, by this version of hone.
func has(records []record, t *trial, p part, version string) bool {
	by := ""
	ok := false
	for _, r := range records {
		if r.Session != nil {
			by = r.Session.Hone
		}
		if r.Trial == t.Rule && r.Part == p && by == version {
			ok = r.Failed == ""
		}
	}
	return ok
}
