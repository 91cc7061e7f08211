// Command speaks is the front of a store of documents that it reaches over a few connections.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/gohone/hone/internal/insight/advice/testdata/backend"
	"github.com/gohone/hone/internal/insight/advice/testdata/small-pool/speaks/dialer"
)

// front asks the store.
type front struct{ conns *dialer.Group[*store] }

// store is one connection.
type store struct {
	net.Conn
	in *bufio.Reader
}

func (s *store) load(name string) (string, error) {
	if _, err := fmt.Fprintf(s, "load %s\n", name); err != nil {
		return "", err
	}
	text, err := s.in.ReadString('\n')
	return strings.TrimPrefix(text, "re:"), err
}

func (f *front) document(ctx context.Context, name string) (string, error) {
	s, err := f.conns.Take(ctx) // want: small-pool
	if err != nil {
		return "", err
	}
	defer f.conns.Give(s)
	return s.load(name)
}

func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text, err := f.document(r.Context(), strings.TrimPrefix(r.URL.Path, "/"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	fmt.Fprintln(w, len(text), text)
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	address, err := backend.Start(3 * time.Millisecond)
	if err != nil {
		log.Fatal(err)
	}
	conns, err := dialer.Open(3, func() (*store, error) { // want: small-pool
		c, err := net.Dial("tcp", address)
		if err != nil {
			return nil, err
		}
		return &store{c, bufio.NewReader(c)}, nil
	})
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.ListenAndServe(*addr, &front{conns}))
}
