package optimise

import (
	"fmt"
	"time"

	"github.com/gohone/hone/bench/bed"
)

// schema is that of the file of results: JSON lines, each a record. Each session begins with a line that names it.
const schema = "hone.optimise/1"

// record is what became of a task that an agent got, or the session that the next ones belong to.
type record struct {
	bed.Entry
	Agent string `json:"agent,omitempty"`
	Task  string `json:"task,omitempty"`
	Kind  kind   `json:"kind,omitempty"`
	// Worked and Judged are the seconds of the agent and of the judge, Budget that of hone for each comparison.
	Worked float64       `json:"agent_s,omitempty"`
	Judged float64       `json:"judge_s,omitempty"`
	Budget time.Duration `json:"budget_ns,omitempty"`
	// GaveUp says how the agent failed; what it had changed was judged even so.
	GaveUp string `json:"gave_up,omitempty"`
	patch
	// Outcome is what became of the change, Reason why.
	Outcome outcome `json:"outcome,omitempty"`
	Reason  string  `json:"reason,omitempty"`
	// Score is the part of the merged commit's gain that the agent has.
	Score float64 `json:"score,omitempty"`
	// Said is what hone says of the change, Reference what it says of the merged commit; nil where it was not asked.
	Said      *answer `json:"hone,omitempty"`
	Reference *answer `json:"reference,omitempty"`
}

// String is a record as progress shows it.
func (r record) String() string {
	text := string(r.Outcome)
	if r.Outcome == faster {
		text = fmt.Sprintf("faster: %.3f of the time, score %.2f", r.Said.ratio(), r.Score)
	}
	if r.Reason != "" {
		text += ": " + r.Reason
	}
	if r.GaveUp != "" {
		text += "; the agent gave up: " + r.GaveUp
	}
	return text
}

// key is an agent and a task.
type key [2]string

// last are the latest records.
func last(records []record) map[key]record {
	return bed.Last(records, func(r record) (key, bool) { return key{r.Agent, r.Task}, r.Task != "" })
}
