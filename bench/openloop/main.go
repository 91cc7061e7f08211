// Command openloop checks that hone holds a high rate: how much of what was asked for
// is delivered, and how late the generator itself sends (send lag).
//
//	go build -o bin/hone ./cmd/hone
//	cd bench && go run ./openloop
//
// Goal: delivered within 0.5 %, or declared invalid; on an idle machine send lag p99
// under 200 us.
package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/bench/side"
	"github.com/gohone/hone/internal/machine"
)

type config struct {
	hone                 string
	serverCPU, clientCPU int
	connections, rateHz  int
	rounds               int
	length               time.Duration
	arrivals             string
	servers              []string
}

func main() { side.Main("openloop", parse, run) }

func parse(args []string) (config, error) {
	var c config
	fs := side.NewFlags("openloop")
	fs.Hone(&c.hone)
	fs.CPUs(&c.serverCPU, &c.clientCPU)
	fs.IntVar(&c.connections, "c", 100, "connections")
	fs.IntVar(&c.rateHz, "rate", 20000, "requests per second")
	fs.IntVar(&c.rounds, "n", 5, "runs against each server")
	fs.DurationVar(&c.length, "d", 10*time.Second, "length of a run")
	fs.StringVar(&c.arrivals, "arrivals", "uniform", "uniform or poisson")
	fs.Words(&c.servers, "servers", side.Bare+","+side.NetHTTP, "servers")
	fs.Read(args)
	fs.Want(c.connections > 0 && c.rateHz > 0 && c.rounds > 0 && c.length > 0, "want at least 1 connection, 1 request per second, 1 run and some time")
	return c, fs.Faults()
}

func run(ctx context.Context, c config) error {
	hone, err := honecli.Find(c.hone)
	if err != nil {
		return err
	}
	side.Header(os.Stdout, nil, nil)
	fmt.Printf("plan      %s: %d requests/s (%s) over %d connections for %v, %d runs, server on CPU %d, hone on CPU %d\n",
		hone.Program, c.rateHz, c.arrivals, c.connections, c.length, c.rounds, c.serverCPU, c.clientCPU)
	for _, kind := range c.servers {
		if err := measure(ctx, c, hone, kind); err != nil {
			return fmt.Errorf("%s server: %w", kind, err)
		}
	}
	return nil
}

// measure repeats the run against one server and prints a line for each, and the medians.
func measure(ctx context.Context, c config, hone honecli.Hone, kind string) error {
	server, err := side.StartServer(ctx, kind, c.serverCPU)
	if err != nil {
		return err
	}
	defer server.Close()
	gauge := machine.OpenGauge()
	defer gauge.Close()
	fmt.Printf("\n%s server\n%4s  %11s  %30s  %24s  %6s\n", kind,
		"run", "delivered %", "send lag us, p50 / p99 / max", "response us, p50 / p99", "busy %")
	var shares, lags []float64
	for i := range c.rounds {
		before := gauge.Read()
		h, err := hone.Load(ctx, c.clientCPU, server.URL, "-c", strconv.Itoa(c.connections), "-d", c.length.String(),
			"--rate", strconv.Itoa(c.rateHz), "--arrivals", c.arrivals)
		if err != nil {
			return err
		}
		share := 100 * float64(h.Requests.Answered) / (float64(c.rateHz) * c.length.Seconds())
		lag, response := h.Latencies.Lag, h.Latency
		shares, lags = append(shares, share), append(lags, micros(lag.P99))
		fmt.Printf("%4d  %11.3f  %30s  %24s  %6.1f  %s", i+1, share,
			fmt.Sprintf("%.0f / %.0f / %.0f", micros(lag.P50), micros(lag.P99), micros(lag.Max)),
			fmt.Sprintf("%.0f / %.0f", micros(response.P50), micros(response.P99)),
			100*h.Generator.Busy, gauge.Read().Since(before))
		if !h.Valid {
			fmt.Printf("; INVALID: %s", h.Complaint())
		}
		fmt.Println()
	}
	fmt.Printf("median (min .. max): delivered %s %%, send lag p99 %s us\n",
		figures.Spread("%.3f", shares), figures.Spread("%.0f", lags))
	return nil
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
