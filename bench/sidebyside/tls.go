package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/gohone/hone/bench/clients"
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
		Name:    "tls",
		Measure: "resident memory of the server per idle TLS connection",
		Unit:    "bytes",
		beside:  []string{"MB in all"},
		Setting: fmt.Sprintf("%d connections, each used once, then %v requests/s over all of them for %v, answers of 16,000 bytes",
			l.idle, l.idleRateHz, l.idleFor),
		Entrants: l.enter(
			&entrant{Name: nameParked, program: progTLSIdle, args: []string{"-stage", "parked"}},
			&entrant{Name: "nbio", program: progTLSNbio},
			&entrant{Name: "nbio, returning", program: progTLSNbio, args: returns, Note: returnsNote},
			&entrant{Name: "fasthttp reduced", program: progFastHTTP, args: []string{"-reduce"}},
			&entrant{Name: "fasthttp reduced, returning", program: progFastHTTP, args: append([]string{"-reduce"}, returns...), Note: returnsNote},
			&entrant{Name: "net/http", program: progTLSIdle, args: []string{"-stage", "nethttp"}, Note: "stage nethttp of tlsidle"},
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
	defer s.Stop()
	idle, err := clients.KeepIdle(ctx, l.clientCPU, l.built[progIdleConns].path, s, "-warm", strconv.Itoa(tlsWarm),
		"-conns", strconv.Itoa(l.idle), "-rate", strconv.FormatFloat(l.idleRateHz, 'g', -1, 64), "-for", l.idleFor.String())
	return sample{value: idle.PerConnection, beside: []float64{idle.All / megabyte}}, err
}
