// Package clients runs the clients of the reference services, rpcbench and idleconns, and
// reads what they print.
package clients

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/gohone/hone/bench/proc"
)

// Calls is what a client of an rpc server did.
type Calls struct {
	PerSecond float64
	CPU       time.Duration // of the client's whole process
}

// Call has rpcbench, or a peer that prints the same report, make so many calls on one CPU
// (below 0: on any). All of them have to succeed.
func Call(ctx context.Context, cpu int, program string, total int, args ...string) (Calls, error) {
	args = append(args[:len(args):len(args)], "-total", strconv.Itoa(total))
	d, err := proc.Run(ctx, cpu, proc.Command{Program: program, Args: args})
	if err != nil {
		return Calls{}, err
	}
	hz, err := parseCalls(d.Stdout, total)
	return Calls{hz, d.CPU}, err
}

var (
	succeededLine = regexp.MustCompile(`(?m)^succeeded +(\d+)$`)
	rateLine      = regexp.MustCompile(`(?m)^throughput \(TPS\) +(\d+)$`)
)

// parseCalls reads the report of rpcbench and of the peers: calls per second.
func parseCalls(report []byte, total int) (float64, error) {
	succeeded, rate := succeededLine.FindSubmatch(report), rateLine.FindSubmatch(report)
	if succeeded == nil || rate == nil {
		return 0, fmt.Errorf("read the client's report: no succeeded or throughput in %q", report)
	}
	n, err1 := strconv.Atoi(string(succeeded[1]))
	hz, err2 := strconv.ParseFloat(string(rate[1]), 64)
	if err := errors.Join(err1, err2); err != nil {
		return 0, fmt.Errorf("read the client's report: %w", err)
	}
	if n != total || hz < 1 {
		return 0, fmt.Errorf("read the client's report: %d of %d calls succeeded, %.0f a second", n, total, hz)
	}
	return hz, nil
}

// Idle is the resident memory of a TLS server, in bytes.
type Idle struct{ PerConnection, All float64 }

// KeepIdle has idleconns open connections to a server, check every answer byte for byte, and
// read the server's memory.
func KeepIdle(ctx context.Context, cpu int, program string, s *proc.Server, args ...string) (Idle, error) {
	d, err := proc.Run(ctx, cpu, proc.Command{Program: program,
		Args: append([]string{"-json", "-addr", s.Addr, "-pid", strconv.Itoa(s.Pid())}, args...)})
	if err != nil {
		return Idle{}, errors.Join(err, s.Fault())
	}
	return parseIdle(d.Stdout)
}

// parseIdle reads what idleconns prints.
func parseIdle(text []byte) (Idle, error) {
	var r struct {
		Schema int
		After  struct{ Resident float64 }
		Per    struct{ Resident float64 } `json:"bytes_per_connection"`
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return Idle{}, fmt.Errorf("read what idleconns prints: %w in %.200q", err, text)
	}
	if r.Schema != 1 || r.Per.Resident <= 0 {
		return Idle{}, fmt.Errorf("read what idleconns prints: want schema 1 and memory per connection, got %.400q",
			text)
	}
	return Idle{r.Per.Resident, r.After.Resident}, nil
}
