// Package spin burns a known amount of CPU time: the slow-down that a calibration
// plants and then looks for.
package spin

import (
	"fmt"
	"math"
	"net"
	"net/http"
	"runtime"
	"time"
)

// Spin runs n iterations of a loop with one addition, one exclusive or and one
// comparison, about one cycle each; none if n is 0 or less. It neither touches memory
// nor allocates.
func Spin(n int) { runtime.KeepAlive(loop(n)) }

// loop returns what depends on every iteration and is never inlined, so that the compiler
// cannot leave any out.
//
//go:noinline
func loop(n int) uint64 {
	var x uint64
	for i := range n {
		x ^= uint64(i)
	}
	return x
}

// NanosPerIteration times Spin on this machine and now: the least of several tries, since
// whatever else runs can only add to it.
func NanosPerIteration() float64 {
	const iterations, tries = 1 << 20, 9
	least := math.Inf(1)
	for range tries {
		began := time.Now()
		Spin(iterations)
		least = min(least, float64(time.Since(began)))
	}
	return least / iterations
}

// Handler spins n iterations before each request that next answers.
func Handler(next http.Handler, n int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		Spin(n)
		next.ServeHTTP(w, r)
	})
}

// Listener accepts TCP connections that spin n iterations for each answer of answerSize
// bytes that they write, before they write. The connections keep what *net.TCPConn can
// do, but are none: a type assertion to it fails.
func Listener(ln net.Listener, n, answerSize int) net.Listener {
	return listener{Listener: ln, iterations: n, answerSize: answerSize}
}

type listener struct {
	net.Listener
	iterations, answerSize int
}

func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err // net's own error: servers look at what kind it is
	}
	tcp, ok := c.(*net.TCPConn)
	if !ok {
		c.Close()
		return nil, fmt.Errorf("accept %T: want a TCP connection", c)
	}
	return &conn{TCPConn: tcp, iterations: l.iterations, answerSize: l.answerSize}, nil
}

type conn struct {
	*net.TCPConn
	iterations, answerSize int
}

func (c *conn) Write(p []byte) (int, error) {
	Spin(len(p) / c.answerSize * c.iterations)
	return c.TCPConn.Write(p)
}
