package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/gohone/hone/internal/gctrace"
	"github.com/gohone/hone/internal/lab"
	"github.com/gohone/hone/internal/units"
)

// timelineRows is how many rows a timeline has on a terminal.
const timelineRows = 20

// collector is what a run says of the Go runtime: the parts of its line.
func collector(s *lab.RuntimeSummary) []string {
	var parts []string
	if s.GCShare != nil {
		text := fmt.Sprintf("%s %% of the CPU", units.Digits(100**s.GCShare))
		if *s.AssistShare >= 0.0005 {
			text += fmt.Sprintf(" (%s %% by assists)", units.Digits(100**s.AssistShare))
		}
		parts = append(parts, text)
	}
	parts = append(parts, fmt.Sprintf("%s cycles/s", units.Digits(float64(s.Cycles)/s.Time.Seconds())))
	if s.Pauses.Count > 0 {
		parts = append(parts, "pauses "+spans(s.Pauses))
	}
	return append(parts, "heap "+units.Bytes(float64(s.HeapLiveBytes))+" live, goal "+units.Bytes(float64(s.HeapGoalBytes)))
}

// scheduler is the same of its goroutines.
func scheduler(s *lab.RuntimeSummary) []string {
	parts := []string{"up to " + units.Count(s.Goroutines)}
	if s.Waits.Count > 0 {
		parts = append(parts, "waits for a processor "+spans(s.Waits))
	}
	return parts
}

func spans(s lab.Spans) string {
	return fmt.Sprintf("p50 %s p99 %s max %s", nanosOf(s.P50), nanosOf(s.P99), nanosOf(s.Max))
}

func nanosOf(d time.Duration) string { return units.Nanos(float64(d)) }

// Timeline writes what the runtime did over the time of a run; sum may be nil.
func Timeline(w io.Writer, t lab.Timeline, sum *lab.RuntimeSummary) error {
	b := &strings.Builder{}
	if sum != nil {
		fmt.Fprintf(b, "collector: %s\ngoroutines: %s\n\n", strings.Join(collector(sum), ", "), strings.Join(scheduler(sum), ", "))
	}
	table := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "at\trequests/s\tGC cycles/s\tGC of CPU\tlongest pause\theap live\tgoal\tallocated\tgoroutines\tlongest wait\t\n")
	for _, m := range t.Rows(timelineRows) {
		share := "-"
		if s, known := m.GCShare(); known {
			share = fmt.Sprintf("%.1f %%", 100*s)
		}
		fmt.Fprintf(table, "%.2f s\t%s\t%s\t%s\t%s\t%s\t%s\t%s/s\t%d\t%s\t\n", m.At.Seconds(),
			units.Digits(m.PerSecond(m.Requests)), units.Digits(m.PerSecond(m.GCCycles)), share, longestOf(m.Pauses),
			units.Bytes(float64(m.HeapLiveBytes)), units.Bytes(float64(m.HeapGoalBytes)), units.Bytes(m.PerSecond(m.AllocBytes)),
			m.Goroutines, longestOf(m.Waits))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if len(t.Slices) > timelineRows {
		fmt.Fprintf(b, "%d slices in groups, counted together; the largest sizes and times of each. --json has every slice\n", len(t.Slices))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func longestOf(s lab.Spans) string {
	if s.Count == 0 {
		return "-"
	}
	return nanosOf(s.Max)
}

// GCTrace writes the cycles that a program wrote with GODEBUG=gctrace=1; so many lines
// were damaged.
func GCTrace(w io.Writer, s gctrace.Summary, cycles []gctrace.Cycle, damaged int) error {
	b := &strings.Builder{}
	fmt.Fprintf(b, "%d cycles in %s, %s/s; %d %% of the CPU since the start of the program; pauses p50 %s p99 %s max %s; heap %s live at most, goal %s\n",
		s.Cycles, units.Seconds(s.Span), units.Digits(s.PerSecond), s.Share, nanosOf(s.PauseP50), nanosOf(s.PauseP99), nanosOf(s.PauseMax),
		units.Bytes(float64(s.Live)), units.Bytes(float64(s.Goal)))
	if s.Forced > 0 {
		fmt.Fprintf(b, "note: %d of them were asked for by runtime.GC\n", s.Forced)
	}
	if damaged > 0 {
		fmt.Fprintf(b, "note: %d damaged lines of gctrace cannot be read: other output is mixed into them\n", damaged)
	}
	table := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "\ncycle\tat\tof CPU so far\tpause\tmarking\tits CPU\tassists\theap before\tafter\tlive\tgoal\t\n")
	step := max(1, (len(cycles)+timelineRows-1)/timelineRows)
	for i := 0; i < len(cycles); i += step {
		c := cycles[i]
		fmt.Fprintf(table, "%d\t%.2f s\t%d %%\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", c.Number, c.At.Seconds(), c.Share, nanosOf(c.Clock.Pause()),
			nanosOf(c.Clock.Mark), nanosOf(c.CPU.Total()), nanosOf(c.CPU.Assist), units.Bytes(float64(c.HeapStart)), units.Bytes(float64(c.HeapEnd)),
			units.Bytes(float64(c.Live)), units.Bytes(float64(c.Goal)))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if step > 1 {
		fmt.Fprintf(b, "one cycle of %d is shown; --json has all\n", step)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
