package cases

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/side"
	"github.com/gohone/hone/internal/sys/machine"
)

// OpenLoop checks that hone holds a high rate: how much of what was asked for is delivered, and how late the generator
// itself sends. Goal: delivered within 0.5 %, or declared invalid; on an idle machine send lag p99 under 200 us.
var OpenLoop = bed.Case{Name: "openloop", Shows: "does hone load hold 20,000 requests/s, and how late does it send",
	Takes: "2 minutes", Needs: "gcc", About: bed.AboutLoad, Run: measureOpenLoop}

func measureOpenLoop(ctx context.Context, b *bed.Bed) error {
	var servers []string
	b.CPUs()
	b.Turns(5, 10*time.Second)
	connections := b.Int("c", 100, "connections")
	rate := b.Int("rate", 20000, "requests per second")
	arrivals := b.String("arrivals", "uniform", "uniform or poisson")
	b.Words(&servers, "servers", side.Bare+","+side.NetHTTP, "servers")
	if err := b.Start(ctx); err != nil {
		return err
	}
	args := []string{"-c", strconv.Itoa(*connections), "-d", b.Slice.String(), "--rate", strconv.Itoa(*rate), "--set",
		"arrivals=" + *arrivals}
	for _, kind := range servers {
		if err := holdRate(ctx, b, kind, float64(*rate)*b.Slice.Seconds(), args); err != nil {
			return fmt.Errorf("%s server: %w", kind, err)
		}
	}
	return nil
}

// holdRate repeats the run against one server, with a row for each.
func holdRate(ctx context.Context, b *bed.Bed, kind string, wanted float64, args []string) error {
	server, err := side.StartServer(ctx, kind, b.ServerCPU)
	if err != nil {
		return err
	}
	defer server.Close()
	gauge := machine.OpenGauge()
	defer gauge.Close()
	t := b.Table(kind+" server", "run", "delivered %", "send lag us, p50 / p99 / max", "response us, p50 / p99",
		"busy %", "meanwhile")
	var shares, lags []float64
	for i := range b.Rounds {
		before := gauge.Read()
		h, err := b.Hone.Load(ctx, b.ClientCPU, append([]string{server.URL}, args...)...)
		if err != nil {
			return err
		}
		share := 100 * float64(h.Requests.Answered) / wanted
		lag := h.Latencies.Lag
		shares, lags = append(shares, share), append(lags, micros(lag.P99))
		t.Row(fmt.Sprint(i+1), fmt.Sprintf("%.3f", share),
			fmt.Sprintf("%.0f / %.0f / %.0f", micros(lag.P50), micros(lag.P99), micros(lag.Max)),
			fmt.Sprintf("%.0f / %.0f", micros(h.Latency.P50), micros(h.Latency.P99)),
			fmt.Sprintf("%.1f", 100*h.Generator.Busy), gauge.Read().Since(before).String())
		if !h.Valid {
			t.Say("run %d is INVALID: %s", i+1, h.Complaint())
		}
	}
	b.Claim("an open loop, "+kind+" server: delivered; send lag p99", "%s %%; %s us", figures.Spread("%.3f", shares),
		figures.Spread("%.0f", lags))
	return nil
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
