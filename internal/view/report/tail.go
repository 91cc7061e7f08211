package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
)

// Traced is what is known of a run whose requests were traced: its latency under load, and its findings. Each is nil
// where it is not known.
type Traced struct {
	Load  *record.Latency
	Found *advice.Findings
}

// Tail writes where the time of the typical request and of a slow one goes; slow is the cohort that
// is shown beside the typical one, nil if there is none.
func Tail(w io.Writer, d *walltime.Digest, slow *walltime.Cohort, of Traced) error {
	d, slow, of.Found = printable.Document(d), printable.Document(slow), printable.Document(of.Found)
	b := &strings.Builder{}
	typical := d.Cohort(walltime.TypicalName)
	fmt.Fprintln(b, model.WaitCheck(d))
	if d.Note != "" {
		fmt.Fprintf(b, "note: %s\n", d.Note)
	}
	if typical == nil || slow == nil || d.Joined == 0 {
		return write(w, b)
	}
	b.WriteString("\n")
	tailTable(b, typical, slow)
	statementTables(b, d, typical, slow)
	b.WriteString("\n")
	fmt.Fprintf(b, "time: %s\n", of.typicalSentence(typical))
	fmt.Fprintf(b, "tail: %s\n", of.tailSentence(d, typical, slow, tailCauses))
	of.endpointSentences(b, d)
	for _, text := range model.SQLSentences(d, typical, slow, of.Found) {
		fmt.Fprintf(b, "sql: %s\n", text)
	}
	for i, one := range d.Slowest {
		timeLine(b, i, one)
	}
	return write(w, b)
}

// endpointSentences say the same of each endpoint where the load has several: all of them together are slow where one
// is.
func (of Traced) endpointSentences(b *strings.Builder, d *walltime.Digest) {
	one := Traced{Found: of.Found} // the latency of a single endpoint under load is not known
	for i := range d.Endpoints {
		e := &d.Endpoints[i]
		its := &walltime.Digest{Requests: e.Requests, Causes: e.Causes, Outside: e.Outside}
		name := model.EndpointName(d, e)
		fmt.Fprintf(b, "%s: time: %s\n", name, one.typicalSentence(&e.Typical))
		fmt.Fprintf(b, "%s: tail: %s\n", name, one.tailSentence(its, &e.Typical, &e.Slow, tailCauses))
	}
}

// waitLines are the lines of a run: what its typical request is made of, what slow ones spend more time on, and which
// statement of SQL takes much of it; none where no trace says so.
func (of Traced) waitLines(d *walltime.Digest) []string {
	if d == nil || d.Joined == 0 {
		return nil
	}
	typical, slow := d.Cohort(walltime.TypicalName), d.Cohort(walltime.SlowName)
	if typical == nil || slow == nil {
		return nil
	}
	lines := []string{"time: " + of.typicalSentence(typical), "tail: " + of.tailSentence(d, typical, slow, tailCauses)}
	for _, text := range model.SQLSentences(d, typical, slow, of.Found) {
		lines = append(lines, "sql: "+text)
	}
	return lines
}

const (
	// tailCauses is how many causes the sentence of a tail names.
	tailCauses = 3
)

