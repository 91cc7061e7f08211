package load

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/gohone/hone/internal/text/units"
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
	DoubtUnmatched = "replies-unmatched"
	DoubtNoAnswer  = "no-answer"
	DoubtWrong     = "replies-wrong"
	DoubtEndless   = "answers-without-end"
	DoubtLive      = "connections-short"
	DoubtSaturated = "generator-saturated"
	DoubtAccount   = "account-unbalanced"
	DoubtRate      = "rate-short"
	DoubtLag       = "generator-late"
	DoubtPauses    = "generator-paused"
	DoubtLost      = "generator-lost" // one of several
)

const (
	maxWrongShare = 0.001
	// maxUnansweredShare is the share of unanswered requests at the end that a
	// closed loop may show because the window was open when it ended. A server that
	// withholds a bounded number of replies per connection stays under it in a run
	// of a second; one that answers nothing is caught as stalled.
	maxUnansweredShare = 0.10
	// minLiveShare is the share of connections that must stay open.
	minLiveShare = 0.99
)

// Evidence is a measurement that is to be judged.
type Evidence struct {
	Plan Plan
	// Schedule is the load that was asked for; the zero value is a closed loop.
	Schedule Schedule
	Tally    Tally
	// Pace says that rates and latencies are to be concluded from the measurement, not
	// only what a request costs the target: then the generator must have kept pace.
	Pace bool
	// MaxWrongShare is the share of wrong replies up to which the right ones still stand
	// for the service; 0 means one in a thousand, so that p99 is not made of them.
	MaxWrongShare float64
	// OnTime are the counts of the slices of a comparison in which the generator was on time: if they are half of all, they
	// say whether the rate was sent. A comparison leaves the others out of what it says of rates and latencies, so that a
	// late generator that falls short by little makes it not invalid. Nil of what is no comparison.
	OnTime *Counts
	// Pauses is how long the generator's own garbage collector stopped it.
	Pauses Pauses
}

// Judge returns the doubts about the measurement, the fatal ones first.
func (e Evidence) Judge() []Doubt {
	var d doubts
	e.judgeReplies(&d)
	e.judgeConnections(&d)
	if e.Schedule.Open() {
		e.judgeRate(&d)
	}
	e.judgeGenerator(&d)
	return append(d.fatal, d.minor...)
}

// doubts collects doubts, each kind in the order of adding.
type doubts struct{ fatal, minor []Doubt }

func (d *doubts) add(fatal bool, name, format string, args ...any) {
	doubt := Doubt{Name: name, Text: fmt.Sprintf(format, args...), Fatal: fatal}
	if fatal {
		d.fatal = append(d.fatal, doubt)
	} else {
		d.minor = append(d.minor, doubt)
	}
}

func (e Evidence) judgeReplies(d *doubts) {
	t := e.Tally
	unansweredShare := 0.0
	if t.Sent > 0 {
		unansweredShare = float64(t.Unanswered) / float64(t.Sent)
	}
	lost := t.Causes[Timeout]
	missing := lost + t.Unanswered
	e.judgeEnds(d)
	switch {
	case 2*t.Stray >= missing && float64(missing) > maxUnansweredShare*float64(t.Sent):
		// They came, and said that they were for others.
		d.add(true, DoubtUnmatched,
			"answers that belong to no outstanding request: %s, while %s of %s requests had none; %s answered",
			units.Count(t.Stray), units.Count(missing), units.Count(t.Sent), units.Count(t.Answered))
	case t.Stalled > 0 && t.Unanswered+t.Lost > 0 || unansweredShare > maxUnansweredShare && t.Answered > 0:
		d.add(true, DoubtWithheld, "replies withheld: %s; %s sent, %s answered, %s unanswered",
			stallWords(e.Plan, t.Stalled), units.Count(t.Sent), units.Count(t.Answered), units.Count(t.Unanswered))
	case t.Sent > 0 && float64(lost) > maxUnansweredShare*float64(t.Sent):
		d.add(true, DoubtWithheld, "replies withheld: %s of %s requests had no answer within %v; %s answered",
			units.Count(lost), units.Count(t.Sent), e.Plan.RequestTimeout, units.Count(t.Answered))
	case t.Answered == 0 && t.Failed == 0:
		d.add(true, DoubtNoAnswer, "no answer: %s requests sent, none answered", units.Count(t.Sent))
	case t.Unanswered > 0:
		d.add(false, DoubtWithheld, "%s requests still unanswered at the end (%.2g %% of those sent)",
			units.Count(t.Unanswered), 100*unansweredShare)
	}
	wrong := t.Failed + t.Stray
	if wrong == 0 {
		return
	}
	limit := e.MaxWrongShare
	if limit == 0 {
		limit = maxWrongShare
	}
	share, _ := t.WrongShare()
	beside := ""
	if t.Stray > 0 {
		beside = ", and " + units.Count(t.Stray) + " that belong to no request"
	}
	d.add(share > limit, DoubtWrong, "replies wrong or lost: %s of %s%s: %s",
		units.Count(t.Failed), units.Count(t.Answered+t.Failed), beside, t.causeWords())
}

// judgeEnds looks for answers that do not end. Where there are as many as wrong answers may
// be, they are among those.
func (e Evidence) judgeEnds(d *doubts) {
	t := e.Tally
	streams, endless := t.Causes[EventStream], t.Causes[Endless]
	settled := t.Answered + t.Failed
	if float64(streams+endless) <= cmp.Or(e.MaxWrongShare, maxWrongShare)*float64(settled) {
		return
	}
	limit := cmp.Or(e.Plan.RequestTimeout, e.Plan.Timeout)
	what, n := fmt.Sprintf("still coming after %v", limit), endless
	if streams > endless {
		what, n = fmt.Sprintf("streams of events that went on after %v", cmp.Or(e.Plan.StreamTimeout, limit)), streams
	}
	d.add(true, DoubtEndless, "answers without end: %s of %s were %s", units.Count(n), units.Count(settled), what)
}

func (e Evidence) judgeConnections(d *doubts) {
	if e.Tally.Slices > 0 && float64(e.Tally.Live) < minLiveShare*float64(e.Plan.Connections) {
		d.add(true, DoubtLive, "live connections short: %d of %d", e.Tally.Live, e.Plan.Connections)
	}
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

// causeWords lists the causes that there were, in the order of Cause. Refused connects are of no request.
func (c Counts) causeWords() string {
	var words []string
	for i, n := range c.Causes {
		if cause := Cause(i); n > 0 && cause != OK && cause != Refused {
			words = append(words, cause.String()+" "+units.Count(n)+c.WrongStatuses.Of(cause.String()))
		}
	}
	text := strings.Join(words, ", ")
	if n := c.Causes[Refused]; n > 0 {
		text += fmt.Sprintf("; besides, %s connects were refused", units.Count(n))
	}
	return strings.TrimPrefix(text, "; ")
}
