// Package natslink carries the messages of a cluster over NATS: a broker of its own in this process, or one of the
// user's.
package natslink

import (
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/gohone/hone/internal/text/fail"
)

// Broker is a NATS server in this process. It has no disk: agents keep what was not acknowledged.
type Broker struct{ server *server.Server }

// maxPayload is the largest message in bytes: a job with its feed.
const maxPayload = 8 << 20

// DefaultListen is where a broker of our own listens.
const DefaultListen = "127.0.0.1:4222"

// Serve starts a broker at an address, which clients enter with the token.
func Serve(listen, token string) (*Broker, error) {
	host, portText, err := net.SplitHostPort(listen)
	port, err2 := strconv.Atoi(portText)
	if err != nil || err2 != nil || port < 0 || port > 65535 {
		return nil, fail.New(fail.BadInput, "%q is not an address for a broker", listen).WithHint("write it like %s",
			DefaultListen)
	}
	if token == "" {
		return nil, fail.New(fail.BadInput, "a broker needs a token")
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	s, err := server.NewServer(&server.Options{
		ServerName: "hone", Host: host, Port: port, Authorization: token, MaxPayload: maxPayload, MaxPending: 64 << 20,
		NoSigs: true, NoLog: true,
	})
	if err != nil {
		return nil, fail.New(fail.Environment, "start a broker: %w", err)
	}
	probe, err := net.Listen("tcp", listen) // the server would only log that it cannot listen
	if err != nil {
		return nil, fail.New(fail.Environment, "start a broker at %s: %w", listen, err).
			WithHint("if a broker runs there already: --nats nats://%s", listen)
	}
	probe.Close()
	go s.Start() // ends with Close
	if !s.ReadyForConnections(5 * time.Second) {
		s.Shutdown()
		return nil, fail.New(fail.Environment, "start a broker at %s: it did not come up", listen)
	}
	return &Broker{s}, nil
}

// URL is where clients find the broker.
func (b *Broker) URL() string { return fmt.Sprintf("nats://%s", b.server.Addr()) }

// Close ends the broker.
func (b *Broker) Close() {
	b.server.Shutdown()
	b.server.WaitForShutdown()
}
