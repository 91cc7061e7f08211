package series

import (
	"time"

	"github.com/gohone/hone/internal/sys/git"
)

// Schema is the version of a line of a store.
const Schema = "hone.point/1"

// Benchmarks is the subject of a series of benchmarks.
const Benchmarks = "bench"

// Point is what one job measured: a commit held against a base, by all benchmarks or one service.
type Point struct {
	Schema string `json:"schema"`
	// ID is a hash of all that follows on the line: a point that was written twice is one point. A store gives it; see
	// Identify.
	ID string    `json:"id"`
	At time.Time `json:"at"`
	// Branch is what the job tracks, Subject what was measured: Benchmarks, or the package of a service.
	Branch  string `json:"branch"`
	Subject string `json:"subject"`
	Commit  Commit `json:"commit"`
	// Base is the commit that Commit was held against; nil at the beginning of a chain, and for what was imported.
	Base *Commit `json:"base,omitempty"`
	// Anchor says that Base is the anchor of the branch, and not the point before.
	Anchor bool `json:"anchor,omitempty"`
	// Commits counts the commits after Base up to Commit; 0 where that is not known.
	Commits int `json:"commits,omitempty"`
	// Again says that the two ends of a step were measured once more: the values are those of the step's benchmarks.
	Again bool `json:"again,omitempty"`
	// Found is the commit after Base, up to Commit, that made the step of the values whose state is Searched; nil where
	// the search found none.
	Found   *Commit `json:"found,omitempty"`
	Machine string  `json:"machine,omitempty"`
	// Values are those that were measured, begin, failed or are gone. Unchanged ones may be among them before a store
	// has moved them to Unchanged: All has both.
	Values    []Value `json:"values"`
	Unchanged []Group `json:"unchanged,omitempty"`
	// Imported names the format of a point that hone did not measure: its values have no ratios.
	Imported string `json:"imported,omitempty"`
	// Report is the file beside the store that has the comparison's report; empty where nothing changed. ReportName
	// makes a name that no other report has.
	Report string `json:"report,omitempty"`
	// Told is the ID of the newest point whose steps somebody was told of. A point that says so has no values.
	Told string `json:"told,omitempty"`
}

// Regular says that a point adds a commit to the chain: it is of hone, and says nothing more of commits before it.
func (p *Point) Regular() bool { return p.Imported == "" && !p.Again && p.Told == "" }

// Commit is a commit of the tracked repository. All texts are those of whoever wrote the commit.
type Commit struct {
	Hash    string    `json:"hash"`
	Time    time.Time `json:"time"`
	Author  string    `json:"author,omitempty"`
	Subject string    `json:"subject,omitempty"`
}

// CommitOf is a commit as git describes it.
func CommitOf(c git.Commit) Commit {
	return Commit{Hash: c.Hash, Time: c.Date.UTC(), Author: c.Author, Subject: c.Subject}
}

// State is how a value came about.
type State string

const (
	// Measured values have a ratio.
	Measured State = "measured"
	// Unchanged values were not measured: the benchmark executes nothing that changed. Their ratio is 1.
	Unchanged State = "unchanged"
	// Begins is the first value of a benchmark, and the first after the benchmark itself changed: the chain begins anew.
	Begins State = "begins"
	// Removed says that the benchmark is gone.
	Removed State = "removed"
	// Unknown values have no interval: the benchmark or the service was measured, and too little showed of this measure
	// to say anything of its ratio.
	Unknown State = "unknown"
	// Failed values are missing: the benchmark failed.
	Failed State = "failed"
	// Searched values say that the commit of a step was searched for. They have no ratio.
	Searched State = "searched"
)

// Value is one measure of one benchmark, or of a service.
type Value struct {
	// Name is the benchmark with its package; empty for a service.
	Name    string `json:"name,omitempty"`
	Measure string `json:"measure"`
	Unit    string `json:"unit,omitempty"`
	State   State  `json:"state"`
	// Ratio is the commit's value over the base's, with its interval at Confidence; 0 where it was not measured.
	Ratio      float64 `json:"ratio,omitempty"`
	Low        float64 `json:"low,omitempty"`
	High       float64 `json:"high,omitempty"`
	Confidence float64 `json:"confidence,omitempty"`
	// Verdict is the word of the comparison; Confirmed says that two stages showed the difference.
	Verdict   string `json:"verdict,omitempty"`
	Confirmed bool   `json:"confirmed,omitempty"`
	// Absolute is the commit's value in Unit, as this machine showed it. It is for readers, and enters no chain.
	Absolute float64 `json:"absolute,omitempty"`
}
