package walltime_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// module is what the user would call the module of the services.
const module = "github.com/gohone/hone/internal/insight/walltime_test"

// The services of the tests run in processes of their own: this test binary, told by a variable.
const serviceVariable = "WALLTIME_SERVICE"

func TestMain(m *testing.M) {
	if name := os.Getenv(serviceVariable); name != "" {
		go func() { // the test's end of the pipe
			io.Copy(io.Discard, os.Stdin)
			os.Exit(0)
		}()
		serve(name)
	}
	os.Exit(m.Run())
}

// service is what a test program does with a request; seldom says that this one is to be slow.
type service func(seldom bool)

var services = map[string]func() service{
	"sleep":   sleeper,
	"mutex":   locker,
	"tokens":  tokens,
	"workers": workers,
	"backend": backend,
	"burner":  burner,
	"control": control,
	"timer":   timer,
	"fanout":  fanout,
}

// relays are services in which goroutines hand the requests of a connection to each other. They return what serves a
// connection.
var relays = map[string]func() func(net.Conn){
	"pumps": pumps,
	"pool":  pool,
}

// served counts requests; reached gets a value when it comes to goal.
var (
	served, goal atomic.Int64
	reached      = make(chan bool, 1)
)

// seldom says that the next request is to be slow.
func seldom() bool {
	n := served.Add(1)
	if n == goal.Load() {
		reached <- true
	}
	return n%40 == 0
}

// serve answers on a free port, and traces itself while /trace of another one is read; it prints both.
func serve(name string) {
	l, traces := listen(), listen()
	fmt.Println(l.Addr(), traces.Addr())
	traced := http.NewServeMux()
	traceOn(traced)
	go http.Serve(traces, traced)
	if make, ok := relays[name]; ok {
		relay(l, make())
	}
	name, limited := strings.CutPrefix(name, "limited ")
	name, divided := strings.CutPrefix(name, "divided ")
	do := services[name]()
	if divided {
		do = inParts(do)
	}
	var handler http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		do(seldom())
		io.WriteString(w, "hello")
	})
	if limited { // its handler runs in a goroutine of its own
		handler = http.TimeoutHandler(handler, time.Minute, "late")
	}
	panic(http.Serve(l, handler))
}

func listen() net.Listener {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	return l
}

func relay(l net.Listener, serve func(net.Conn)) {
	for {
		c, err := l.Accept()
		if err != nil {
			panic(err)
		}
		go serve(c)
	}
}

// each calls do for each request of a connection, which is not looked at.
func each(c net.Conn, do func()) {
	for in := make([]byte, 4096); ; {
		if _, err := c.Read(in); err != nil {
			return
		}
		do()
	}
}

const answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"

// pumps has a hub that all requests go through, and for each connection a goroutine that writes.
func pumps() func(net.Conn) {
	type message struct{ to chan bool }
	hub := make(chan message)
	q := newQueue()
	go func() {
		for m := range hub {
			if q.leave(); seldom() {
				q.another()
				time.Sleep(4 * time.Millisecond) // held pumps
			}
			m.to <- true
		}
	}()
	return func(c net.Conn) {
		out := make(chan bool, 16)
		go func() {
			for range out {
				io.WriteString(c, answer)
			}
		}()
		each(c, func() {
			q.join()
			hub <- message{out} // cause pumps
		})
	}
}

// pool has workers that write the answers, and a queue with room for all requests.
func pool() func(net.Conn) {
	jobs := make(chan net.Conn, 1000)
	for range 2 {
		go func() {
			for c := range jobs {
				if seldom() {
					time.Sleep(8 * time.Millisecond) // held pool
				}
				io.WriteString(c, answer)
			}
		}()
	}
	return func(c net.Conn) { each(c, func() { jobs <- c }) }
}

