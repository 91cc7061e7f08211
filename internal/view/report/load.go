package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/loadtests"
	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/model/loadtest"
)

// Load writes the report on a load test: whether the measurement can be trusted, rates, latencies, what was answered
// and what went wrong; in full also its conditions and the account. Of one that measured nothing it has the check.
// latency is the distribution that speaks for the target; nil where there is none.
func Load(w io.Writer, d *loadtests.Document, latency *hdrhistogram.Histogram, detail model.Detail) error {
	d = printable.Document(d)
	t := loadtest.LoadTestOf(d)
	b := &strings.Builder{}
	if detail == model.Brief {
		briefLoad(b, t, d)
		return writeNarrow(w, b)
	}
	fullLoad(b, t, d, latency)
	return write(w, b)
}

func fullLoad(b *strings.Builder, t *loadtest.LoadTest, d *loadtests.Document, latency *hdrhistogram.Histogram) {
	if d.Search != nil {
		search(b, d.Search)
	}
	if t.Check.Tone == model.Good {
		folded(b, t.Check.Text)
	} else {
		fmt.Fprintln(b, t.Check)
	}
	say(b, t.Doubts)
	wrapped(b, "under: ", "; ", t.Under)
	say(b, t.Notes)
	if s := d.Summary; s != nil {
		loadNumbers(b, t, s, latency)
	} else if latency != nil && latency.TotalCount() > 0 {
		fmt.Fprintf(b, "until then:\n%s", bars(t.Kind, classes(latency)))
	}
	fmt.Fprintf(b, "next: %s%s\n", t.Next, spec.Unset(t.Next.Line))
}

// loadNumbers writes what a load test measured.
func loadNumbers(b *strings.Builder, t *loadtest.LoadTest, s *recording.Summary, latency *hdrhistogram.Histogram) {
	fmt.Fprintln(b)
	for _, r := range t.Account {
		name := r.Name
		if name != "" {
			name += ":"
		}
		fmt.Fprintf(b, "%-9s %s\n", name, r)
	}
	fmt.Fprintln(b, t.Published)
	columns(b, t.Rates)
	fmt.Fprintln(b)
	if len(t.Latencies) == 0 {
		fmt.Fprintln(b, "latency: no request was answered right")
	} else {
		latencyTable(b, t, s)
		fmt.Fprintf(b, "\n%s", bars(t.Kind, classes(latency)))
	}
	fmt.Fprintln(b)
	for _, r := range t.Codes {
		fmt.Fprintf(b, "%s: %s\n", r.Name, r)
	}
	writeCauses(b, t.Errors)
	if len(t.Errors) == 0 {
		fmt.Fprintln(b, "errors: none")
	}
	targetTable(b, s.Targets)
	stageTable(b, s)
	for _, r := range t.Generator {
		folded(b, r.Name+": "+r.Text)
	}
	say(b, t.Thresholds)
	if t.Show.Line != "" {
		fmt.Fprintf(b, "run %s is in the ledger: %s, %s\n", s.Run, t.Show, t.History.Line)
	}
}

// search writes how the highest rate was found: the answer first, then the rates that were tried.
func search(b *strings.Builder, s *loadtests.Search) {
	answer := loadtest.SearchOf(s)
	fmt.Fprintln(b, answer.Text)
	if answer.Note != "" {
		fmt.Fprintln(b, "note: "+answer.Note)
	}
	tw := leftColumns(b)
	fmt.Fprintln(tw, "  rate\tanswered\tp50\tp99\theld")
	for _, p := range s.Probes {
		held := "yes"
		if p.Disturbed {
			held = "disturbed: " + p.Why
		} else if !p.Held {
			held = "no: " + p.Why
		}
		fmt.Fprintf(tw, "  %s\t%s\t%s\t%s\t%s\n", units.Rate(p.RateHz), units.Rate(p.AchievedHz),
			model.PercentileText(p.P50, 50, p.Count), model.PercentileText(p.P99, 99, p.Count), held)
	}
	tw.Flush()
	fmt.Fprintln(b)
}

// closedLoopNote is said wherever a closed loop shows a latency: it is not what a user would wait.
const closedLoopNote = "closed loop: service time; a slow target lowers the rate instead of raising latency,\n" +
	"use --rate for response time"

// latencyTable has a row for each distribution and a column for each quantile.
func latencyTable(b *strings.Builder, t *loadtest.LoadTest, s *recording.Summary) {
	tw := rightColumns(b)
	fmt.Fprint(tw, "\t")
	for _, q := range s.Latency.Quantiles() {
		fmt.Fprintf(tw, "%s\t", q.Name)
	}
	fmt.Fprintln(tw)
	for _, l := range t.Latencies {
		fmt.Fprintf(tw, "%-13s\t", l.Name)
		for _, q := range l.Quantiles() {
			fmt.Fprintf(tw, "%s\t", model.QuantileText(q))
		}
		fmt.Fprintln(tw)
	}
	tw.Flush()
	fmt.Fprintf(b, "%s: %s, mean %s, standard deviation %s, min %s\n", t.Kind, t.Latencies[0].Of,
		units.Nanos(float64(s.Latency.Mean)), units.Nanos(float64(s.Latency.StdDev)),
		units.Nanos(float64(s.Latency.Min)))
	for _, r := range t.Streams {
		fmt.Fprintf(b, "%s: %s, %s\n", r.Name, r.Note, r.Text)
	}
	if few := unresolvedOf(s.Latency); few != "" {
		fmt.Fprintln(b, few)
	}
	if age := s.Latencies.Age; age != nil {
		fmt.Fprintf(b, "in it: %s requests given up at the end, at their age (up to %s)\n",
			units.Count(uint64(age.Count)), units.Nanos(float64(age.Max)))
	}
	if s.Loop == "closed" {
		fmt.Fprintln(b, closedLoopNote)
	}
}
