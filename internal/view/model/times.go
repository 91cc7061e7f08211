package model

import (
	"fmt"
	"slices"

	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/prof/symbol"
)

// TimeBar is where the time of the requests of one cohort goes.
type TimeBar struct {
	// Cohort is typical or slow.
	Cohort   string     `json:"cohort"`
	Title    string     `json:"title"`
	Requests int        `json:"requests"`
	Latency  Number     `json:"latency"`
	Parts    []TimePart `json:"parts"`
}

// TimePart is a part of a latency.
type TimePart struct {
	// State is that of package walltime: running, runnable, lock, network, ...
	State string  `json:"state"`
	Text  string  `json:"text"`
	Nanos float64 `json:"ns"`
	// Share is of the bar's latency or, of a cause, of the difference between the bars; 0 to 1.
	Share float64 `json:"share"`
	// Label is the share and the time as text: "78 %, 0.72 ms".
	Label string `json:"label"`
	// Place is the user's line; nil where there is none.
	Place *Place `json:"place,omitempty"`
}

// TimesOf says where the time of a typical and of a slow request goes, what slow ones spend more of it on, and what
// that rests on. found may be nil.
func TimesOf(d *walltime.Digest, found *advice.Findings) (bars []TimeBar, causes []TimePart, note string) {
	note = WaitCheck(d)
	if d.Note != "" {
		note += "; " + d.Note
	}
	if d.Joined == 0 {
		return nil, nil, note
	}
	for _, name := range []string{walltime.TypicalName, walltime.SlowName} {
		if c := d.Cohort(name); c != nil && c.LatencyNanos > 0 {
			bars = append(bars, TimeBar{
				Cohort: name, Title: CohortTitle(c), Requests: c.Requests,
				Latency: Number{Value: c.LatencyNanos, Text: units.Nanos(c.LatencyNanos)}, Parts: cohortParts(c, found),
			})
		}
	}
	return bars, causeParts(d, found), note
}

func timePart(label walltime.Label, text string, nanos, share float64) TimePart {
	p := TimePart{State: string(label.State), Text: text, Nanos: nanos, Share: share,
		Label: fmt.Sprintf("%.0f %%, %s", 100*share, units.Nanos(nanos))}
	if share < 0.005 {
		p.Label = "under 1 %, " + units.Nanos(nanos)
	}
	if c := label.Call; c.Function != "" {
		p.Place = &Place{Function: c.Function, File: c.File, Short: symbol.ShortFile(c.File), Line: int64(c.Line)}
	}
	return p
}

// notExplained labels what no part explains.
var notExplained = walltime.Label{Call: walltime.Call{State: walltime.Unexplained}}

// WaitCheck says on what a digest rests.
func WaitCheck(d *walltime.Digest) string {
	if d.Requests == 0 {
		return "no request ended during the trace: load the service while it is traced"
	}
	if d.Method == walltime.Unseen {
		return fmt.Sprintf("the work on %s was not found in the trace: hone knows services with a goroutine for each "+
			"connection, a goroutine for each request, goroutines that hand it to each other, or an event loop that calls the "+
			"kernel's poll", units.Plural(d.Requests, "request"))
	}
	return fmt.Sprintf("%s in %s of trace, the work on %s of them found by %s",
		units.Plural(d.Requests, "request"), units.Nanos(float64(d.TraceNanos)), units.Count(uint64(d.Joined)),
		d.Method)
}

// WaitRows are the rows of the table, in the order in which a request meets them.
var WaitRows = []struct {
	State walltime.State
	Title string
}{
	{walltime.Unsent, "due and not sent yet"},
	{walltime.Before, "network and kernel, before"},
	{walltime.Throttled, "held back by the CPU limit"},
	{walltime.Preempted, "CPU taken by other programs"},
	{walltime.Stolen, "CPU taken by the host (steal)"},
	{walltime.Halted, "stopped by a signal"},
	{walltime.Runnable, "waiting to run"},
	{walltime.Running, "running"},
	{walltime.Syscall, "system calls"},
	{walltime.Lock, "locks"},
	{walltime.Channel, "channels, groups, conditions"},
	{walltime.Network, "backends"},
	{walltime.Sleep, "sleep and timers"},
	{walltime.Collector, "garbage collector"},
	{walltime.After, "network, kernel, client, after"},
	{walltime.Unexplained, "not explained"},
	{facts.Unjoined, "of requests that are not found in the trace"},
}

const (
	// rowParts is how many parts of a row get a line of their own, PartShare the share of a latency that a part has to
	// have for it.
	rowParts  = 3
	PartShare = 0.02
)

// StateSum is the time that a cohort spends in a state.
func StateSum(c *walltime.Cohort, s walltime.State) (sum float64) {
	switch s {
	case facts.Unjoined:
		return c.UnjoinedNanos
	case walltime.Unexplained:
		sum = -c.UnjoinedNanos
	}
	for _, p := range c.Parts {
		if p.State == s {
			sum += p.Nanos
		}
	}
	return sum
}

// BothParts is a part of the typical request and of the slow one.
type BothParts struct {
	Label         walltime.Label
	Typical, Slow float64
}

