package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/gohone/hone/internal/program/gctrace"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
)

// TimelineRows is how many rows a timeline has on a terminal.
const TimelineRows = 20

func nanosOf(d time.Duration) string { return units.Nanos(float64(d)) }

// Timeline writes what the runtime did over the time of a run; sum may be nil.
func Timeline(w io.Writer, t record.Timeline, sum *record.RuntimeSummary) error {
	t, sum = printable.Document(t), printable.Document(sum)
	b := &strings.Builder{}
	if sum != nil {
		fmt.Fprintf(b, "collector: %s\ngoroutines: %s\n\n", strings.Join(model.Collector(sum), ", "),
			strings.Join(model.Scheduler(sum), ", "))
	}
	if halves := t.Rows(2); len(t.Slices) >= leastTrend && len(halves) == 2 {
		fmt.Fprintf(b, "trend: %s\n\n", trend(halves[0], halves[1]))
	}
	table := rightColumns(b)
	fmt.Fprint(table,
		"at\trequests/s\tGC cycles/s\tGC of CPU\tlongest pause\theap live\tgoal\tallocated\tgoroutines\tlongest wait\t\n")
	for _, m := range t.Rows(TimelineRows) {
		share := "-"
		if s, known := m.GCShare(); known {
			share = fmt.Sprintf("%.1f %%", 100*s)
		}
		fmt.Fprintf(table, "%.2f s\t%s\t%s\t%s\t%s\t%s\t%s\t%s/s\t%d\t%s\t\n", m.At.Seconds(),
			units.Digits(m.PerSecond(m.Requests)), units.Digits(m.PerSecond(m.GCCycles)), share, longestOf(m.Pauses),
			units.Bytes(float64(m.HeapLiveBytes)), units.Bytes(float64(m.HeapGoalBytes)),
			units.Bytes(m.PerSecond(m.AllocBytes)),
			m.Goroutines, longestOf(m.Waits))
	}
	table.Flush()
	if len(t.Slices) > TimelineRows {
		fmt.Fprintf(b,
			"%d slices in groups, counted together; the largest sizes and times of each. --json has every slice\n",
			len(t.Slices))
	}
	return write(w, b)
}

// leastTrend is how many slices a timeline must have for its halves to be compared.
const leastTrend = 8

// trend says what changed from the first half of a run to the second.
func trend(first, second record.Moment) string {
	parts := []string{fmt.Sprintf("from the first half to the second %s -> %s cycles/s",
		units.Digits(first.PerSecond(first.GCCycles)), units.Digits(second.PerSecond(second.GCCycles)))}
	before, known := first.GCShare()
	if after, too := second.GCShare(); known && too {
		parts = append(parts, fmt.Sprintf("%.1f -> %.1f %% of the CPU", 100*before, 100*after))
	}
	return strings.Join(append(parts,
		"heap live "+units.Bytes(float64(first.HeapLiveBytes))+" -> "+units.Bytes(float64(second.HeapLiveBytes)),
		fmt.Sprintf("goroutines up to %d -> %d", first.Goroutines, second.Goroutines)), ", ")
}

func longestOf(s record.Spans) string {
	if s.Count == 0 {
		return "-"
	}
	return nanosOf(s.Max)
}

// GCTrace writes the cycles that a program wrote with GODEBUG=gctrace=1: of several processes a line each, and all of
// the one that is shown, which is counted from 1.
func GCTrace(w io.Writer, log gctrace.Log, shown int) error {
	log = printable.Document(log)
	b := &strings.Builder{}
	if shown < 1 || shown > len(log.Processes) {
		return fmt.Errorf("process %d does not exist in this gctrace", shown)
	}
	if len(log.Processes) > 1 {
		gcProcesses(b, log, shown)
	}
	cycles := log.Processes[shown-1].Cycles
	s := gctrace.Summarize(cycles)
	fmt.Fprintf(b, "%d cycles in %s, %s/s; %d %% of the CPU since the start of the program; pauses p50 %s p99 %s max "+
		"%s; heap %s live at most, goal %s\n",
		s.Cycles, units.Seconds(s.Span), units.Digits(s.PerSecond), s.Share, nanosOf(s.PauseP50), nanosOf(s.PauseP99),
		nanosOf(s.PauseMax),
		units.Bytes(float64(s.Live)), units.Bytes(float64(s.Goal)))
	if s.Forced > 0 {
		fmt.Fprintf(b, "note: the program started %d of them by runtime.GC\n", s.Forced)
	}
	if left := log.Left(); left != "" {
		fmt.Fprintf(b, "note: %s\n", left)
	}
	table := rightColumns(b)
	fmt.Fprint(table,
		"\ncycle\tat\tof CPU so far\tpause\tmarking\tits CPU\tassists\theap before\tafter\tlive\tgoal\t\n")
	step := max(1, (len(cycles)+TimelineRows-1)/TimelineRows)
	for i := 0; i < len(cycles); i += step {
		c := cycles[i]
		fmt.Fprintf(table, "%d\t%.2f s\t%d %%\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", c.Number, c.At.Seconds(), c.Share,
			nanosOf(c.Clock.Pause()),
			nanosOf(c.Clock.Mark), nanosOf(c.CPU.Total()), nanosOf(c.CPU.Assist), units.Bytes(float64(c.HeapStart)),
			units.Bytes(float64(c.HeapEnd)),
			units.Bytes(float64(c.Live)), units.Bytes(float64(c.Goal)))
	}
	table.Flush()
	if step > 1 {
		fmt.Fprintf(b, "one cycle of %d is shown; --json has all\n", step)
	}
	return write(w, b)
}

// gcProcesses lists the processes of a log.
func gcProcesses(b *strings.Builder, log gctrace.Log, shown int) {
	fmt.Fprintf(b, "%d processes wrote these lines; process %d is shown, --process NUMBER shows another, --json has all\n",
		len(log.Processes), shown)
	table := rightColumns(b)
	fmt.Fprint(table, "\tcycles\tfrom\tto\tof CPU\tgoal at most\t\t\n")
	for i, p := range log.Processes {
		s := gctrace.Summarize(p.Cycles)
		fmt.Fprintf(table, "%d\t%d\t%.2f s\t%.2f s\t%d %%\t%s\t\t  %s\n", i+1, s.Cycles, p.Cycles[0].At.Seconds(),
			p.Cycles[len(p.Cycles)-1].At.Seconds(),
			s.Share, units.Bytes(float64(s.Goal)), p.Title())
	}
	table.Flush()
	b.WriteString("\n")
}
