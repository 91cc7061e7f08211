package tail

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// shape says which requests a service's cause makes slow.
type shape int

const (
	someSlow shape = iota // the cause is in slow requests
	allSlow               // the cause is in the typical request
	control               // there is none
)

// trial is a service, how it is asked, and where.
type trial struct {
	Service  string
	Protocol *protocol
	Shape    shape
	Procs    int      // GOMAXPROCS; 0: as the runtime chooses
	Args     []string // of the service
	// Unstamped is why the service cannot see its cause itself.
	Unstamped string
}

// protocol is how hone asks a service.
type protocol struct {
	Name, Target string
	Flags        []string
	Tags         string // of the service's build
}

// connections is how many requests can be under way: the longest planted wait is 25 ms, so it is
// enough for highest.
const connections = 64

var (
	http1 = &protocol{Name: "http", Target: "http://127.0.0.1:{port}/", Flags: []string{"-c", strconv.Itoa(connections)}}
	http2 = &protocol{Name: "http2", Target: "http://127.0.0.1:{port}/",
		Flags: []string{"--http2", "-c", "8", "--depth", "8"}}
	tcp = &protocol{Name: "tcp", Target: "tcp://127.0.0.1:{port}",
		Flags: []string{"-c", strconv.Itoa(connections), "--body", "hex:00000003676574"}}
	// An empty message of gRPC is five zero bytes: not compressed, length 0 (gRPC over HTTP2,
	// "Length-Prefixed-Message").
	grpc = &protocol{Name: "grpc", Target: "http://127.0.0.1:{port}/tail.Service/Do", Tags: "grpc",
		Flags: []string{"--http2", "-c", "8", "--depth", "8", "-H", "content-type: application/grpc",
			"-H", "te: trailers", "--body", "hex:0000000000"}}
)

const beforeHandler = "requests wait before the handler begins"

// trials are all of them.
var trials = []*trial{
	{Service: "mutex", Protocol: http1},
	{Service: "mutex", Protocol: tcp},
	{Service: "rwmutex", Protocol: http1},
	{Service: "chanpool", Protocol: http1},
	{Service: "chanpool", Protocol: grpc},
	{Service: "workerpool", Protocol: http1},
	{Service: "workerpool", Protocol: tcp},
	{Service: "sqlpool", Protocol: http1},
	{Service: "connlimit", Protocol: http1},
	{Service: "slowbackend", Protocol: http1},
	{Service: "slowbackend", Protocol: http2},
	{Service: "slowbackend", Protocol: grpc},
	{Service: "evenbackend", Protocol: http1, Shape: allSlow},
	{Service: "sleep", Protocol: http1},
	{Service: "sleep", Protocol: grpc},
	{Service: "evensleep", Protocol: http1, Shape: allSlow},
	{Service: "evensleep", Protocol: tcp, Shape: allSlow},
	{Service: "timer", Protocol: http1},
	{Service: "timer", Protocol: tcp},
	{Service: "fsync", Protocol: http1},
	{Service: "assist", Protocol: http1, Procs: 1, Unstamped: beforeHandler},
	{Service: "assist", Protocol: http1, Procs: 2, Unstamped: beforeHandler},
	{Service: "burner", Protocol: http1, Procs: 1, Unstamped: beforeHandler},
	{Service: "burner", Protocol: http1, Procs: 2, Args: []string{"-parts", "2"}, Unstamped: beforeHandler},
	{Service: "singleflight", Protocol: http1},
	{Service: "errgroup", Protocol: http1},
	{Service: "errgroup", Protocol: http2},
	{Service: "cond", Protocol: http1},
	{Service: "cond", Protocol: http2},
	{Service: "two", Protocol: http1},
	{Service: "plain", Protocol: http1, Shape: control},
	{Service: "plain", Protocol: http2, Shape: control},
	{Service: "plain", Protocol: tcp, Shape: control},
	{Service: "evencpu", Protocol: http1, Shape: control},
	{Service: "evencpu", Protocol: grpc, Shape: control},
}

// name is that of a trial, as -only takes it.
func (t *trial) name() string {
	text := t.Service + "-" + t.Protocol.Name
	if t.Procs > 0 {
		text += "-" + strconv.Itoa(t.Procs) + "p"
	}
	return text
}

// dir is where the service is, from the directory bench.
func (t *trial) dir() string { return "tail/services/" + t.Service }

// run is the command line of hone run behind "run", with flags of its own.
func (t *trial) run(stamps string, flags ...string) []string {
	all := append([]string{"./" + t.dir(), "--target", t.Protocol.Target}, t.Protocol.Flags...)
	if t.Procs > 0 {
		all = append(all, "--env", fmt.Sprintf("GOMAXPROCS=%d", t.Procs))
	}
	if t.Protocol.Tags != "" {
		all = append(all, "--flags", "-tags="+t.Protocol.Tags)
	}
	all = append(append(all, flags...), "--", "-addr", "127.0.0.1:{port}", "-protocol", t.Protocol.Name)
	if stamps != "" {
		all = append(all, "-stamps", stamps)
	}
	return append(all, t.Args...)
}

// chosen are the trials whose service or whole name is one of the words; all for none.
func chosen(words []string) (some []*trial, err error) {
	for _, w := range words {
		n := len(some)
		for _, t := range trials {
			if (t.Service == w || t.name() == w) && !slices.Contains(some, t) {
				some = append(some, t)
			}
		}
		if len(some) == n {
			return nil, fmt.Errorf("-only: no trial %q, or it is there twice (known: %s)", w, strings.Join(trialNames(), ", "))
		}
	}
	if len(words) == 0 {
		return trials, nil
	}
	return some, nil
}

func trialNames() (names []string) {
	for _, t := range trials {
		names = append(names, t.name())
	}
	return names
}
