package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gohone/hone/internal/conduct/loadtest"
	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/load"
)

// Search writes how the highest rate was found: the answer first, then the rates that
// were tried.
func Search(w io.Writer, s *loadtest.Search) error {
	s = printable.Document(s)
	b := &strings.Builder{}
	fmt.Fprintln(b, SearchSentence(s))
	if s.Generator {
		fmt.Fprintln(b, "note: the load generator set this limit; the target may take more (more --set workers, or CPUs of its own)")
	}
	tw := leftColumns(b)
	fmt.Fprintln(tw, "  rate\tanswered\tp50\tp99\theld")
	for _, p := range s.Probes {
		held := "yes"
		if !p.Held {
			held = "no: " + p.Why
		}
		fmt.Fprintf(tw, "  %s\t%s\t%s\t%s\t%s\n", units.Rate(p.RateHz), units.Rate(p.AchievedHz),
			percentileText(p.P50, 50, p.Count), percentileText(p.P99, 99, p.Count), held)
	}
	tw.Flush()
	_, err := io.WriteString(w, b.String()+"\n")
	return err
}

// SearchSentence is the answer of a search in one line.
func SearchSentence(s *loadtest.Search) string {
	var limits []string
	for _, l := range s.Limits {
		limits = append(limits, l.String())
	}
	what := strings.Join(limits, " and ")
	text := fmt.Sprintf("%s holds up to %s", what, units.Rate(s.BestHz))
	if s.BestHz == 0 {
		text = fmt.Sprintf("no rate was found at which %s holds", what)
	}
	if s.WorstHz > 0 {
		text += fmt.Sprintf("; %s was too much", units.Rate(s.WorstHz))
	}
	return text
}

// Calibration writes what the generator can do on this machine.
func Calibration(w io.Writer, c recording.Calibration, p load.Plan) error {
	c, p = printable.Document(c), printable.Document(p)
	_, err := fmt.Fprintf(w, `the load generator against a server that only answers (%d connections, depth %d, %d event loop(s)):
  ceiling         %s, at %s of CPU per request
  latency floor   p50 %s  p99 %s  (one connection)
  send lag        p50 %s  p99 %s
next: hone load TARGET --calibrate prints this beside a result
`, p.Connections, p.Depth, p.Workers, units.Rate(c.CeilingHz), units.Nanos(float64(c.CPUPerRequest)),
		units.Nanos(float64(c.FloorP50)), units.Nanos(float64(c.FloorP99)), units.Nanos(float64(c.LagP50)), units.Nanos(float64(c.LagP99)))
	return err
}
