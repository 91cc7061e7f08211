package series

// OutcomeSchema is the version of Outcome's JSON.
const OutcomeSchema = "hone.track/1"

// Outcome is what a job added to a store.
type Outcome struct {
	Schema string `json:"schema"`
	// Tracked is the commit, Branch whose series it belongs to.
	Tracked Commit `json:"tracked"`
	Branch  string `json:"branch"`
	Store   string `json:"store"`
	// Points are those that were added: none where the commit is in the store already, two with an anchor.
	Points []Point `json:"points"`
	// Notes say how the chain goes on, where that is not plain.
	Notes []string `json:"notes,omitempty"`
	// Faults are what of the store could not be read.
	Faults []Fault `json:"faults,omitempty"`
}
