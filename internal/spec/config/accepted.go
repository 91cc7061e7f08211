package config

import (
	"cmp"
	"regexp"
	"time"
)

// Accepted is a step of a series that is known.
type Accepted struct {
	Commit    Text `json:"commit,omitzero" jsonschema:"The commit that made the step: at least seven digits of its hash."`
	Benchmark Text `json:"benchmark,omitzero" jsonschema:"A regular expression for the names of benchmarks, with their packages, or for the package of a service; without it all are meant."`
	Reason    Text `json:"reason,omitzero" jsonschema:"Why the step is wanted."`
	Until     Text `json:"until,omitzero" jsonschema:"The day on which the entry ends, such as 2027-03-31; without it it never does."`
}

// AcceptedStep is an entry as it is meant.
type AcceptedStep struct {
	Commit    string
	Benchmark *regexp.Regexp // nil: all
	Reason    string
	Until     time.Time // zero: never
}

// hash is the beginning of a commit's.
var hash = regexp.MustCompile(`^[0-9a-f]{7,64}$`)

// checkAccepted judges the entries.
func (f *faults) checkAccepted(all []Accepted) {
	for _, a := range all {
		if !hash.MatchString(a.Commit.Value) {
			f.say(cmp.Or(a.Commit.At, a.Reason.At), "write at least seven digits of its hash, as git log shows them",
				"accepted: %s is not a commit", shortened(a.Commit.Value))
		}
		if a.Reason.Value == "" {
			f.say(cmp.Or(a.Reason.At, a.Commit.At), "write reason: why the step is wanted", "accepted: no reason")
		}
		if _, err := regexp.Compile(a.Benchmark.Value); err != nil {
			f.say(a.Benchmark.At, "", "accepted: benchmark: %v", err)
		}
		if _, err := time.Parse(time.DateOnly, a.Until.Value); a.Until.given() && err != nil {
			f.say(a.Until.At, "write a day such as 2027-03-31", "accepted: until: %s is not a day", shortened(a.Until.Value))
		}
	}
}

// AcceptedSteps are the known steps of a file that was checked.
func (d *Document) AcceptedSteps() (all []AcceptedStep) {
	for _, a := range d.Accepted {
		one := AcceptedStep{Commit: a.Commit.Value, Reason: a.Reason.Value}
		if a.Benchmark.Value != "" {
			one.Benchmark, _ = regexp.Compile(a.Benchmark.Value)
		}
		one.Until, _ = time.Parse(time.DateOnly, a.Until.Value)
		all = append(all, one)
	}
	return all
}
