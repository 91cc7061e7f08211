package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gohone/hone/internal/conduct/loadtest"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/load"
)

// StoredLoad writes what a load test in the ledger printed when it ended. A test that did not end,
// or measured nothing, says so and under which load. latency is the distribution of its
// slices, nil where there are none.
func StoredLoad(w io.Writer, d *loadtest.Stored, latency *hdrhistogram.Histogram) error {
	d = printable.Document(d)
	b := &strings.Builder{}
	if d.Search != nil {
		if err := Search(b, d.Search); err != nil {
			return err
		}
	}
	if d.Summary != nil {
		loadText(b, d.Header, d.Notes, *d.Summary, latency, LoadOptions{File: d.File, Command: d.Command})
		return write(w, b)
	}
	fmt.Fprintf(b, "no result (%s)", d.Status)
	if d.Reason != "" {
		fmt.Fprintf(b, ": %s", plain(d.Reason))
	}
	fmt.Fprintln(b)
	loadConditions(b, d.Header, d.Notes)
	if latency != nil && latency.TotalCount() > 0 {
		fmt.Fprintf(b, "until then:\n%s", bars(loopHeadline(d.Header.Schedule), classes(latency)))
	}
	if line := d.Command.Again().String(); line != "" {
		fmt.Fprintf(b, "next: %s (again)%s\n", line, spec.Unset(line))
	} else {
		fmt.Fprintln(b, "next: "+d.Command.Stored("history"))
	}
	return write(w, b)
}

// loopHeadline names the distribution that speaks for the target.
func loopHeadline(s load.Schedule) string { return LoadLatencyKind(loopOf(s)) }

// loopOf is the word for the loop of a schedule, as recording.Summary has it.
func loopOf(s load.Schedule) string {
	if s.Open() {
		return "open"
	}
	return "closed"
}

// LoadRestsOn is what the percentiles of a load test are of.
func LoadRestsOn(s recording.Summary) string { return "of " + restsOn(s) }

// LoadNext is the command that the report of a stored load test names as the next one. It has a Summary.
func LoadNext(d loadtest.Stored) string {
	return nextOfLoad(*d.Summary, LoadOptions{File: d.File, Command: d.Command})
}

// LoadHistory is the command that shows the measure of a stored load test over time.
func LoadHistory(d loadtest.Stored) string {
	return loadHistory(d.Target, loopOf(d.Header.Schedule), d.Command)
}