func tailTable(b *strings.Builder, typical, slow *walltime.Cohort) {
	unit := units.Nanoseconds.Pick(typical.LatencyNanos, slow.LatencyNanos)
	table := leftColumns(b)
	cell := func(ns, whole float64) string { return shareCell(ns, whole, unit) }
	fmt.Fprintf(table, "%s per request\t%s\t%s\t\n", unit.Name, model.CohortTitle(typical), model.CohortTitle(slow))
	fmt.Fprintf(table, "requests\t%s\t%s\t\n", units.Count(uint64(typical.Requests)),
		units.Count(uint64(slow.Requests)))
	fmt.Fprintf(table, "latency\t%s\t%s\t\n", units.Digits(typical.LatencyNanos/unit.Scale),
		units.Digits(slow.LatencyNanos/unit.Scale))
	for _, row := range model.WaitRows {
		of, with := model.StateSum(typical, row.State), model.StateSum(slow, row.State)
		if of < model.PartShare/2*typical.LatencyNanos && with < model.PartShare/2*slow.LatencyNanos {
			continue
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t\n", row.Title, cell(of, typical.LatencyNanos), cell(with, slow.LatencyNanos))
		for _, p := range model.LargestParts(typical, slow, row.State) {
			fmt.Fprintf(table, "  %s\t%s\t%s\t\n", facts.Phrase(p.Label), cell(p.Typical, typical.LatencyNanos),
				cell(p.Slow, slow.LatencyNanos))
		}
	}
	table.Flush()
}

// shareCell is a time in a unit, and its share of the whole.
func shareCell(ns, whole float64, unit units.Unit) string {
	if ns == 0 {
		return "-"
	}
	return fmt.Sprintf("%s %3.0f %%", units.Digits(ns/unit.Scale), 100*ns/whole)
}

// statementTables say how much of both requests is work on which statement of SQL, of each endpoint where the load
// has several.
func statementTables(b *strings.Builder, d *walltime.Digest, typical, slow *walltime.Cohort) {
	for i := range d.Endpoints {
		e := &d.Endpoints[i]
		if len(model.LargestStatements(&e.Typical, &e.Slow)) > 0 {
			endpointHead(b, e)
			partsTable(b, "statement of SQL", &e.Typical, &e.Slow)
		}
	}
	if len(d.Endpoints) > 0 {
		return
	}
	if len(model.LargestStatements(typical, slow)) > 0 {
		b.WriteString("\nof it in statements of SQL:\n")
		partsTable(b, "statement", typical, slow)
	}
}

// partsTable has the time and the calls of each statement or span in both requests.
func partsTable(b *strings.Builder, of string, typical, slow *walltime.Cohort) {
	unit := units.Nanoseconds.Pick(typical.LatencyNanos, slow.LatencyNanos)
	table := leftColumns(b)
	fmt.Fprintf(table, "typical, %s\tcalls\tslow, %s\tcalls\t%s\n", unit.Name, unit.Name, of)
	for _, s := range model.LargestStatements(typical, slow) {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n",
			shareCell(s.Typical.Nanos, typical.LatencyNanos, unit), model.CallsText(typical, &s.Typical),
			shareCell(s.Slow.Nanos, slow.LatencyNanos, unit), model.CallsText(slow, &s.Slow), s.Text())
	}
	table.Flush()
}

// typicalSentence says what the typical request's time is made of.
func (of Traced) typicalSentence(c *walltime.Cohort) string {
	whole, queue := c.LatencyNanos, c.Queued()
	with := model.TracedRun(c, of.Load)
	if !c.Busy() {
		return fmt.Sprintf("p50 %s = %s%s", units.Nanos(whole), strings.Join(of.partTexts(c, whole, ""), ", "), with)
	}
	text := facts.StateWord(walltime.Runnable)
	if p := largestOf(c, walltime.Runnable); p.Nanos >= queue/2 {
		text = model.CauseText(of.Found, p.Label)
	}
	return fmt.Sprintf("p50 %s = %.0f %% without a wait for a processor (%s), and %.0f %% %s: the load keeps the "+
		"processors busy%s", units.Nanos(whole),
		100*(whole-queue)/whole, strings.Join(of.partTexts(c, whole-queue, walltime.Runnable), ", "), 100*queue/whole,
		text, with)
}

// partTexts are the parts of a cohort with their shares of whole, the largest first, without those of one state: of
// each state the cause that is half of it by its own share, and the rest.
func (of Traced) partTexts(c *walltime.Cohort, whole float64, without walltime.State) (parts []string) {
	type share struct {
		sum  float64
		text string
	}
	var all []share
	for _, row := range model.WaitRows {
		sum := model.StateSum(c, row.State)
		if row.State == without || sum < model.LeastSaid*whole {
			continue
		}
		rest, text := sum, facts.StateWord(row.State)
		if p := largestOf(c, row.State); p != nil && p.Nanos >= sum/2 && facts.Phrase(p.Label) != "" {
			all, rest, text = append(all, share{p.Nanos, model.CauseText(of.Found, p.Label)}), sum-p.Nanos, "other "+text
		}
		if rest >= model.LeastSaid*whole {
			all = append(all, share{rest, text})
		}
	}
	slices.SortStableFunc(all, func(a, b share) int { return cmp.Compare(b.sum, a.sum) })
	for _, s := range all {
		parts = append(parts, fmt.Sprintf("%.0f %% %s", 100*s.sum/whole, s.text))
	}
	return parts
}

