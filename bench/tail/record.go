package tail

import (
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/tail/serving"
)

// resultsSchema is that of the file of results: JSON lines, each a record. Each session begins with a
// line that names it.
const resultsSchema = "hone.tailbench/1"

// record is one trial at one rate, or the session that the next ones belong to.
type record struct {
	At      time.Time    `json:"at"`
	Session *bed.Session `json:"session,omitempty"`
	Trial   string       `json:"trial,omitempty"`
	Pace    string       `json:"pace,omitempty"`
	// RateHz is the rate of the open loop, CapacityHz what the closed loop reached before.
	RateHz     float64 `json:"rate_hz,omitempty"`
	CapacityHz float64 `json:"capacity_hz,omitempty"`
	// Invalid says that hone itself distrusts the run.
	Invalid bool `json:"invalid,omitempty"`
	// Disturbed says that slow requests waited outside of the service, in each of Tries runs.
	Disturbed bool           `json:"disturbed,omitempty"`
	Tries     int            `json:"tries,omitempty"`
	Truth     *serving.Truth `json:"truth,omitempty"`
	Digest    *digest        `json:"digest,omitempty"`
	Judgement *judgement     `json:"judgement,omitempty"`
	// Cost is that of the trace, ClosedCost that of the closed loop before, in one record of each trial.
	Cost       *cost `json:"cost,omitempty"`
	ClosedCost *cost `json:"closed_cost,omitempty"`
}

// Head implements bed.Record.
func (r record) Head() (time.Time, *bed.Session) { return r.At, r.Session }

// pace is one of the two rates of each trial.
type pace struct {
	Name string
	// rate is that of the open loop, from what the service can do.
	rate func(capacity float64) float64
}

const (
	// lowRate is enough for ten requests from the 99th percentile on in the 2 s that a trace lasts at most.
	lowRate = 500
	// highest bounds the high rate: while a service stands for 25 ms, 50 requests come, and connections
	// for them are free. Else the rest would wait in the generator.
	highest = 2000
)

// paces are low, and 60 % of what the service can do.
var paces = []pace{
	{"low", func(capacity float64) float64 { return min(lowRate, 0.2*capacity) }},
	{"high", func(capacity float64) float64 { return min(highest, 0.6*capacity) }},
}

// last are the latest records of each trial and pace, in the order of the trials.
func last(records []record) (some []record) {
	for _, t := range trials {
		for _, p := range paces {
			for i := len(records) - 1; i >= 0; i-- {
				if records[i].Trial == t.name() && records[i].Pace == p.Name {
					some = append(some, records[i])
					break
				}
			}
		}
	}
	return some
}

// has says whether a trial was measured at a pace by this version of hone.
func has(records []record, t *trial, p pace, version string) bool {
	by := ""
	for _, r := range records {
		if r.Session != nil {
			by = r.Session.Hone
		}
		if r.Trial == t.name() && r.Pace == p.Name && by == version {
			return true
		}
	}
	return false
}
