package sidebyside

import (
	"context"
	"fmt"
	"strconv"

	"github.com/gohone/hone/bench/clients"
	"github.com/gohone/hone/bench/proc"
)

const nameParked = "tlsidle parked"

// tlsWarm connections come and go before the first look at memory, so that code and
// tables which are there once are not taken for connections'.
const tlsWarm = 10

// returns has a peer do what parked does for itself once handshakes are over.
var returns = []string{"-return", "1s"}

const returnsNote = "returns memory to the system every second"

func tlsContests(l *lab) []*contest {
	tlsidle := own("./services/tlsidle/cmd/tlsidle")
	nbio, fasthttp := peer("./tls/nbio", "github.com/lesismal/nbio"),
		peer("./tls/fasthttp", "github.com/valyala/fasthttp")
	entrants := []*entrant{
		{Name: nameParked, program: tlsidle, args: []string{"-stage", "parked"}},
		{Name: "nbio", program: nbio},
		{Name: "nbio, returning", program: nbio, args: returns, Note: returnsNote},
		{Name: "fasthttp reduced", program: fasthttp, args: []string{"-reduce"}},
		{Name: "fasthttp reduced, returning", program: fasthttp, args: append([]string{"-reduce"}, returns...),
			Note: returnsNote},
		{Name: "net/http", program: tlsidle, args: []string{"-stage", "nethttp"}, Note: "stage nethttp of tlsidle"},
	}
	for _, e := range entrants {
		e.client = own("./services/tlsidle/cmd/idleconns")
	}
	return []*contest{{
		Name:    "tls",
		Measure: "resident memory of the server per idle TLS connection",
		Unit:    "bytes",
		beside:  []string{"MB in all"},
		Setting: fmt.Sprintf("%d connections, each used once, then %v requests/s over all of them for %v, answers of 16,000 bytes",
			l.idle, l.idleRateHz, l.idleFor),
		Entrants: entrants,
		run:      l.fresh(l.keepIdle),
		goals: func(c *contest) []goal {
			return []goal{c.atMost("parked takes 10 kB", nameParked, 10_000)}
		},
	}}
}

// keepIdle has a client open connections to e's server, which checks every answer byte
// for byte and reads the server's memory.
func (l *lab) keepIdle(ctx context.Context, e *entrant, s *proc.Server) (sample, error) {
	idle, err := clients.KeepIdle(ctx, l.clientCPU, l.built[e.client].path, s, "-warm", strconv.Itoa(tlsWarm),
		"-conns", strconv.Itoa(l.idle), "-rate", strconv.FormatFloat(l.idleRateHz, 'g', -1, 64), "-for",
		l.idleFor.String())
	return sample{value: idle.PerConnection, beside: []float64{idle.All / megabyte}}, err
}