// largestOf is the cause that takes most of a state; nil of none.
func largestOf(c *walltime.Cohort, s walltime.State) *walltime.Part {
	all := c.ByCause() // the largest first
	if i := slices.IndexFunc(all, func(p walltime.Part) bool { return p.State == s }); i >= 0 {
		return &all[i]
	}
	return nil
}

// tailSentence says what slow requests spend more time on than typical ones.
func (of Traced) tailSentence(d *walltime.Digest, typical, slow *walltime.Cohort, most int) string {
	differ := slow.LatencyNanos - typical.LatencyNanos
	name := fmt.Sprintf("p%g", slow.From)
	if slow.Requests == 1 { // too few for the percentile
		name = "slowest"
	}
	text := fmt.Sprintf("%s - p50 = %s", name, units.Nanos(differ))
	if differ <= 0 {
		return text
	}
	return text + ": " + of.causesText(model.CausesSaid(d), most, model.UnjoinedShare(typical, slow)) +
		fmt.Sprintf(" (%s seen, %s slow%s)",
			plural(d.Requests, "request"), units.Count(uint64(slow.Requests)), notSeen(d, slow)) +
		model.TracedRun(slow, of.Load)
}

// notSeen says how many slow requests the trace says nothing of; empty for none.
func notSeen(d *walltime.Digest, slow *walltime.Cohort) (text string) {
	if slow.Unjoined > 0 {
		text = fmt.Sprintf(", %s of them not found in the trace", units.Count(uint64(slow.Unjoined)))
	}
	if d.CutSlow > 0 {
		share := 100 * float64(d.CutSlow) / float64(d.CutSlow+slow.Requests)
		text += fmt.Sprintf("; %.0f %% of the slow requests began before the trace or ended after it and are left out",
			share)
	}
	return text
}

// causesText lists causes with their shares of a difference, how much belongs to requests that are not found in the
// trace, and how much is left open. Where one cause is more than the difference, since others got shorter, it lists
// times.
func (of Traced) causesText(causes []walltime.Cause, most int, missed float64) string {
	var parts []string
	left := 1.0
	if len(causes) > 0 && causes[0].Share > 1+model.LeastSaid {
		for _, c := range causes[:min(most, len(causes))] {
			if c.Share >= model.LeastSaid {
				parts = append(parts, fmt.Sprintf("%s more %s", units.Nanos(c.Nanos), model.CauseText(of.Found, c.Label)))
				left -= c.Share
			}
		}
		return strings.Join(parts, "; ") + fmt.Sprintf("; other parts take %s less",
			units.Nanos(-left*causes[0].Nanos/causes[0].Share))
	}
	for _, c := range causes[:min(most, len(causes))] {
		parts = append(parts, fmt.Sprintf("%.0f %% %s", 100*c.Share, model.CauseText(of.Found, c.Label)))
		left -= c.Share
	}
	if missed >= model.LeastSaid {
		parts = append(parts, fmt.Sprintf("%.0f %% %s", 100*missed, facts.StateWord(facts.Unjoined)))
		left -= missed
	}
	if left >= model.LeastSaid || len(parts) == 0 {
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
		fmt.Fprintf(table, "at %s\t%s\t\t%s\n", units.Nanos(float64(s.At)), units.Nanos(float64(s.Nanos)),
			facts.PartText(s.Label))
	}
	table.Flush()
	if rest > 0 {
		fmt.Fprintf(b, "and %s in steps below %.0f %% of the request\n", units.Nanos(float64(rest)), 100*stepShare)
	}
}

// stepShare is the share of a request from which on a step of its time line is shown.
const stepShare = 0.01
