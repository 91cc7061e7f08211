package layouts

import (
	"fmt"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/honecli"
)

// resultsSchema is that of the file of results: JSON lines, each a record.
const resultsSchema = "hone.layouts/1"

// record is one trial, or the session that the next ones belong to. All times are seconds per operation, of a service
// the CPU time per request.
type record struct {
	bed.Entry
	Subject string `json:"subject,omitempty"`
	Kind    kind   `json:"kind,omitempty"`
	// Plain and Aligned are of the starts of each order.
	Plain   [][]float64 `json:"plain,omitempty"`
	Aligned [][]float64 `json:"aligned,omitempty"`
	// A and B are of the sides in each round of the long run.
	A []float64 `json:"a,omitempty"`
	B []float64 `json:"b,omitempty"`
	// Seed is that of a verdict, Budget its time.
	Seed   uint32        `json:"seed,omitempty"`
	Budget time.Duration `json:"budget_ns,omitempty"`
	Said   *honecli.Said `json:"hone,omitempty"`
}

// String is a record as progress shows it.
func (r record) String() string {
	switch r.Kind {
	case starts:
		return fmt.Sprintf("share of the order %.2f, aligned %.2f", spread(r.Plain).Share(), spread(r.Aligned).Share())
	case rounds:
		return fmt.Sprintf("B over A %.4f in %d rounds", figures.Median(r.B)/figures.Median(r.A), len(r.A))
	}
	return fmt.Sprintf("%s, %.4f (%.4f to %.4f), %.0f s of %s, different %q %s", r.Said.Word, r.Said.Ratio, r.Said.Low,
		r.Said.High, r.Said.Seconds, r.Budget, r.Said.Different, r.Said.Reason)
}

// like are the records of a subject and a kind.
func like(records []record, subject string, k kind) (some []record) {
	for _, r := range records {
		if r.Subject == subject && r.Kind == k {
			some = append(some, r)
		}
	}
	return some
}
