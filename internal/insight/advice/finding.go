package advice

import (
	"slices"
	"strings"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/insight/facts"
)

// Schema is that of Findings as JSON.
const Schema = "hone.findings/1"

// Findings is what the rules say of a run.
type Findings struct {
	Schema string `json:"schema"`
	// Findings are ranked by what they cost, the largest first; after Weigh by their weight in production.
	Findings []Finding `json:"findings"`
	// Large is what takes much and is in no finding.
	Large []Large `json:"large,omitempty"`
	// Spent says where the CPU time goes, by Samples of the CPU profile.
	Spent   Spent `json:"spent"`
	Samples int64 `json:"samples"`
	// Growth is what the run gained per request, and PerByte the collector's part of the CPU time for each byte that a
	// request allocates, for Changes.
	Growth  facts.Growth `json:"-"`
	PerByte float64      `json:"-"`
	// Missing names what could not be looked at, and why.
	Missing []string `json:"missing,omitempty"`
}

// Of is the number of the finding that counts what a line costs, so that other views of the run name it; 0 for none.
func (f *Findings) Of(places ...code.Place) int {
	if f == nil {
		return 0
	}
	for _, p := range places {
		if p.Function == "" {
			continue
		}
		if i := slices.IndexFunc(f.Findings, func(one Finding) bool {
			return one.Place == p || slices.Contains(one.Lines, p)
		}); i >= 0 {
			return i + 1
		}
	}
	return 0
}

// Finding is one piece of advice: what costs, where the user's code causes it, how that is known,
// what to change, and how to see whether it helped.
type Finding struct {
	// Rule is the name of the rule that found it.
	Rule string `json:"rule"`
	// Title says what happens, as a clause: "zlib writers are made for each call".
	Title string `json:"title"`
	// Place is the line of the user's module that causes it, also where the cost is paid elsewhere.
	Place code.Place `json:"place"`
	// Lines are the user's lines whose cost it counts, the dearest first: Place may be another one, such as that of a
	// constructor.
	Lines []code.Place `json:"lines,omitempty"`
	// Via is the library's function through which the cost arises; empty where it is the user's own.
	Via string `json:"via,omitempty"`
	Costs
	// Weight is what its function takes of production's CPU time; nil where that was not asked.
	Weight *Weight `json:"weight,omitempty"`
	// Evidence is what the finding rests on, the strongest first.
	Evidence []Evidence `json:"evidence"`
	// Code is the user's statement at Place, the first lines of it; empty where the source was not found.
	Code string `json:"code,omitempty" printable:"lines"`
	Remedy
	// Mechanical says that hone advise --try knows a rewrite for the rule.
	Mechanical bool `json:"mechanical,omitempty"`
	// Verify is the command that shows whether the change helped.
	Verify string `json:"verify,omitempty"`
}

// Costs are what a finding costs now, and what can be gained.
type Costs struct {
	// Measure is what Cost and Gain are shares of.
	Measure Measure `json:"measure"`
	// Cost is the part of Measure that it takes now, 0 to 1, and Absolute the same in the measure's
	// unit per request.
	Cost     float64 `json:"cost"`
	Absolute float64 `json:"absolute"`
	// Of says which part of Measure Cost is a share of, where it is not all of it: "of GET /orders", "without waits
	// for a processor".
	Of string `json:"of,omitempty"`
	// Whole is what Cost is a share of, where that is not the run's own figure: the mean of such requests in the
	// trace. 0 is not known.
	Whole float64 `json:"whole,omitempty"`
	// Routes are those targets of the load that Cost belongs to, those of most first; nil where the load has one, where
	// all of them have it, and where that is not known.
	Routes []facts.Route `json:"routes,omitempty"`
	// Longer is what slow requests take more than typical ones, where Cost is a part of that; else 0.
	Longer float64 `json:"longer_ns,omitempty"`
	// LineCost is the part of the CPU time that the line at Place takes with all that it calls, and with the
	// collector's work for what is allocated there; 0 for other measures. Cost is a part of it.
	LineCost float64 `json:"line_cost,omitempty"`
	// Gain is the part of Measure that goes if Cost does, 0 to 1 (Amdahl), and GainWord says what it is: a bound, or
	// an estimate. GainLow and GainHigh hold what four of five repairs gained that were measured: 0 where no samples
	// say it. A Gain of 0 is not known before it is tried.
	Gain     float64  `json:"gain"`
	GainWord GainWord `json:"gain_word,omitempty"`
	GainLow  float64  `json:"gain_low,omitempty"`
	GainHigh float64  `json:"gain_high,omitempty"`
	// Explained is the part of the CPU time that no other finding counts, 0 to 1; 0 for other measures.
	Explained float64 `json:"explained,omitempty"`
	// Worked is Explained without the collector's work for what is allocated, for Changes.
	Worked float64 `json:"-"`
	// Endless says of growth that nothing in the source ends it: else a limit above what the run has seen looks the
	// same.
	Endless bool `json:"endless,omitempty"`
}

// Share says what Cost is a share of.
func (c *Costs) Share() string { return strings.TrimSpace(string(c.Measure) + " " + c.Of) }

// Remedy is what to do about a finding.
type Remedy struct {
	// Change says in two or three sentences what to do. Before and After show the pattern in Go.
	Change string `json:"change"`
	Before string `json:"before,omitempty" printable:"lines"`
	After  string `json:"after,omitempty" printable:"lines"`
}

// Measure is what a finding can improve.
type Measure string

// The measures.
const (
	CPU     Measure = "CPU per request"
	Latency Measure = "p50 latency"
	Tail    Measure = "p99 latency"
	Memory  Measure = "memory"
	Answers Measure = "answers" // the service does not answer as it should
	Growing Measure = "growth"  // what is held rises with every request
)

// Spent is where the CPU time goes, in shares of 0 to 1.
type Spent struct {
	Kernel    float64 `json:"kernel"`    // system calls
	Collector float64 `json:"collector"` // marking, sweeping, assists; not the allocator
	Scheduler float64 `json:"scheduler"`
	User      float64 `json:"user"` // the user's module, and libraries under it
	Libraries float64 `json:"libraries"`
}
