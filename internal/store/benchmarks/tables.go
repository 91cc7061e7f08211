package benchmarks

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/judge"
)

// TablesSchema is the version of Tables' JSON.
const TablesSchema = "hone.bench.compare/1"

// Tables are the results of files side by side, as benchstat shows them.
type Tables struct {
	Schema string   `json:"schema"`
	Files  []string `json:"files"`
	Alpha  float64  `json:"alpha"`
	Delta  float64  `json:"delta"`
	Tables []Table  `json:"tables"`
	// Failures are what failed or skipped itself when the files were written.
	Failures []FileFailure `json:"failures,omitempty"`
	// OpenGates are gates on what a file does not have. They are undecided.
	OpenGates []OpenGate `json:"open_gates,omitempty"`
	// Apart says in which keys of the configuration benchmarks differ that stand in several files
	// and are not compared because of it, with the values.
	Apart []Apart `json:"differ_in,omitempty"`
	// Warnings are lines and values of the files that were left out, as file:line: why.
	Warnings []string `json:"warnings,omitempty"`
}

// Worse is how many changes are for the worse.
func (t *Tables) Worse() int {
	n := 0
	for _, c := range t.Changes {
		if c.Word == judge.Slower {
			n++
		}
	}
	return n
}

// GateCount is how many gates had each outcome.
func (t *Tables) GateCount() map[gate.Outcome]int {
	return countOutcomes(t.Gates)
}

// Gates yields the outcomes of the gates for each change, and for what was not compared; it is an iter.Seq2.
func (t *Tables) Gates(yield func(name string, gates []gate.Result) bool) {
	for name, c := range t.Changes {
		if !yield(name, c.Gates) {
			return
		}
	}
	yieldOpen(t.OpenGates, yield)
}

// Changes yields the changes of all tables with the names of their benchmarks; it is an iter.Seq2.
func (t *Tables) Changes(yield func(name string, c *Change) bool) {
	for _, table := range t.Tables {
		for _, row := range table.Rows {
			for _, c := range row.Cells {
				if c != nil && c.Change != nil && !yield(row.Name, c.Change) {
					return
				}
			}
		}
	}
}

// Table is one unit in one configuration (goos, goarch, pkg, cpu).
type Table struct {
	Config []string `json:"config"` // key: value
	// Unit is the tidy one of benchfmt: sec/op, B/op.
	Unit string `json:"unit"`
	// Better is +1 if higher is better, -1 if lower, 0 if unknown.
	Better int       `json:"better"`
	Rows   []Row     `json:"rows"`
	Geo    []GeoCell `json:"geomean"` // for each file
}

// Row is one benchmark.
type Row struct {
	Name string `json:"name"`
	// Cells are for each file; nil where it has no such benchmark.
	Cells []*Cell `json:"cells"`
}

// Cell is one benchmark in one file.
type Cell struct {
	// Median and its interval, and the number of values. An infinite bound is null in JSON.
	Median float64     `json:"median"`
	Low    judge.Bound `json:"low"`
	High   judge.Bound `json:"high"`
	N      int         `json:"n"`
	// Range is the interval as benchstat writes it, "2%".
	Range string `json:"range"`
	// Change against the first file; nil in that one, and where it lacks the benchmark.
	Change   *Change  `json:"change,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
}

// Change is the comparison of two samples that were not taken together.
type Change struct {
	// Ratio of the medians. Infinite (null in JSON) from none to some.
	Ratio judge.Bound `json:"ratio"`
	// P is the p-value of the test of Mann and Whitney; Delta and P as benchstat writes them.
	P     float64 `json:"p"`
	Delta string  `json:"delta"`
	Test  string  `json:"test"`
	// Word is slower or faster where the change is significant and beyond the tolerance,
	// "" where nothing of that kind was shown, or the better direction is unknown.
	Word  judge.Word    `json:"verdict,omitempty"`
	Gates []gate.Result `json:"gates,omitempty"`
}

// GeoCell is the geometric mean of a file's medians.
type GeoCell struct {
	// Mean and Ratio are nil where there is none, as for medians of 0.
	Mean     *float64 `json:"mean"`
	Ratio    *float64 `json:"ratio,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
}

// Apart is a key of the configuration in which results differ.
type Apart struct {
	Key    string   `json:"key"`
	Values []string `json:"values"`
}

// FileFailure is a benchmark of which a file has no result, or a package: it failed, it skipped itself,
// or its result cannot be read. There is nothing of it to compare.
type FileFailure struct {
	// File is the name of the column, At the place in the file.
	File string `json:"file"`
	At   string `json:"at"`
	// Package is empty where the file does not say it, and Name for a package.
	Package string `json:"package,omitempty"`
	Name    string `json:"name,omitempty"`
	Skipped bool   `json:"skipped,omitempty"`
	Unread  bool   `json:"unread,omitempty"`
	Text    string `json:"text"`
}

// Failed says whether something failed: else there is only no result.
func (f FileFailure) Failed() bool { return !f.Skipped && !f.Unread }

// Of says whether the failure is of the benchmark with this name. Before its first result go test
// writes a name without -GOMAXPROCS.
func (f FileFailure) Of(name string) bool {
	procs, longer := strings.CutPrefix(name, f.Name+"-")
	return f.Name != "" && (f.Name == name || longer && strings.Trim(procs, "0123456789") == "")
}

// String is a line of text about the failure.
func (f FileFailure) String() string {
	what := "package " + f.Package
	if f.Name != "" {
		what = "Benchmark" + f.Name
	}
	return fmt.Sprintf("%s: %s: %s", f.At, what, f.Text)
}
