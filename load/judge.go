package load

import (
	"fmt"
	"strings"
	"time"

	"github.com/gohone/hone/internal/units"
)

// Doubt is one reason to distrust a measurement.
type Doubt struct {
	// Name is the machine-readable cause, one of the Doubt... constants.
	Name string `json:"name"`
	// Text is the cause in words, with the numbers.
	Text string `json:"text"`
	// Fatal makes the measurement invalid: nothing may be concluded from it.
	Fatal bool `json:"fatal"`
}

// The names of doubts.
const (
	DoubtWithheld  = "replies-withheld"
	DoubtNoAnswer  = "no-answer"
	DoubtWrong     = "replies-wrong"
	DoubtLive      = "connections-short"
	DoubtSaturated = "generator-saturated"
	DoubtAccount   = "account-unbalanced"
)

const (
	// maxWrongShare is the share of wrong replies up to which the right ones still
	// stand for the service: one in a thousand, so that p99 is not made of them.
	maxWrongShare = 0.001
	// maxUnansweredShare is the share of unanswered requests at the end that a
	// closed loop may show because the window was open when it ended. A server that
	// withholds a bounded number of replies per connection stays under it in a run
	// of a second; one that answers nothing is caught as stalled.
	maxUnansweredShare = 0.10
	// minLiveShare is the share of connections that must stay open.
	minLiveShare = 0.99
	// saturatedBusy is the share of its CPU from which the generator, not the
	// service, sets the pace.
	saturatedBusy = 0.95
)

// Judge returns the doubts about a measurement, the fatal ones first. A closed
// loop whose generator is saturated stays valid, for it sends no less than it
// promised; only its throughput and latency are then the generator's.
func Judge(p Plan, t Tally) []Doubt {
	var fatal, minor []Doubt
	add := func(isFatal bool, name, format string, args ...any) {
		d := Doubt{Name: name, Text: fmt.Sprintf(format, args...), Fatal: isFatal}
		if isFatal {
			fatal = append(fatal, d)
		} else {
			minor = append(minor, d)
		}
	}
	unansweredShare := 0.0
	if t.Sent > 0 {
		unansweredShare = float64(t.Unanswered) / float64(t.Sent)
	}
	switch {
	case t.Stalled > 0 || unansweredShare > maxUnansweredShare && t.Answered > 0:
		add(true, DoubtWithheld, "replies withheld: %s; %s sent, %s answered, %s unanswered",
			stallWords(p, t.Stalled), units.Count(t.Sent), units.Count(t.Answered), units.Count(t.Unanswered))
	case t.Answered == 0 && t.Failed == 0:
		add(true, DoubtNoAnswer, "no answer: %s requests sent, none answered", units.Count(t.Sent))
	case t.Unanswered > 0:
		add(false, DoubtWithheld, "%s requests still unanswered at the end (%.2g %% of those sent)",
			units.Count(t.Unanswered), 100*unansweredShare)
	}
	if t.Failed > 0 {
		share := float64(t.Failed) / float64(t.Answered+t.Failed)
		add(share > maxWrongShare, DoubtWrong, "replies wrong or lost: %s of %s (%s)",
			units.Count(t.Failed), units.Count(t.Answered+t.Failed), causeWords(t.Causes))
	}
	if t.Slices > 0 && float64(t.MinLive) < minLiveShare*float64(p.Connections) {
		add(true, DoubtLive, "live connections short: %d of %d", t.MinLive, p.Connections)
	}
	if busy := t.Busy(); busy >= saturatedBusy {
		add(false, DoubtSaturated,
			"generator at %.0f %% of its CPU: throughput and latency are bounded by it, CPU per request is not", 100*busy)
	}
	return append(fatal, minor...)
}

// Invalid returns the first fatal doubt, or nil.
func Invalid(doubts []Doubt) *Doubt {
	for i := range doubts {
		if doubts[i].Fatal {
			return &doubts[i]
		}
	}
	return nil
}

func stallWords(p Plan, stalled int) string {
	if stalled == 0 {
		return "connections went silent"
	}
	return fmt.Sprintf("%d of %d connections had no answer to %d outstanding requests for %v",
		stalled, p.Connections, p.Depth, p.Timeout.Round(time.Millisecond))
}

// causeWords lists the non-zero causes, most frequent kinds in the order of Cause.
func causeWords(causes [NumCauses]uint64) string {
	var words []string
	for c, n := range causes {
		if n > 0 && Cause(c) != OK {
			words = append(words, fmt.Sprintf("%s %s", Cause(c), units.Count(n)))
		}
	}
	return strings.Join(words, ", ")
}