// LargestParts are the parts of a row that are worth a line, by what they read as.
func LargestParts(typical, slow *walltime.Cohort, s walltime.State) []BothParts {
	var all []*BothParts
	byText := map[string]*BothParts{}
	for i, c := range []*walltime.Cohort{slow, typical} {
		for _, p := range c.Parts {
			text := facts.Phrase(p.Label)
			if p.State != s || text == "" {
				continue
			}
			one := byText[text]
			if one == nil {
				one = &BothParts{Label: p.Label}
				byText[text] = one
				all = append(all, one)
			}
			if i == 0 {
				one.Slow += p.Nanos
			} else {
				one.Typical += p.Nanos
			}
		}
	}
	share := func(p *BothParts) float64 { return max(p.Typical/typical.LatencyNanos, p.Slow/slow.LatencyNanos) }
	slices.SortStableFunc(all, func(a, b *BothParts) int {
		switch x, y := share(a), share(b); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	var kept []BothParts
	for _, p := range all[:min(rowParts, len(all))] {
		if share(p) >= PartShare {
			kept = append(kept, *p)
		}
	}
	return kept
}

// UnjoinedShare is the part of the difference of two cohorts that requests make whose work was not found in the trace.
func UnjoinedShare(typical, slow *walltime.Cohort) float64 {
	return max(0, (slow.UnjoinedNanos-typical.UnjoinedNanos)/(slow.LatencyNanos-typical.LatencyNanos))
}

// CohortTitle says which requests a cohort is, as the table of hone tail does.
func CohortTitle(c *walltime.Cohort) string {
	if c.Name == walltime.TypicalName {
		return fmt.Sprintf("typical, p%g to p%g", c.From, c.To)
	}
	if c.Requests == 1 {
		return "the slowest"
	}
	return fmt.Sprintf("slow, from p%g", c.From)
}

// cohortParts are what the latency of a cohort is made of, in the order in which a request meets it. They add up to the
// latency: of each state those that the table of hone tail names, and the rest of the state in one part.
func cohortParts(c *walltime.Cohort, found *advice.Findings) []TimePart {
	all := []TimePart{}
	whole := c.LatencyNanos
	for _, row := range WaitRows {
		left := StateSum(c, row.State)
		if left <= 0 {
			continue
		}
		for _, p := range LargestParts(c, c, row.State) {
			text := CauseText(found, p.Label)
			all, left = append(all, timePart(p.Label, text, p.Typical, p.Typical/c.LatencyNanos)), left-p.Typical
		}
		if left > smallestPart*c.LatencyNanos {
			state, text := row.State, row.Title
			if state == facts.Unjoined { // which has no colour of its own
				state = walltime.Unexplained
			}
			if named := len(all) > 0 && all[len(all)-1].State == string(row.State); named {
				text += ", other"
			}
			all = append(all, timePart(walltime.Label{Call: walltime.Call{State: state}}, text, left,
				left/c.LatencyNanos))
		}
	}
	for _, p := range all {
		whole -= p.Nanos
	}
	if whole > smallestPart*c.LatencyNanos { // a run's document keeps the largest parts only
		all = append(all, timePart(notExplained, "in smaller parts", whole, whole/c.LatencyNanos))
	}
	return all
}

// LeastSaid is the share of a latency from which on a sentence names a state.
const LeastSaid = 0.05

// smallestPart is the share of a latency below which what is left of a state is nothing but rounding.
const smallestPart = 1e-6

// CausesSaid are the causes of a tail that are worth a word, in the order in which they are said: those of the program
// first, unless much of it is outside. There is one at least, if there is any.
func CausesSaid(d *walltime.Digest) (said []walltime.Cause) {
	all := slices.Concat(d.Causes, d.Outside)
	if d.OutsideShare() > walltime.MuchOutside {
		all = slices.Concat(d.Outside, d.Causes)
	}
	for _, c := range all {
		if c.Share >= LeastSaid {
			said = append(said, c)
		}
	}
	if len(said) == 0 {
		said = all[:min(1, len(all))]
	}
	return said
}

// causeParts are what slow requests spend more time on than typical ones, those that the sentence of a tail may name,
// and last what they leave open.
func causeParts(d *walltime.Digest, found *advice.Findings) []TimePart {
	typical, slow := d.Cohort(walltime.TypicalName), d.Cohort(walltime.SlowName)
	if typical == nil || slow == nil || d.Joined == 0 || slow.LatencyNanos <= typical.LatencyNanos {
		return nil
	}
	differ := slow.LatencyNanos - typical.LatencyNanos
	left := 1.0
	var all []TimePart
	for _, c := range CausesSaid(d) {
		all = append(all, timePart(c.Label, CauseText(found, c.Label), c.Nanos, c.Share))
		left -= c.Share
	}
	if missed := UnjoinedShare(typical, slow); missed >= LeastSaid {
		all = append(all, timePart(notExplained, facts.StateWord(facts.Unjoined), missed*differ, missed))
		left -= missed
	}
	if left >= LeastSaid || len(all) == 0 {
		all = append(all, timePart(notExplained, "in smaller parts or not explained", left*differ, left))
	}
	return all
}
