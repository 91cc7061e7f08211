package report

import (
	"fmt"
	"io"

	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/load"
)

// Calibration writes what the generator can do on this machine.
func Calibration(w io.Writer, c recording.Calibration, p load.Plan) error {
	c, p = printable.Document(c), printable.Document(p)
	_, err := fmt.Fprintf(w, `the load generator against a server that only answers (%d connections, depth %d, %d event loop(s)):
  ceiling         %s, at %s of CPU per request
  latency floor   p50 %s  p99 %s  (one connection)
  send lag        p50 %s  p99 %s
next: hone load TARGET --calibrate prints this beside a result
`, p.Connections, p.Depth, p.Workers, units.Rate(c.CeilingHz), units.Nanos(float64(c.CPUPerRequest)),
		units.Nanos(float64(c.FloorP50)), units.Nanos(float64(c.FloorP99)), units.Nanos(float64(c.LagP50)),
		units.Nanos(float64(c.LagP99)))
	return err
}
