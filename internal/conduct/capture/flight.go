package capture

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/gohone/hone/internal/text/units"
)

// flightSlice is the length of the slices of load under the flight recorder, which
// remembers twice as much: the slowest answer's beginning is in it.
const flightSlice = 100 * time.Millisecond

// Flight loads the program with the runtime's flight recorder on, and keeps the execution
// trace of the slice that had the slowest answer, if one is asked for: flight-7.91ms.out.
func (c *Program) Flight(ctx context.Context) (err error) {
	if c.Spec.FlightTime <= 0 {
		return nil
	}
	probe := c.busiest()
	if err := probe.StartFlight(ctx, 2*flightSlice); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, probe.StopFlight(ctx)) }()
	var slowest time.Duration
	var trace []byte
	for end := time.Now().Add(c.Spec.FlightTime); time.Now().Before(end); {
		s, err := c.Load.Slice(ctx, c.Load.Schedule(flightSlice), 0)
		if err != nil {
			return err
		}
		latency := s.Latency()
		if latency == nil || time.Duration(latency.Max()) <= slowest {
			continue
		}
		slowest = time.Duration(latency.Max())
		if trace, err = probe.Flight(ctx); err != nil {
			return err
		}
	}
	if trace == nil {
		return errors.New("the flight recorder saw no answer")
	}
	name := "flight-" + strings.ReplaceAll(units.Nanos(float64(slowest)), " ", "") + ".out"
	_, err = c.Draft.AddArtefact("trace", name, bytes.NewReader(trace))
	return err
}
