package report

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
)

// Tail writes where the time of the typical request and of a slow one goes; slow is the cohort that
// is shown beside the typical one, nil if there is none.
func Tail(w io.Writer, d *walltime.Digest, slow *walltime.Cohort) error {
	d, slow = printable.Document(d), printable.Document(slow)
	b := &strings.Builder{}
	typical := d.Cohort(walltime.TypicalName)
	fmt.Fprintln(b, TailCheck(d))
	if d.Note != "" {
		fmt.Fprintf(b, "note: %s\n", d.Note)
	}
	if typical == nil || slow == nil || d.Joined == 0 {
		return write(w, b)
	}
	b.WriteString("\n")
	tailTable(b, typical, slow)
	b.WriteString("\n")
	fmt.Fprintf(b, "time: %s\n", typicalSentence(typical))
	fmt.Fprintf(b, "tail: %s\n", tailSentence(d, typical, slow, tailCauses))
	for i, one := range d.Slowest {
		timeLine(b, i, one)
	}
	return write(w, b)
}

// waitLines are the two lines of a run: what its typical request is made of, and what slow ones
// spend more time on; none where no trace says so.
func waitLines(d *walltime.Digest) []string {
	if d == nil || d.Joined == 0 {
		return nil
	}
	typical, slow := d.Cohort(walltime.TypicalName), d.Cohort(walltime.SlowName)
	if typical == nil || slow == nil {
		return nil
	}
	return []string{"time: " + typicalSentence(typical), "tail: " + tailSentence(d, typical, slow, tailCauses)}
}

// TailCheck says on what a digest rests.
func TailCheck(d *walltime.Digest) string {
	if d.Requests == 0 {
		return "no request ended during the trace: load the service while it is traced"
	}
	if d.Method == walltime.Unseen {
		return fmt.Sprintf("the work on %s was not found in the trace: hone knows services with a goroutine for each connection, "+
			"a goroutine for each request, or an event loop that calls the kernel's poll", plural(d.Requests, "request"))
	}
	return fmt.Sprintf("%s in %s of trace, the work on %s of them found by %s",
		plural(d.Requests, "request"), units.Nanos(float64(d.TraceNanos)), units.Count(uint64(d.Joined)), d.Method)
}

// tailRows are the rows of the table, in the order in which a request meets them.
var tailRows = []struct {
	state walltime.State
	title string
}{
	{walltime.Unsent, "due and not sent yet"},
	{walltime.Before, "network and kernel, before"},
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
	{unjoined, "of requests that are not found in the trace"},
}

// unjoined stands for what is unexplained since the work on the request was not found in the trace.
const unjoined walltime.State = "unjoined"

const (
	// rowParts is how many parts of a row get a line of their own, partShare the share of a latency
	// that a part has to have for it.
	rowParts  = 3
	partShare = 0.02
	// tailCauses is how many causes the sentence of a tail names.
	tailCauses = 3
)

