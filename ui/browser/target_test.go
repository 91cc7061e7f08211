package browser

import (
	"net"
	"net/http"
	"time"
)

// server answers requests on this machine.
type server struct {
	*http.Server
	Addr string
}

// answering starts a server to load.
func answering() (*server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &server{Addr: l.Addr().String(), Server: &http.Server{
		ReadHeaderTimeout: time.Minute,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte("hello\n"))
		}),
	}}
	go func() { _ = s.Serve(l) }() // ends with Close
	return s, nil
}
