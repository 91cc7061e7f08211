package web

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"net"
	"net/http"
	"time"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/sys/pageserver"
	"github.com/gohone/hone/internal/sys/sameorigin"
	"github.com/gohone/hone/internal/view/page"
)

// Config is what a server shows, and to whom.
type Config struct {
	// Ledger is the directory of the ledger. It is opened for each request, for reading.
	Ledger string
	// Library makes the pages of a ledger that is open.
	Library func(*ledger.Ledger) *page.Library
	// Series are the series of hone track.
	Series Series
	// Host is the name that the server was asked for under, besides localhost and IP addresses; it may be empty.
	Host string
	// Certificate is that of TLS; nil serves plain HTTP.
	Certificate *tls.Certificate
}

// Server serves the pages of a ledger. It only reads.
type Server struct {
	Config
	door    *door
	streams chan struct{} // held by each stream of /api/v1/live
	busy    chan struct{} // held by each page that is being made
	// heartbeat is the time between two signs of life in a stream, patience how long a reader may take for one event.
	heartbeat, patience time.Duration
}

// Bounds of a server. A browser has one stream for each of its tabs.
const (
	mostStreams = 16
	mostBusy    = 4
)

// NewServer makes a server with a token of 128 random bits.
func NewServer(c Config) *Server {
	return &Server{
		Config: c, door: &door{token: rand.Text(), session: rand.Text(), secure: c.Certificate != nil},
		streams: make(chan struct{}, mostStreams), busy: make(chan struct{}, mostBusy),
		heartbeat: 15 * time.Second, patience: 10 * time.Second,
	}
}

// Address is where a browser begins, with the token. host is HOST:PORT.
func (s *Server) Address(host string) string {
	scheme := "http"
	if s.Certificate != nil {
		scheme = "https"
	}
	return scheme + "://" + host + "/?" + tokenName + "=" + s.door.token
}

// Serve answers until the context ends, and closes the listener. Requests then have a moment to end; streams end at
// once. The error is nil if it was the context that ended it.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	return pageserver.Serve(ctx, ln, s.handler(ln.Addr()), s.Certificate)
}

// handler answers requests to a server that listens at address.
func (s *Server) handler(address net.Addr) http.Handler {
	ours := sameorigin.Hosts(address, s.names()...)
	mux := http.NewServeMux()
	addAssets(mux)
	s.addAnswers(mux)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		refuse(w, r, http.StatusNotFound, "There is no such page.", "open /")
	})
	return guarded(s.door.guarded(mux), ours)
}

// names are those of the server in Host headers: who has a certificate for a name owns it.
func (s *Server) names() []string {
	names := []string{s.Host}
	if s.Certificate != nil && s.Certificate.Leaf != nil {
		names = append(names, s.Certificate.Leaf.DNSNames...)
	}
	return names
}
