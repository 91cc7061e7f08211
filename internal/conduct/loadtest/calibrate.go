package loadtest

import (
	"cmp"
	"context"
	"net"
	"time"

	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/internal/sys/affinity"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/nullserver"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/load"
)

// calibrateFor is how long each of the three measurements takes.
const calibrateFor = time.Second

// Calibrate measures the generator against a server that does nothing but answer, on
// the same machine: the most requests that it can send, the lowest latency that it can
// see, and how late it is in an open loop.
//
// The ceiling is what the generator would reach if it alone set the pace: the rate of a
// closed loop divided by the share of its CPU that the generator used for it.
//
// scheme is the protocol to speak; those without a null server are measured as http. asked is the load whose ceiling is
// asked for, rateHz the rate at which the send lag is taken; 0 means 1,000 per second.
func (t *Tester) Calibrate(ctx context.Context, scheme string, asked load.Plan, rateHz float64) (*recording.Calibration,
	error) {
	t.Progress.Phase("calibrate the generator against a null server", 3*calibrateFor)
	reply := nullserver.Framed
	if scheme != "framed" {
		reply, scheme = nullserver.HTTP, "http"
	}
	allowed, err := affinity.AllowedCPUs()
	generator, server := []int(nil), -1
	if err == nil && len(allowed) > 1 {
		var subjects []int
		generator, subjects = affinity.SplitCPUs(allowed)
		server = subjects[0]
	}
	s, err := nullserver.Start(nullserver.Options{Network: "tcp", Address: "127.0.0.1:0", Reply: reply, CPU: server})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	target, err := schemes.Parse(scheme+"://"+s.Addr().String(), wire.Options{})
	if err != nil {
		return nil, err
	}
	plan := load.Plan{
		Connections: asked.Connections, Depth: asked.Depth, Workers: asked.Workers, CPUs: asked.CPUs,
		Timeout: asked.Timeout,
	}
	if len(plan.CPUs) == 0 {
		plan.CPUs = generator
	}
	one := plan
	one.Connections, one.Depth, one.Workers = 1, 1, 1
	out := &recording.Calibration{}
	most, err := calibrateOnce(ctx, plan, target, load.ClosedLoop(calibrateFor))
	if err != nil {
		return nil, err
	}
	if busy := most.Busy(); busy > 0 && most.Answered > 0 {
		out.CeilingHz = float64(most.Answered) / most.Duration.Seconds() / min(busy, 1)
		out.CPUPerRequest = most.WorkerCPU / time.Duration(most.Answered)
	}
	least, err := calibrateOnce(ctx, one, target, load.ClosedLoop(calibrateFor))
	if err != nil {
		return nil, err
	}
	floor := recording.LatencyOf(least.Service)
	out.FloorP50, out.FloorP99 = floor.P50, floor.P99
	paced, err := calibrateOnce(ctx, plan, target, load.OpenLoop(cmp.Or(rateHz, 1000), calibrateFor))
	if err != nil {
		return nil, err
	}
	lag := recording.LatencyOf(paced.Lag)
	out.LagP50, out.LagP99 = lag.P50, lag.P99
	return out, nil
}

// calibrateOnce takes one stretch on fresh connections, behind a short warm-up.
func calibrateOnce(ctx context.Context, plan load.Plan, target schemes.Target, s load.Schedule) (sum load.Tally,
	err error) {
	session, err := load.Open(ctx, plan, target, func(ctx context.Context) (net.Conn, error) {
		return (&net.Dialer{KeepAlive: -1}).DialContext(ctx, target.Network, target.Address)
	})
	if err != nil {
		return sum, fail.New(fail.Environment, "calibrate: %w", err)
	}
	defer session.Close()
	_, err = session.Slice(ctx, calibrateFor/10, plan.Timeout)
	if err == nil {
		err = session.Run(ctx, load.Stretch{Schedule: s, Drain: plan.Timeout}, sum.Add)
	}
	if ctx.Err() != nil {
		return sum, fail.New(fail.Interrupted, "interrupted while calibrating; the target was not loaded")
	}
	return sum, err
}
