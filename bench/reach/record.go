package reach

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/bench/bed"
)

// resultsSchema is that of the file of results: JSON lines, each a record.
const resultsSchema = "hone.benchreach/1"

// record is one commit, one planted slow-down, or the session that the next ones belong to.
type record struct {
	bed.Entry
	Repo   string `json:"repo,omitempty"`
	Commit string `json:"commit,omitempty"`
	// LeftOut says why the commit says nothing, Refused what hone said where it gave no table.
	LeftOut string `json:"left_out,omitempty"`
	Refused string `json:"refused,omitempty"`
	// Seconds is how long hone took.
	Seconds   float64   `json:"s,omitempty"`
	Functions []finding `json:"functions,omitempty"`
	Notes     []string  `json:"notes,omitempty"`
	// Hidden is what differs and belongs to no function, as hone says it. Then hone is in doubt of all that it does
	// not list.
	Hidden []string `json:"hidden,omitempty"`
	// Bench is what hone bench leaves out of the same commit.
	Bench   *leftOut   `json:"bench,omitempty"`
	Planted *plantedIn `json:"planted,omitempty"`
}

// finding is a function that differs, with what executed its counter and what hone says of it.
type finding struct {
	// Name is DIRECTORY NAME, Place its file and line.
	Name  string `json:"name"`
	Place string `json:"place"`
	// What the counters show, on either side. Start is before the first test or benchmark.
	Truth executed `json:"truth"`
	// Row is hone's, nil where it lists no such function.
	Row *executed `json:"hone,omitempty"`
	// Doubt says that hone does not commit itself, and why.
	Doubt string `json:"doubt,omitempty"`
	// SameCode says that the compiler makes the same instructions and data of it on both sides: no change.
	SameCode bool `json:"same_code,omitempty"`
	// Missed is what executed it although hone does not say so, Extra what hone says and the counters do not.
	Missed []string `json:"missed,omitempty"`
	Extra  []string `json:"extra,omitempty"`
}

// executed is by what a function was.
type executed struct {
	Start      bool     `json:"start,omitempty"`
	Tests      bool     `json:"tests,omitempty"`
	Benchmarks []string `json:"benchmarks,omitempty"`
}

func (e executed) any() bool { return e.Start || e.Tests || len(e.Benchmarks) > 0 }

func (r record) missed() (all []finding) {
	return r.with(func(f finding) bool { return len(f.Missed) > 0 })
}

func (r record) extra() (all []finding) {
	return r.with(func(f finding) bool { return len(f.Extra) > 0 })
}

// hides says that something differs that belongs to no function. Older records show it only by their doubts.
func (r record) hides() bool {
	return len(r.Hidden) > 0 || len(r.with(func(f finding) bool { return f.Doubt == ofNoFunction })) > 0
}

func (r record) with(is func(finding) bool) (all []finding) {
	for _, f := range r.Functions {
		if is(f) {
			all = append(all, f)
		}
	}
	return all
}

// right says whether all of a commit is, hone bench included.
func (r record) right() bool {
	bench := r.Bench == nil || r.Bench.Refused == "" && len(r.Bench.Missed) == 0
	return r.Refused == "" && bench && len(r.missed())+len(r.extra()) == 0
}

// String is a record as progress shows it.
func (r record) String() string {
	switch {
	case r.LeftOut != "":
		return "left out: " + r.LeftOut
	case r.Refused != "":
		return "hone gives no table: " + r.Refused
	case r.Planted != nil:
		return r.Planted.String()
	}
	text := fmt.Sprintf("%d functions, %.0f s", len(r.Functions), r.Seconds)
	for _, f := range r.Functions {
		if len(f.Missed) > 0 {
			text += fmt.Sprintf("; NOT EXECUTED says hone of %s, which %s", f.Name, strings.Join(f.Missed, ", "))
		}
		if len(f.Extra) > 0 {
			text += fmt.Sprintf("; %s: hone has %s, the counters have not", f.Name, strings.Join(f.Extra, ", "))
		}
	}
	if b := r.Bench; b != nil {
		text += fmt.Sprintf("; hone bench: %d measured, %d of the same code, %d not executed %s", b.Measured, b.SameCode,
			b.NotExecuted, b.Refused)
		if len(b.Missed) > 0 {
			text += "; LEFT OUT although " + strings.Join(b.Missed, ", ")
		}
	}
	return text
}