// traceOn answers with a trace of 300 ms, and of 600 requests at least: on a busy machine they take longer.
func traceOn(mux *http.ServeMux) {
	mux.HandleFunc("/trace", func(w http.ResponseWriter, r *http.Request) {
		if err := pprof.StartCPUProfile(io.Discard); err != nil {
			panic(err)
		}
		defer pprof.StopCPUProfile()
		if err := trace.Start(w); err != nil {
			panic(err)
		}
		least := time.After(300 * time.Millisecond)
		goal.Store(served.Load() + 600)
		select {
		case <-reached:
		case <-time.After(10 * time.Second):
		}
		<-least
		trace.Stop()
	})
}

// queue is what requests wait in.
type queue struct {
	waiting atomic.Int64
	joined  chan bool // has a value after a request came
}

func newQueue() *queue { return &queue{joined: make(chan bool, 1)} }

func (q *queue) join() {
	q.waiting.Add(1)
	select {
	case q.joined <- true:
	default:
	}
}

func (q *queue) leave() { q.waiting.Add(-1) }

// another returns when a request waits, after a second at most: on a busy machine nothing else may come for a while.
func (q *queue) another() {
	select {
	case <-q.joined: // it may have left
	default:
	}
	if q.waiting.Load() > 0 {
		return
	}
	select {
	case <-q.joined:
	case <-time.After(time.Second):
	}
}

func sleeper() service {
	return func(seldom bool) {
		if seldom {
			time.Sleep(20 * time.Millisecond) // cause sleep
		}
	}
}

func locker() service {
	var mu sync.Mutex
	q := newQueue()
	return func(seldom bool) {
		q.join()
		mu.Lock() // cause mutex
		q.leave()
		if seldom {
			q.another()
			time.Sleep(4 * time.Millisecond) // held mutex
		}
		mu.Unlock()
	}
}

func tokens() service {
	free := make(chan bool, 2)
	return func(seldom bool) {
		free <- true // cause tokens
		if seldom {
			time.Sleep(8 * time.Millisecond) // held tokens
		}
		<-free
	}
}

func workers() service {
	type job struct {
		slow bool
		done chan bool
	}
	jobs := make(chan job)
	for range 2 {
		go func() {
			for j := range jobs {
				if j.slow {
					time.Sleep(8 * time.Millisecond) // held workers
				}
				j.done <- true
			}
		}()
	}
	return func(seldom bool) {
		done := make(chan bool, 1)
		jobs <- job{seldom, done}
		<-done // cause workers
	}
}

func backend() service {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "slow") {
			time.Sleep(4 * time.Millisecond)
		}
	}))
	client := http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}}
	return func(seldom bool) {
		path := "/fast"
		if seldom {
			path = "/slow"
		}
		answer, err := client.Get("http://" + l.Addr().String() + path) // cause backend
		if err == nil {
			answer.Body.Close()
		}
	}
}

var sink int

func burn(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
		for i := range 1000 {
			sink += i // held burner
		}
	}
}

func burner() service {
	runtime.GOMAXPROCS(1)
	go func() {
		for {
			time.Sleep(20 * time.Millisecond)
			burn(6 * time.Millisecond)
		}
	}()
	return func(bool) {}
}

func control() service { return func(bool) {} }

func timer() service {
	return func(seldom bool) {
		if seldom {
			never := make(chan bool)
			select { // cause timer
			case <-never:
			case <-time.After(4 * time.Millisecond):
			}
		}
	}
}

// inParts does what a service does in goroutines of each request's own, for which the request waits.
func inParts(do service) service {
	return func(seldom bool) {
		var parts sync.WaitGroup
		for i := range 2 {
			parts.Go(func() { do(seldom && i == 0) })
		}
		parts.Wait()
	}
}

func fanout() service {
	return func(seldom bool) {
		var all sync.WaitGroup
		for i := range 3 {
			all.Go(func() {
				if seldom && i == 1 {
					time.Sleep(4 * time.Millisecond) // held fanout
				}
			})
		}
		all.Wait() // cause fanout
	}
}
