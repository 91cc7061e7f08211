package calibrate

import (
	"github.com/gohone/hone/bench/bed"
)

// resultsSchema is that of the file of results: JSON lines, each a record. Each session
// begins with a line that names it.
const resultsSchema = "hone.calibrate/2"

// kindPlant is the kind of records that are of no trial.
const kindPlant = "plant"

// record is one line. What its kind does not have is nil.
type record struct {
	bed.Entry
	Kind       string      `json:"kind,omitempty"`
	Service    string      `json:"service,omitempty"`
	Plant      *plant      `json:"plant,omitempty"`
	Comparison *comparison `json:"comparison,omitempty"`
	Classic    *classic    `json:"classic,omitempty"`
}

// comparison is one verdict of hone on CPU time per request.
type comparison struct {
	Spin int `json:"spin,omitempty"`
	// Slow is the side that spins, A or B; empty if the variants are equal.
	Slow string `json:"slow,omitempty"`
	// Verdict is hone's word about B; failed if hone came to no end.
	Verdict string `json:"verdict"`
	// Throughput and P99 are hone's words about these measures; empty where it did not see them.
	Throughput string  `json:"throughput,omitempty"`
	P99        string  `json:"p99,omitempty"`
	Ratio      float64 `json:"ratio,omitempty"`
	Low        float64 `json:"low,omitempty"`
	High       float64 `json:"high,omitempty"` // 0: not bounded
	Starts     int     `json:"starts,omitempty"`
	Pairs      int     `json:"pairs,omitempty"`
	Seconds    float64 `json:"s"`
	Reason     string  `json:"reason,omitempty"` // of what is invalid or failed
}

// classic is old-then-new: samples of one process of A, then of one process of B, the same
// program, judged by the test that benchstat uses.
type classic struct {
	Samples int     `json:"n"` // of each side
	Seconds float64 `json:"s"`
	// Ratio is of the medians, B to A; P is the p-value.
	CPURatio  float64 `json:"cpu_ratio"`
	CPUP      float64 `json:"cpu_p"`
	RateRatio float64 `json:"rate_ratio"`
	RateP     float64 `json:"rate_p"`
}

// The words of hone that this program acts on.
const (
	faster    = "faster"
	slower    = "slower"
	same      = "same"
	noChange  = "no change" // over a bound of at most 5 %
	undecided = "undecided"
	invalid   = "invalid"
	failed    = "failed" // of this program's own: no verdict and no JSON
)

// completed says whether the trial need not be taken again.
func (r record) completed() bool {
	return r.Classic != nil || (r.Comparison != nil && r.Comparison.Verdict != failed)
}

// different says whether the variants were called different.
func (c comparison) different() bool { return c.Verdict == faster || c.Verdict == slower }

// found says whether the planted slow-down was found on the right side.
func (c comparison) found() bool {
	return (c.Slow == "B" && c.Verdict == slower) || (c.Slow == "A" && c.Verdict == faster)
}

// slowdown is the ratio slow to fast side; B to A if they are equal. 0 where unknown.
func (c comparison) slowdown() float64 {
	if c.Slow == "A" && c.Ratio != 0 {
		return 1 / c.Ratio
	}
	return c.Ratio
}

// plantInForce is the plant of a service that was measured on the machine of the last session; nil if
// there is none yet. An iteration of the loop costs another share of a request on another machine.
func plantInForce(records []record, service string) (p *plant) {
	var last *bed.Session
	for _, r := range records {
		switch {
		case r.Session != nil:
			if !r.Session.SameMachine(last) {
				p = nil
			}
			last = r.Session
		case r.Plant != nil && r.Service == service:
			p = r.Plant
		}
	}
	return p
}
