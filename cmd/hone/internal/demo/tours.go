package demo

import (
	"time"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
)

// tour is the ladder of one reference service, as hone demo shows it.
type tour struct {
	name, summary string
	// program is the main package. Each rung is one of its stages.
	program string
	args    []string
	target  string // empty: it ends by itself
	load    tourLoad
	// measure is what the ladder is about.
	measure judge.Measure
	rungs   []rung
	// refused is a stage whose measurement must be refused; its stage is empty for none.
	refused rung
}

// tourLoad is how a service is loaded.
type tourLoad struct {
	connections, depth int
	rateHz             float64       // 0 is a closed loop
	budget             time.Duration // of a comparison, with profiles and checks
}

// rung is one stage of a tour.
type rung struct {
	stage string
	// diff are the lines of the change from the rung before that matter; nil for those that are too many to show.
	diff []string
	// published is the figure that was published of this very stage; empty without one.
	published string
}

// listens are the arguments of a service that listens on a port that hone chooses.
var listens = []string{"-addr", "127.0.0.1:{port}"}

// tours are all, the first one that of hone demo without a name.
var tours = []*tour{
	{
		name: "framed", summary: "a framed TCP server, from one system call per field to an event loop",
		program: "github.com/gohone/hone/services/framed/cmd/framed", args: listens,
		target: "framed://127.0.0.1:{port}",
		load:   tourLoad{connections: 100, depth: 16, budget: 22 * time.Second}, measure: measure.CPU,
		rungs: []rung{
			{stage: "raw", published: "185,000 requests/s"},
			{stage: "buffered", diff: []string{
				"-  payload, err := readFrame(p)",
				"+  r, w := bufio.NewReader(p), bufio.NewWriter(p)",
				"+  payload, err := readFrame(r)",
			}},
			{stage: "reactor", diff: []string{
				"-  return s.eachPeer(ln, answerBuffered)",
				"+  return server.AcceptAll(ln, s.reactor.take)",
				"+  r.loops[r.next].hand(arrival{fd: fd, remote: conn.RemoteAddr()})",
			}},
		},
		refused: rung{stage: "buffered-noflush",
			published: "270,000 requests/s, with a client that waits for no answer"},
	},
	{
		name: "rpc", summary: "an RPC server, from one write per field to batches",
		program: "github.com/gohone/hone/services/rpc/cmd/rpc", args: listens,
		target: "rpc://127.0.0.1:{port}",
		load:   tourLoad{connections: 20, depth: 16, budget: 30 * time.Second}, measure: measure.CPU,
		rungs: []rung{
			{stage: "naive"},
			{stage: "pooled", published: "75,374 calls/s with 500 callers"},
			{stage: "pipelined"},
		},
	},
	{
		name: "tls", summary: "an HTTPS server with idle connections: memory, not time",
		program: "github.com/gohone/hone/services/tlsidle/cmd/tlsidle", args: listens,
		target: "https://127.0.0.1:{port}/",
		load:   tourLoad{connections: 500, depth: 1, rateHz: 100, budget: 45 * time.Second}, measure: measure.Resident,
		rungs: []rung{
			{stage: "heldbuffer"},
			{stage: "pooled"},
			{stage: "parked"},
		},
	},
	{
		name: "visits", summary: "an HTTP handler that counts visits, step by step without its allocations",
		program: "github.com/gohone/hone/services/visits/cmd/visits", args: listens,
		target: "http://127.0.0.1:{port}/hello?name=ann&color=red",
		load:   tourLoad{connections: 50, depth: 1, budget: 30 * time.Second}, measure: measure.CPU,
		rungs: []rung{
			{stage: "start", published: "5,403 ns in a benchmark"},
			{stage: "fprintf", published: "6,325 ns in a benchmark"},
			{stage: "sharded"},
		},
	},
	{
		name: "chat", summary: "a chat server that compresses each message",
		program: "github.com/gohone/hone/services/chat/cmd/chat", args: listens,
		target: "chat://127.0.0.1:{port}?room=10",
		load:   tourLoad{connections: 500, depth: 1, rateHz: 100, budget: 30 * time.Second}, measure: measure.CPU,
		rungs: []rung{
			{stage: "naive", published: "80 % of the CPU at 18,000 users"},
			{stage: "buffers", published: "50 % of the CPU at 18,000 users"},
			{stage: "zlib-reset", published: "20 % of the CPU at 18,000 users"},
			{stage: "final"},
		},
	},
	{
		name: "havlak", summary: "a program that ends by itself: loops of a control-flow graph",
		program: "github.com/gohone/hone/services/havlak/cmd/havlak",
		args:    []string{"-loops", "15200", "-repeat", "10", "-warmups", "1000"},
		load:    tourLoad{budget: 40 * time.Second}, measure: measure.CPU,
		rungs: []rung{
			{stage: "first", published: "25.05 s and 1,334 MB"},
			{stage: "slices", published: "2.26 s and 360 MB"},
			{stage: "final"},
		},
	},
}
