package robust

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/bench/honecli"
)

var hostile = &kind{
	Name: "hostile",
	Does: "hone load meets a server on this machine that breaks its protocol, over every protocol that it can break, in a closed or an open " +
		"loop, for 2 s.",
	Fails: "a panic; an end more than 5 s behind the load, the timeout and the drain; an exit code other than 0, 3, 4 or 7, or 2 where the port does not speak TLS; more answers counted as " +
		"right than the server gave right ones; over 200 MB of memory. Hit are the trials in which hone connected.",
	Default: 450,
	Run:     runTrial,
}

// The times of a trial. The load ends after the first three; hone is given the last more.
const (
	hostileLoad    = 2 * time.Second
	hostileWarmUp  = 200 * time.Millisecond
	hostileTimeout = time.Second
	hostileDrain   = time.Second
	hostileGrace   = 5 * time.Second
)

// hostileMemory is the most that hone may take, in bytes (fault 23's figure).
const hostileMemory = 200 << 20

// hostileCodes are those that hone load may end with: measured, target failed, invalid,
// environment. noTLS is one more, for a URL that says https and a port that does not speak TLS.
var hostileCodes = []int{0, 3, 4, 7}

const noTLS = 2

// server is one that breaks its protocol.
type server struct {
	Name string
	// Schemes are those whose clients it can mislead.
	Schemes []string
	// Serve is what it does with one connection.
	Serve []step
	// Raw servers of https speak before TLS does.
	Raw bool
	// Deaf servers never accept.
	Deaf bool
}

// servers are all of them.
var servers = slices.Concat(anyServers, httpServers, frameServers, http2Servers, tlsServers)

// scheme is a way of speaking that hone load knows.
type scheme struct {
	url   string // {addr} stands for the address
	flags []string
	tls   bool
	http2 bool
}

var schemes = map[string]scheme{
	"http":   {url: "http://{addr}/"},
	"https":  {url: "https://{addr}/", flags: []string{"-k"}, tls: true},
	"http2":  {url: "http://{addr}/", flags: []string{"--http2"}, http2: true},
	"https2": {url: "https://{addr}/", flags: []string{"-k", "--http2"}, tls: true, http2: true},
	"framed": {url: "framed://{addr}"},
	"rpc":    {url: "rpc://{addr}"},
	"chat":   {url: "chat://{addr}"},
	"tcp":    {url: "tcp://{addr}", flags: []string{"--body", "hex:0000000461626364", "--set", "tcp.expect=61626364", "--set", "tcp.expect-at=4"}},
}

var (
	anyScheme   = []string{"http", "https", "http2", "https2", "framed", "rpc", "chat", "tcp"}
	http1Scheme = []string{"http", "https"}
	http2Scheme = []string{"http2", "https2"}
	frameScheme = []string{"framed", "rpc", "chat", "tcp"}
)

// encounter is a server and how it is spoken to.
type encounter struct {
	server *server
	scheme string
}

// encounters are all pairs that make sense, in an order that is mixed and always the same: a
// measurement that ends early has met servers of all sorts.
func encounters() []encounter {
	var all []encounter
	for i := range servers {
		for _, s := range servers[i].Schemes {
			all = append(all, encounter{&servers[i], s})
		}
	}
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// runTrial is one trial.
func runTrial(ctx context.Context, r *rig, t trial) (outcome, error) {
	all := encounters()
	e := all[t.Number%len(all)]
	o := outcome{What: e.server.Name}
	h, err := open(e, t.Random.Uint64())
	if err != nil {
		return o, err
	}
	defer h.close()
	s := schemes[e.scheme]
	args := []string{"load", strings.ReplaceAll(s.url, "{addr}", h.address()), "-d", hostileLoad.String(), "--warmup", hostileWarmUp.String(),
		"--timeout", hostileTimeout.String(), "--drain", hostileDrain.String(), "--quiet", "--no-ledger", "--json"}
	args = append(args, s.flags...)
	connections, depth := 1+t.Random.IntN(8), 1+t.Random.IntN(2)*7
	args = append(args, "-c", fmt.Sprint(connections), "--depth", fmt.Sprint(depth))
	loop := "closed loop"
	if t.Random.IntN(2) == 0 {
		loop = "open loop"
		args = append(args, "--rate", "500")
	}
	o.Point = fmt.Sprintf("%s, %s, %d connections, depth %d", e.scheme, loop, connections, depth)
	d := r.run(ctx, command{args: args, most: hostileWarmUp + hostileLoad + hostileTimeout + hostileDrain + hostileGrace})
	if ctx.Err() != nil {
		return o, ctx.Err()
	}
	o.Point += fmt.Sprintf(", code %d", d.code)
	o.Hit = h.accepted.Load() > 0
	codes := hostileCodes
	if e.server.Raw {
		codes = append(slices.Clone(codes), noTLS)
	}
	judgeMeeting(&o, d, codes, h.right.Load())
	return o, nil
}

// judgeMeeting judges a load test against a server that gave so many right answers. codes are
// those that it may end with.
func judgeMeeting(o *outcome, d ran, codes []int, right int64) {
	o.failIf("", d.sound(codes...))
	if d.peak > hostileMemory {
		o.failf("hone took %d MB", d.peak>>20)
	}
	if len(d.stdout) == 0 || d.hung {
		return // it had nothing to report, and its code says so
	}
	var report honecli.Load
	if err := json.Unmarshal(d.stdout, &report); err != nil {
		o.failf("its JSON: %v", err)
		return
	}
	if a := report.Account; a.Answered > uint64(right) {
		o.failf("%d answers are counted as right, and %d were", a.Answered, right)
	}
	if a := report.Account; a.Sent != a.Answered+a.Failed+a.Unanswered || a.Scheduled != a.Sent+a.Unsent {
		o.failf("its account does not add up: %+v", a)
	}
}
