package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/gohone/hone/cmd/hone-metrics/internal/library"
	"github.com/gohone/hone/cmd/hone-metrics/internal/remotewrite"
	"github.com/gohone/hone/internal/program/metrics"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
)

// queryAnswer is a question in PromQL and its answer.
type queryAnswer struct {
	Schema string `json:"schema"`
	// Run is empty for all runs.
	Run  string    `json:"run,omitempty"`
	Expr string    `json:"expr"`
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
	// Step is 0 for one moment.
	Step time.Duration `json:"step_ns,omitempty"`
	library.Answer
}

// writeAnswer writes the answer as a table: a series is a row.
func writeAnswer(w io.Writer, q queryAnswer) error {
	q = printable.Document(q)
	b := &strings.Builder{}
	if q.Step > 0 {
		fmt.Fprintf(b, "%s ... %s in steps of %v\n", clock(q.From), clock(q.To), q.Step)
	} else {
		fmt.Fprintf(b, "at %s\n", clock(q.From))
	}
	switch {
	case q.Kind == "string":
		fmt.Fprintf(b, "%q\n", q.Text)
	case len(q.Series) == 0:
		b.WriteString("no series\n")
	case q.Step > 0:
		table := rightColumns(b)
		fmt.Fprint(table, "last\tmean\tleast\tgreatest\tpoints\t  series\n")
		for _, s := range q.Series {
			last, mean, least, greatest := summary(s)
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%d\t  %s\n", last, mean, least, greatest, len(s.Points), seriesName(s))
		}
		table.Flush()
	default:
		table := rightColumns(b)
		for _, s := range q.Series {
			p := s.Points[len(s.Points)-1]
			value := exact(float64(p.Value))
			if p.Histogram != "" {
				value = p.Histogram
			}
			fmt.Fprintf(table, "%s\t  %s\n", value, seriesName(s))
		}
		table.Flush()
	}
	for _, warning := range q.Warnings {
		fmt.Fprintf(b, "note: %s\n", warning)
	}
	return write(w, b)
}

func clock(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05.000 MST") }

func seriesName(s library.Series) string {
	if s.Name == "" {
		return "(no labels)"
	}
	return s.Name
}

// summary is the last value of a series, the mean of all, and their bounds; values that
// are no numbers are in none but the last.
func summary(s library.Series) (last, mean, least, greatest string) {
	sum, n, low, high := 0.0, 0, math.Inf(1), math.Inf(-1)
	for _, p := range s.Points {
		v := float64(p.Value)
		if math.IsNaN(v) {
			continue
		}
		sum, n, low, high = sum+v, n+1, min(low, v), max(high, v)
	}
	last = exact(float64(s.Points[len(s.Points)-1].Value))
	if n == 0 {
		return last, "-", "-", "-"
	}
	return last, exact(sum / float64(n)), exact(low), exact(high)
}

// exact writes whole numbers in full, others with six digits.
func exact(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

// writeRuns writes a line for each run that has time series.
func writeRuns(w io.Writer, runs []metrics.Recorded) error {
	runs = printable.Document(runs)
	if len(runs) == 0 {
		_, err := fmt.Fprintln(w, "no run has time series; hone run records them")
		return err
	}
	for _, r := range runs {
		note := ""
		if r.Part {
			note = "  (goes on, or died)"
		}
		if _, err := fmt.Fprintf(w, "%s%s\n", r.Run, note); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "next: hone metrics query '{__name__=~\".+\"}' --run %s --at -0s\n", runs[0].Run)
	return err
}

// writeServed says where hone serves the series of all runs, and which token other
// machines need; empty if none reaches it.
func writeServed(w io.Writer, address, token string) error {
	address, token = printable.Document(address), printable.Document(token)
	needs := ""
	if token != "" {
		needs = "from other machines: with the header Authorization: Bearer " + token + "\n"
	}
	_, err := fmt.Fprintf(w,
		"Prometheus' API: http://%s (Grafana: a data source of type Prometheus with this URL)\n"+
			"hone's own metrics: http://%s/metrics\n%sCtrl-C ends it\n", address, address, needs)
	return err
}

// writePruned says how many runs lost their series.
func writePruned(w io.Writer, removed int) error {
	_, err := fmt.Fprintf(w, "removed the time series of %d runs; the runs themselves are kept\n", removed)
	return err
}

// writePushed says what a store has taken.
func writePushed(w io.Writer, run, to string, s remotewrite.Stats) error {
	run, to, s = printable.Document(run), printable.Document(to), printable.Document(s)
	_, err := fmt.Fprintf(w,
		"sent %d series of run %s to %s: %d samples and %d histograms in %d requests, %d of them again\n",
		s.Series, run, to, s.Samples, s.Histograms, s.Batches, s.Retries)
	return err
}

// writeGC writes what a program's own metrics say of its collector.
func writeGC(w io.Writer, line []library.GC) error {
	line = printable.Document(line)
	b := &strings.Builder{}
	table := rightColumns(b)
	fmt.Fprint(table,
		"at\trequests/s\tGC cycles/s\tGC of CPU\tmean pause\tlongest of late\theap "+
			"allocated\tgoal\tallocated/s\tgoroutines\t\n")
	known := func(n library.Number, text func(float64) string) string {
		if math.IsNaN(float64(n)) {
			return "-"
		}
		return text(float64(n))
	}
	nanos := func(s float64) string { return units.Nanos(s * 1e9) }
	for _, g := range line {
		fmt.Fprintf(table, "%.2f s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", g.At.Sub(line[0].At).Seconds(),
			known(g.Requests, units.Digits), known(g.Cycles, units.Digits),
			known(g.Share, func(v float64) string { return fmt.Sprintf("%.1f %%", 100*v) }),
			known(g.MeanPause, nanos), known(g.LongestPause, nanos), known(g.HeapInUse, units.Bytes),
			known(g.HeapGoal, units.Bytes),
			known(g.AllocBytes, units.Bytes), known(g.Goroutines, exact))
	}
	table.Flush()
	b.WriteString("note: measured by the program's own metrics; hone shows more of a program that has the probe " +
		"(without --no-inject)\n")
	return write(w, b)
}

// write hands over a text that is finished.
func write(w io.Writer, b *strings.Builder) error {
	_, err := io.WriteString(w, b.String())
	return err
}

// rightColumns is a table; writing it to a strings.Builder does not fail.
func rightColumns(w io.Writer) *tabwriter.Writer {
	return tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
}
