package robust

import (
	"github.com/gohone/hone/bench/bed"
)

// resultsSchema is that of the file of results: JSON lines, each a record. Each session
// begins with a line that names it.
const resultsSchema = "hone.robust/1"

// record is one line: a session's head, or the outcome of a trial.
type record struct {
	bed.Entry
	Kind    string   `json:"kind,omitempty"`
	Number  int      `json:"number,omitempty"`
	Seconds float64  `json:"s,omitempty"`
	Outcome *outcome `json:"outcome,omitempty"`
}

// of are the trials of one kind.
func of(records []record, k *kind) []record {
	var own []record
	for _, r := range records {
		if r.Outcome != nil && r.Kind == k.Name {
			own = append(own, r)
		}
	}
	return own
}

// next is the number of the next trial of a kind.
func next(records []record, k *kind) int {
	n := 0
	for _, r := range of(records, k) {
		n = max(n, r.Number+1)
	}
	return n
}
