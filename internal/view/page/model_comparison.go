package page

import "github.com/gohone/hone/internal/view/model"

// Comparison is the page of variants measured together, of benchmarks of two variants, of two stored runs, or of the
// search for a commit.
type Comparison struct {
	Head
	Variants []model.Variant `json:"variants"`
	Under    []string        `json:"under"`
	// Verdicts are the sentences, one for each contest; of an invalid comparison the one that says so.
	Verdicts []model.Statement `json:"verdicts"`
	// Stopped says why and when it ended.
	Stopped string           `json:"stopped,omitempty"`
	Gates   []model.GateLine `json:"gates,omitempty"`
	Check   model.Check      `json:"check"`
	// Answers says whether the variants gave the same answers.
	Answers []model.Statement `json:"answers,omitempty"`
	// Contests are the variants but the first against the first; of benchmarks, the one contest.
	Contests []model.Contest `json:"contests"`
	// Latency has a curve for each variant that answered.
	Latency []Curve `json:"latency,omitempty"`
	// Environment is a row for each property, with what differs first.
	Environment []EnvironmentRow `json:"environment"`
	Profiles    []ProfileRef     `json:"profiles"`
	Commands    []model.Command  `json:"commands"`
	// Bisect is what only a search for a commit has.
	Bisect *Bisection `json:"bisect,omitempty"`
}

// EnvironmentRow is one property of the machines, toolchains and builds, with a value for each variant.
type EnvironmentRow struct {
	Name    string   `json:"name"`
	Values  []string `json:"values"`
	Differs bool     `json:"differs,omitempty"`
}
