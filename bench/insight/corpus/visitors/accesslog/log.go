// Package accesslog writes one line per request.
package accesslog

import (
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"
)

// Log is an open log file.
type Log struct {
	mu  sync.Mutex
	out io.WriteCloser
}

// Open opens or makes the file.
func Open(name string) (*Log, error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	return &Log{out: f}, nil
}

// Close closes the file.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.Close()
}

type recorder struct {
	http.ResponseWriter
	status int
	bytes  int
}

func (r *recorder) WriteHeader(code int) {
	r.status = code
	r.ResponseWriter.WriteHeader(code)
}

func (r *recorder) Write(p []byte) (int, error) {
	n, err := r.ResponseWriter.Write(p)
	r.bytes += n
	return n, err
}

// Middleware logs each request after its response.
func (l *Log) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := &recorder{ResponseWriter: w, status: http.StatusOK}
		begin := time.Now()
		next.ServeHTTP(rec, r)
		host, _, _ := net.SplitHostPort(r.RemoteAddr)
		l.mu.Lock()
		defer l.mu.Unlock()
		l.field(begin.UTC().Format(time.RFC3339), " ")
		l.field(host, " ")
		l.field(r.Method, " ")
		l.field(r.URL.RequestURI(), " ")
		l.field(strconv.Itoa(rec.status), " ")
		l.field(strconv.Itoa(rec.bytes), " ")
		l.field(strconv.Quote(r.Referer()), " ")
		l.field(strconv.Quote(r.UserAgent()), "\n")
	})
}

func (l *Log) field(value, sep string) {
	if value == "" {
		value = "-"
	}
	io.WriteString(l.out, value)
	io.WriteString(l.out, sep)
}
