package page

import (
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/prof"
)

// Profile is a profile that a browser can draw as flame graph, table, sandwich and source, and compare with another
// one.
type Profile struct {
	Schema string `json:"schema"`
	Title  string `json:"title"`
	Kind   string `json:"kind"`
	Run    string `json:"run"`
	// Cohort is the cohort of a wait profile. Cohorts lists all cohorts that the profile has.
	Cohort  string   `json:"cohort,omitempty"`
	Cohorts []string `json:"cohorts,omitempty"`
	// Requests and Seconds are what the profile is of, to scale its values; 0 where that is not known.
	Requests float64 `json:"requests"`
	Seconds  float64 `json:"seconds"`
	// Operation is what Requests counts, where not requests: executions of a program that ends.
	Operation string `json:"operation,omitempty"`
	// PerRequest says that values are per request already, as in a wait profile.
	PerRequest bool `json:"per_request,omitempty"`
	// Measured is the CPU time per request by the clocks of the run, of which a CPU profile is a sample; nil for other
	// kinds.
	Measured *model.Number `json:"measured,omitempty"`
	// Packed are the samples.
	Packed *prof.Packed `json:"packed"`
	// Notes say what was left out.
	Notes []string `json:"notes,omitempty"`
}

// Source is a source file, or the parts of it around the lines that cost.
type Source struct {
	Schema string `json:"schema"`
	File   string `json:"file"`
	// Pieces are consecutive lines each, in their order. Error says why there are none.
	Pieces []model.Snippet `json:"pieces"`
	Error  string          `json:"error,omitempty"`
}
