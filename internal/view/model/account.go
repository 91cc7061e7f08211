package model

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/internal/text/units"
)

// runFacts are what is counted beside the measures of a run, as far as it has them.
var runFacts = []func(record.Run, Detail) (Row, bool){runAccount, runOutput, runNeeds, runHolders}

// runAccount is the account of all requests of a run, warm-up and profiles included: where something is off, or in
// full. The operations of a load command have none.
func runAccount(r record.Run, d Detail) (Row, bool) {
	c := r.Counts
	off := c.Failed+c.Stray+c.Unanswered+c.Unsent > 0 || c.Balance() != nil
	return Row{Name: "requests", Text: accountText(recording.AccountOf(c), c.Balance()),
			Note: "warm-up and profiles included"},
		r.Load == nil && c.Scheduled > 0 && (off || d == Full)
}

// accountText says what became of the requests of a load: all that were scheduled, and those that were sent. fault says
// that the counts contradict each other.
func accountText(a recording.Account, fault error) string {
	text := units.Count(a.Sent) + " sent"
	if a.Unsent > 0 {
		text = fmt.Sprintf("%s scheduled, %s not sent; %s", units.Count(a.Scheduled), units.Count(a.Unsent), text)
	}
	switch {
	case fault == nil && a.Sent > 0 && a.Answered == a.Sent:
		text += ", all answered"
	case fault == nil && a.Sent > 0 && a.Unanswered == a.Sent:
		text += ", none answered"
	default:
		text += fmt.Sprintf(", %s answered", units.Count(a.Answered))
	}
	if a.Failed > 0 {
		text += fmt.Sprintf(", %s failed", units.Count(a.Failed))
	}
	if a.Unanswered > 0 && (fault != nil || a.Unanswered < a.Sent) {
		text += fmt.Sprintf(", %s without an answer", units.Count(a.Unanswered))
	}
	if a.Stray > 0 {
		text += fmt.Sprintf("; %s replies belong to no request", units.Count(a.Stray))
	}
	if fault != nil {
		text += "; " + fault.Error()
	}
	return text
}

// runOutput is how much a run's program wrote; false if it wrote nothing, and in brief.
func runOutput(r record.Run, d Detail) (Row, bool) {
	o := r.Output
	if o == nil || d == Brief {
		return Row{}, false
	}
	text := fmt.Sprintf("the program wrote %s in %s", Octets(o.Written), Starts(max(1, r.Starts)))
	if o.Dropped > 0 {
		text += ", too much to keep: the beginning and the end of the latest are kept"
	}
	return Row{Name: "output", Text: text}, true
}

// runNeeds says which programs a run's program needed, and what they cost beside it; false if it needed none.
func runNeeds(r record.Run, _ Detail) (Row, bool) {
	if len(r.Needs) == 0 {
		return Row{}, false
	}
	var parts []string
	for _, n := range r.Needs {
		text := fmt.Sprintf("%s (PID %d", n.Name, n.PID)
		if n.Starts > 1 {
			text = fmt.Sprintf("%s (%s, the latest PID %d", n.Name, Starts(n.Starts), n.PID)
		}
		parts = append(parts, fmt.Sprintf("%s, %s of CPU in the timed slices)", text, units.Seconds(n.CPU)))
	}
	return Row{Name: "needs", Text: strings.Join(parts, ", ") + "; on the program's CPUs, and not in its CPU time"},
		true
}

// Octets writes a number of bytes; few of them are counted one by one.
func Octets(n uint64) string {
	if n < 1000 {
		return units.Plural(int(n), "byte")
	}
	return units.Bytes(float64(n))
}

// Accounts are what became of the requests of each run, with the failures by cause: where something is off, or in full;
// in full also how much each program wrote; and what the programs needed.
func Accounts(runs []record.Run, d Detail) (all []Statement) {
	say := func(i int, r Row) {
		text := About(i, len(runs)) + r.Name + ": " + r.Text
		if r.Note != "" {
			text += " (" + r.Note + ")"
		}
		all = append(all, Statement{Text: text, Tone: Neutral})
	}
	for _, fact := range runFacts {
		for i, r := range runs {
			row, ok := fact(r, d)
			if !ok {
				continue
			}
			say(i, row)
			if row.Name == "requests" {
				for _, cause := range Causes(r.Causes, r.Counts.WrongStatuses) {
					all = append(all, Statement{Text: "error: " + cause.Name + ": " + cause.String(), Tone: Neutral})
				}
			}
		}
	}
	return all
}

// Reason is why a measurement ended. At its end the error has said it in full on standard
// error, with what a program wrote; its first line is enough then.
func Reason(text, id string, d Detail) string {
	first, _, more := strings.Cut(text, "\n")
	if d == Full || !more {
		return text
	}
	return fmt.Sprintf("%s (in full: hone show %s)", strings.TrimSuffix(first, ":"), id)
}
