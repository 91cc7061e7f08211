package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/gohone/hone/bench/side"
)

const nameParked = "tlsidle parked"

var (
	progTLSIdle   = own("./services/tlsidle/cmd/tlsidle")
	progIdleConns = own("./services/tlsidle/cmd/idleconns")
	progTLSNbio   = peer("./tls/nbio", "github.com/lesismal/nbio")
	progFastHTTP  = peer("./tls/fasthttp", "github.com/valyala/fasthttp")
)

func tlsPrograms() []*program {
	return []*program{progTLSIdle, progIdleConns, progTLSNbio, progFastHTTP}
}

// tlsWarm connections come and go before the first look at memory, so that code and
// tables which are there once are not taken for connections'.
const tlsWarm = 10

// returns has a peer do what parked does for itself once handshakes are over.
var returns = []string{"-return", "1s"}

const returnsNote = "returns memory to the system every second"

func tlsContests(l *lab) []*contest {
	return []*contest{{
		name:    "tls",
		measure: "resident memory of the server per idle TLS connection",
		unit:    "bytes",
		beside:  []string{"MB in all"},
		setting: fmt.Sprintf("%d connections, each used once, then %v requests/s over all of them for %v, answers of 16,000 bytes",
			l.idle, l.idleRateHz, l.idleFor),
		entrants: l.enter(
			&entrant{name: nameParked, program: progTLSIdle, args: []string{"-stage", "parked"}},
			&entrant{name: "nbio", program: progTLSNbio},
			&entrant{name: "nbio, returning", program: progTLSNbio, args: returns, note: returnsNote},
			&entrant{name: "fasthttp reduced", program: progFastHTTP, args: []string{"-reduce"}},
			&entrant{name: "fasthttp reduced, returning", program: progFastHTTP, args: append([]string{"-reduce"}, returns...), note: returnsNote},
			&entrant{name: "net/http", program: progTLSIdle, args: []string{"-stage", "nethttp"}, note: "stage nethttp of tlsidle"},
		),
		run: l.keepIdle,
		goals: func(c *contest) []goal {
			return []goal{c.atMost("parked takes 10 kB", nameParked, 10_000)}
		},
	}}
}

// keepIdle has a client open connections to e's server, which checks every answer byte
// for byte and reads the server's memory.
func (l *lab) keepIdle(ctx context.Context, e *entrant) (sample, error) {
	s, err := l.start(ctx, e)
	if err != nil {
		return sample{}, err
	}
	defer s.stop()
	child, err := side.Start(ctx, l.clientCPU, l.built[progIdleConns].path, side.Command{Args: []string{
		"-addr", s.addr, "-pid", strconv.Itoa(s.Pid()), "-json", "-warm", strconv.Itoa(tlsWarm),
		"-conns", strconv.Itoa(l.idle), "-rate", strconv.FormatFloat(l.idleRateHz, 'g', -1, 64), "-for", l.idleFor.String(),
	}})
	if err != nil {
		return sample{}, err
	}
	done, err := child.Wait() // fails if an answer was wrong
	if err != nil {
		return sample{}, errors.Join(err, s.fault())
	}
	return parseIdle(done.Stdout)
}

// parseIdle reads what idleconns prints.
func parseIdle(text []byte) (sample, error) {
	var r struct {
		Schema int
		After  struct{ Resident float64 }
		Per    struct{ Resident float64 } `json:"bytes_per_connection"`
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return sample{}, fmt.Errorf("read what idleconns prints: %w in %.200q", err, text)
	}
	if r.Schema != 1 || r.Per.Resident <= 0 {
		return sample{}, fmt.Errorf("read what idleconns prints: want schema 1 and memory per connection, got %.400q", text)
	}
	return sample{value: r.Per.Resident, beside: []float64{r.After.Resident / megabyte}}, nil
}
