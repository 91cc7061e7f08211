package track

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/corpus"
	"github.com/gohone/hone/internal/store/series"
)

// resultsSchema is that of the file of results: JSON lines, each a record.
const resultsSchema = "hone.track-replay/1"

// record is a tracked commit, two commits compared directly, a calibration of a library's slow-downs, or the session
// that the next ones belong to.
type record struct {
	bed.Entry
	Repo string `json:"repo,omitempty"`
	// Slope is a calibration, and Newest the last of the library's commits that are replayed.
	Slope  *corpus.Slope `json:"slope,omitempty"`
	Newest string        `json:"newest,omitempty"`
	// Commit is the number of the commit, from 0; Base that of what it is held against directly, by one benchmark or all.
	Commit int    `json:"commit"`
	Direct bool   `json:"direct,omitempty"`
	Base   int    `json:"base,omitempty"`
	Only   string `json:"only,omitempty"`
	// Points are what hone track added to the series.
	Points []series.Point `json:"points,omitempty"`
	// Single are the seconds per operation of single runs, by benchmark.
	Single  map[string]float64 `json:"single,omitempty"`
	Seconds float64            `json:"s,omitempty"`
	Load    float64            `json:"load,omitempty"`
}

// String is a record as progress shows it.
func (r record) String() string {
	count := map[series.State]int{}
	var changed []string
	for _, p := range r.Points {
		for v := range p.All() {
			count[v.State]++
			if v.Low > 1 || v.High < 1 && v.State == series.Measured {
				changed = append(changed, fmt.Sprintf("%s %s %.3f (%.3f ... %.3f)", v.Name, v.Measure, v.Ratio, v.Low, v.High))
			}
		}
	}
	return fmt.Sprintf("%.0f s at a load of %.1f; %d values measured, %d unchanged; %s", r.Seconds, r.Load,
		count[series.Measured], count[series.Unchanged], strings.Join(changed, ", "))
}

// slopeOf is the calibration of a library; nil if it has none.
func slopeOf(records []record, repo string) *record {
	for i, r := range records {
		if r.Repo == repo && r.Slope != nil {
			return &records[i]
		}
	}
	return nil
}

// pointsOf is the series of a library.
func pointsOf(records []record, repo string) (all []series.Point) {
	for _, r := range records {
		if r.Repo == repo && !r.Direct {
			all = append(all, r.Points...)
		}
	}
	return all
}

// tracked is how many commits of the library the journal has.
func (l library) tracked(records []record) (n int) {
	for _, r := range records {
		if r.Repo == l.repo && r.Slope == nil && !r.Direct {
			n++
		}
	}
	return n
}

// direct is the direct comparison of two commits; nil if there is none.
func direct(records []record, repo string, commit, base int, only string) *record {
	for i, r := range records {
		if r.Repo == repo && r.Direct && r.Commit == commit && r.Base == base && (r.Only == only) {
			return &records[i]
		}
	}
	return nil
}

// patternOf matches one of the tracked benchmarks by its name in a series, PACKAGE.NAME/CASE.
func (l library) patternOf(name string) string {
	for _, b := range l.benchmarks {
		if i := strings.Index(name, "."+b); i >= 0 {
			parts := strings.Split(name[i+1:], "/")
			for i, p := range parts {
				parts[i] = regexp.QuoteMeta(p)
			}
			return "^Benchmark" + strings.Join(parts, "$/^") + "$"
		}
	}
	return "^Benchmark" + regexp.QuoteMeta(name) + "$"
}