func tailTable(b *strings.Builder, typical, slow *walltime.Cohort) {
	unit := units.Nanoseconds.Pick(typical.LatencyNanos, slow.LatencyNanos)
	table := leftColumns(b)
	cell := func(ns, whole float64) string {
		if ns == 0 {
			return "-"
		}
		return fmt.Sprintf("%s %3.0f %%", units.Digits(ns/unit.Scale), 100*ns/whole)
	}
	fmt.Fprintf(table, "%s per request\t%s\t%s\t\n", unit.Name, CohortTitle(typical), CohortTitle(slow))
	fmt.Fprintf(table, "requests\t%s\t%s\t\n", units.Count(uint64(typical.Requests)), units.Count(uint64(slow.Requests)))
	fmt.Fprintf(table, "latency\t%s\t%s\t\n", units.Digits(typical.LatencyNanos/unit.Scale), units.Digits(slow.LatencyNanos/unit.Scale))
	for _, row := range tailRows {
		of, with := stateSum(typical, row.state), stateSum(slow, row.state)
		if of < partShare/2*typical.LatencyNanos && with < partShare/2*slow.LatencyNanos {
			continue
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t\n", row.title, cell(of, typical.LatencyNanos), cell(with, slow.LatencyNanos))
		for _, p := range largestParts(typical, slow, row.state) {
			fmt.Fprintf(table, "  %s\t%s\t%s\t\n", phrase(p.label), cell(p.typical, typical.LatencyNanos), cell(p.slow, slow.LatencyNanos))
		}
	}
	table.Flush()
}

func stateSum(c *walltime.Cohort, s walltime.State) (sum float64) {
	switch s {
	case unjoined:
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

// bothParts is a part in both columns.
type bothParts struct {
	label         walltime.Label
	typical, slow float64
}

// largestParts are the parts of a row that are worth a line, by what they read as.
func largestParts(typical, slow *walltime.Cohort, s walltime.State) []bothParts {
	var all []*bothParts
	byText := map[string]*bothParts{}
	for i, c := range []*walltime.Cohort{slow, typical} {
		for _, p := range c.Parts {
			text := phrase(p.Label)
			if p.State != s || text == "" {
				continue
			}
			one := byText[text]
			if one == nil {
				one = &bothParts{label: p.Label}
				byText[text] = one
				all = append(all, one)
			}
			if i == 0 {
				one.slow += p.Nanos
			} else {
				one.typical += p.Nanos
			}
		}
	}
	share := func(p *bothParts) float64 { return max(p.typical/typical.LatencyNanos, p.slow/slow.LatencyNanos) }
	slices.SortStableFunc(all, func(a, b *bothParts) int {
		switch x, y := share(a), share(b); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	var kept []bothParts
	for _, p := range all[:min(rowParts, len(all))] {
		if share(p) >= partShare {
			kept = append(kept, *p)
		}
	}
	return kept
}

// phrase says where time of a state was spent, by the user's line where there is one; "" where the
// state says it all.
func phrase(l walltime.Label) string {
	own := callText(l.Call)
	if l.Behind == nil {
		return own
	}
	behind := behindText(*l.Behind)
	switch l.State {
	case walltime.Runnable:
		return "behind " + behind
	case walltime.Lock:
		if l.Behind.State == walltime.Requests || l.Behind.State == walltime.Runnable {
			return own + ", whose holder waited to run"
		}
		return joined(own, ", held across ", behind)
	case walltime.Network:
		return own
	case walltime.Collector:
		return own
	}
	return joined(own, ", behind ", behind)
}

func joined(own, word, behind string) string {
	if own == "" || behind == "" {
		return own + behind
	}
	return own + word + behind
}

// callText names a call: the library's and the line of the user's that made it.
func callText(c walltime.Call) string {
	name := c.Library
	if c.State == walltime.Network && c.Outer != "" {
		name = c.Outer // the user's call of a client; the inside of the client says less
	}
	switch {
	case c.Function == "":
		return short(name)
	case c.State == walltime.Running || name == "":
		return short(c.Function) + " " + sourceLine(c)
	}
	return short(name) + " " + sourceLine(c)
}

// behindText names what was waited for.
func behindText(c walltime.Call) string {
	text := callText(c)
	switch c.State {
	case walltime.Requests:
		if text == "" {
			return "other requests"
		}
		return "other requests in " + text
	case walltime.Collector:
		return "the garbage collector"
	case walltime.Observer:
		return "the trace itself"
	case walltime.Runnable:
		return "a goroutine that waited to run"
	case walltime.Lock, walltime.Channel:
		return joined("a wait in ", "", text)
	}
	if text == "" {
		return "the runtime"
	}
	return text
}

// short leaves out the path of a package: net/http.(*Client).Do is http.(*Client).Do.
func short(function string) string {
	slash := strings.LastIndexByte(function, '/')
	return function[slash+1:]
}

func sourceLine(c walltime.Call) string { return fmt.Sprintf("%s:%d", baseOf(c.File), c.Line) }

func baseOf(file string) string { return path.Base(file) }

// stateWord is a state in a sentence.
func stateWord(s walltime.State) string {
	switch s {
	case walltime.Before:
		return "network and kernel before the program"
	case walltime.After:
		return "network, kernel and client after it"
	case walltime.Unsent:
		return "due and not sent yet"
	case walltime.Runnable:
		return "waiting to run"
	case walltime.Channel:
		return "channels and groups"
	case walltime.Syscall:
		return "system call"
	case walltime.Network:
		return "backend"
	case walltime.Collector:
		return "garbage collector"
	case walltime.Unexplained:
		return "not explained"
	case unjoined:
		return "of requests that are not found in the trace"
	}
	return string(s)
}

// PartText is a part in a sentence: its state and where.
func PartText(l walltime.Label) string {
	text := phrase(l)
	switch {
	case text == "":
		return stateWord(l.State)
	case l.State == walltime.Channel:
		return "waiting in " + text
	}
	return stateWord(l.State) + " " + text
}

// typicalSentence says what the typical request's time is made of.
func typicalSentence(c *walltime.Cohort) string {
	type share struct {
		state walltime.State
		sum   float64
	}
	var all []share
	for _, row := range tailRows {
		if sum := stateSum(c, row.state); sum >= leastSaid*c.LatencyNanos {
			all = append(all, share{row.state, sum})
		}
	}
	slices.SortStableFunc(all, func(a, b share) int {
		if a.sum > b.sum {
			return -1
		}
		return 1
	})
	var parts []string
	for _, s := range all {
		text := stateWord(s.state)
		if p := largestOf(c, s.state); p != nil && p.Nanos >= s.sum/2 && phrase(p.Label) != "" {
			text = PartText(p.Label)
		}
		parts = append(parts, fmt.Sprintf("%.0f %% %s", 100*s.sum/c.LatencyNanos, text))
	}
	return fmt.Sprintf("p50 %s = %s", units.Nanos(c.LatencyNanos), strings.Join(parts, ", "))
}

// leastSaid is the share of a latency from which on a sentence names a state.
const leastSaid = 0.05

func largestOf(c *walltime.Cohort, s walltime.State) *walltime.Part {
	for i := range c.Parts { // the largest first
		if c.Parts[i].State == s {
			return &c.Parts[i]
		}
	}
	return nil
}

// tailSentence says what slow requests spend more time on than typical ones.
func tailSentence(d *walltime.Digest, typical, slow *walltime.Cohort, most int) string {
	differ := slow.LatencyNanos - typical.LatencyNanos
	name := fmt.Sprintf("p%g", slow.From)
	if slow.Requests == 1 { // too few for the percentile
		name = "slowest"
	}
	text := fmt.Sprintf("%s - p50 = %s", name, units.Nanos(differ))
	if differ <= 0 {
		return text
	}
	return text + ": " + causesText(d.Causes, most, unjoinedShare(typical, slow)) + fmt.Sprintf(" (%s seen, %s slow%s)",
		plural(d.Requests, "request"), units.Count(uint64(slow.Requests)), notSeen(d, slow))
}

// unjoinedShare is the part of the difference of two cohorts that requests make whose work was not found in the trace.
func unjoinedShare(typical, slow *walltime.Cohort) float64 {
	return max(0, (slow.UnjoinedNanos-typical.UnjoinedNanos)/(slow.LatencyNanos-typical.LatencyNanos))
}

// notSeen says how many slow requests the trace says nothing of; empty for none.
func notSeen(d *walltime.Digest, slow *walltime.Cohort) (text string) {
	if slow.Unjoined > 0 {
		text = fmt.Sprintf(", %s of them not found in the trace", units.Count(uint64(slow.Unjoined)))
	}
	if d.CutSlow > 0 {
		share := 100 * float64(d.CutSlow) / float64(d.CutSlow+slow.Requests)
		text += fmt.Sprintf("; %.0f %% of the slow requests began before the trace or ended after it and are left out", share)
	}
	return text
}

// causesText lists causes with their shares of a difference, how much belongs to requests that are not found in the trace, and
// how much is left open. Where one cause is more than the difference, since others got shorter, it lists times.
func causesText(causes []walltime.Cause, most int, missed float64) string {
	var parts []string
	left := 1.0
	if len(causes) > 0 && causes[0].Share > 1+leastSaid {
		for _, c := range causes[:min(most, len(causes))] {
			if c.Share >= leastSaid {
				parts = append(parts, fmt.Sprintf("%s more %s", units.Nanos(c.Nanos), PartText(c.Label)))
				left -= c.Share
			}
		}
		return strings.Join(parts, "; ") + fmt.Sprintf("; other parts take %s less", units.Nanos(-left*causes[0].Nanos/causes[0].Share))
	}
	for _, c := range causes[:min(most, len(causes))] {
		if c.Share < leastSaid && len(parts) > 0 {
			break
		}
		parts = append(parts, fmt.Sprintf("%.0f %% %s", 100*c.Share, PartText(c.Label)))
		left -= c.Share
	}
	if missed >= leastSaid {
		parts = append(parts, fmt.Sprintf("%.0f %% %s", 100*missed, stateWord(unjoined)))
		left -= missed
	}
	if left >= leastSaid || len(parts) == 0 {
		parts = append(parts, fmt.Sprintf("%.0f %% in smaller parts or not explained", 100*left))
	}
	return strings.Join(parts, "; ")
}

// timeLine writes one request, moment by moment. Steps that are very short are left out.
func timeLine(b *strings.Builder, i int, t walltime.TimeLine) {
	fmt.Fprintf(b, "\nslow request %d: %s\n", i+1, units.Nanos(float64(t.LatencyNanos)))
	table := rightColumns(b)
	rest := int64(0)
	for _, s := range t.Steps {
		if float64(s.Nanos) < stepShare*float64(t.LatencyNanos) {
			rest += s.Nanos
			continue
		}
		fmt.Fprintf(table, "at %s\t%s\t\t%s\n", units.Nanos(float64(s.At)), units.Nanos(float64(s.Nanos)), PartText(s.Label))
	}
	table.Flush()
	if rest > 0 {
		fmt.Fprintf(b, "and %s in steps below %.0f %% of the request\n", units.Nanos(float64(rest)), 100*stepShare)
	}
}

// stepShare is the share of a request from which on a step of its time line is shown.
const stepShare = 0.01
