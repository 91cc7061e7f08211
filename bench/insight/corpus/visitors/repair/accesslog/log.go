// Package accesslog writes one line per request.
package accesslog

import (
	"bufio"
	"errors"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"
)

// Log is an open log file.
type Log struct {
	mu   sync.Mutex
	file *os.File
	out  *bufio.Writer
	quit chan struct{}
}

// Open opens or makes the file.
func Open(name string) (*Log, error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	l := &Log{file: f, out: bufio.NewWriterSize(f, 32<<10), quit: make(chan struct{})}
	go l.flushEvery(time.Second)
	return l, nil
}

// flushEvery ends when the log is closed.
func (l *Log) flushEvery(d time.Duration) {
	tick := time.NewTicker(d)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			l.mu.Lock()
			l.out.Flush()
			l.mu.Unlock()
		case <-l.quit:
			return
		}
	}
}

// Close closes the file.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.quit)
	return errors.Join(l.out.Flush(), l.file.Close())
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
	l.out.WriteString(value)
	l.out.WriteString(sep)
}
