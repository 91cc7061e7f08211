// Command downloads reads a few bytes of each answer and does not close its body: the connection stays, with its buffers.
package main

import (
	"context"
	"io"
	"net"
	"net/http"

	"holding/heap"
)

// pipes are a listener and a dialer without a network.
type pipes struct{ accepted chan net.Conn }

func (p pipes) Accept() (net.Conn, error) {
	if c, ok := <-p.accepted; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}

func (p pipes) Close() error   { close(p.accepted); return nil }
func (p pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipes"} }

func (p pipes) dial(context.Context, string, string) (net.Conn, error) {
	here, there := net.Pipe()
	p.accepted <- there
	return here, nil
}

var (
	network = pipes{make(chan net.Conn)}
	quit    = make(chan struct{})
	files   = &http.Server{Handler: http.HandlerFunc(serve)}
	client  = &http.Client{Transport: &http.Transport{DialContext: network.dial, ReadBufferSize: 1 << 20}}
	// lifetime is the context of all requests, which ends at the end only.
	lifetime, end = context.WithCancel(context.Background())
)

func serve(w http.ResponseWriter, _ *http.Request) {
	w.Write(make([]byte, 1000))
	w.(http.Flusher).Flush()
	<-quit
}

func download() {
	request, err := http.NewRequestWithContext(lifetime, http.MethodGet, "http://files/a", nil)
	if err != nil {
		panic(err)
	}
	answer, err := client.Do(request) //holder: persistConn | readLoop | writeLoop | download | client
	if err != nil {
		panic(err)
	}
	if _, err := io.ReadFull(answer.Body, make([]byte, 100)); err != nil {
		panic(err)
	}
}

func main() {
	heap.Program{
		Build: func(size int) {
			go files.Serve(network) // ends when files is closed
			for range size >> 20 {
				download()
			}
		},
		Clear: func() {
			end()
			close(quit)
			files.Close()
		},
	}.Main()
}
