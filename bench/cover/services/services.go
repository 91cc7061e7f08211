// Package services are ten small services with an access log, and what a client can ask each of them for. It knows nothing of hone, and
// neither does the program around it, package svc.
package services

import (
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"time"
)

// Service is one of them. It has a handler, or a protocol of its own.
type Service struct {
	Name      string
	Endpoints []Endpoint
	format    format
	handler   func() http.Handler
	serve     func(net.Listener, io.Writer) error
}

// Endpoint is one kind of request.
type Endpoint struct {
	Name string
	// Method is that of HTTP; empty for a command of RESP.
	Method string
	// Request is a path with its query, or a command. {key} stands for a number below Keys, {size} for one of Least to Most.
	Request     string
	Keys        int
	Least, Most int
	// Body is that of a POST, with the same words in braces.
	Body string
}

// All are the services, each a file of this package.
var All = []Service{catalogue, profiles, pages, archive, search, pictures, routes, store, queue, sums}

// Named is the service with a name; false if there is none.
func Named(name string) (Service, bool) {
	i := slices.IndexFunc(All, func(s Service) bool { return s.Name == name })
	if i < 0 {
		return Service{}, false
	}
	return All[i], true
}

// HTTP says that the service speaks HTTP.
func (s Service) HTTP() bool { return s.serve == nil }

// Serve answers until the listener fails. Each request becomes a line of the log.
func (s Service) Serve(ln net.Listener, out io.Writer) error {
	if !s.HTTP() {
		return s.serve(ln, out)
	}
	return http.Serve(ln, logged(s.handler(), s.format, log.New(out, "", 0)))
}

// logged writes a line for each request. A logger writes one line at a time.
func logged(next http.Handler, line format, out *log.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e := entry{at: time.Now(), request: r, status: http.StatusOK}
		next.ServeHTTP(&counter{w, &e}, r)
		e.took = time.Since(e.at)
		out.Print(line(&e))
	})
}

// counter notes the status and the length of an answer.
type counter struct {
	http.ResponseWriter
	*entry
}

func (c *counter) WriteHeader(status int) {
	c.status = status
	c.ResponseWriter.WriteHeader(status)
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.ResponseWriter.Write(p)
	c.bytes += n
	return n, err
}
