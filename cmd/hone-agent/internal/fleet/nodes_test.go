package fleet

import (
	"fmt"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/gohone/hone/cmd/hone-agent/internal/natslink"
	"github.com/gohone/hone/load"
)

// brokers starts a NATS cluster of n nodes that know each other, and returns them with the URL of all.
func brokers(t *testing.T, n int, token string) (nodes []*server.Server, all string) {
	t.Helper()
	var routes []*url.URL
	var urls []string
	for i := range n {
		s, err := server.NewServer(&server.Options{
			ServerName: fmt.Sprint("node", i), Host: "127.0.0.1", Port: server.RANDOM_PORT, Authorization: token,
			NoSigs: true, NoLog: true,
			Cluster: server.ClusterOpts{Name: "test", Host: "127.0.0.1", Port: server.RANDOM_PORT}, Routes: routes,
		})
		if err != nil {
			t.Fatal(err)
		}
		go s.Start() // ends with the test
		t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
		if !s.ReadyForConnections(10 * time.Second) {
			t.Fatal("a broker did not come up")
		}
		nodes, urls = append(nodes, s), append(urls, fmt.Sprintf("nats://%s", s.Addr()))
		routes = append(routes, &url.URL{Scheme: "nats", Host: s.ClusterAddr().String()})
	}
	for _, s := range nodes {
		for deadline := time.Now().Add(10 * time.Second); s.NumRoutes() < n-1; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("a broker has %d routes, want %d", s.NumRoutes(), n-1)
			}
		}
	}
	return nodes, strings.Join(urls, ",")
}

// With a cluster of brokers one of them may die in mid-run: coordinator and agents go on by the others, and nothing is
// lost.
func TestOneBrokerOfThreeDies(t *testing.T) {
	t.Parallel() // it mostly waits
	s := newSite(t)
	nodes, all := brokers(t, 3, s.keys.Token)
	s.url = all
	for _, name := range []string{"a0", "a1", "a2"} {
		s.serve(&Agent{Name: name})
	}
	var first atomic.Bool
	begun := make(chan struct{})
	target, count := counted(t, func(string) {
		if !first.Swap(true) {
			close(begun)
		}
	})
	died := make(chan struct{})
	go func() {
		defer close(died)
		<-begun
		most := nodes[0]
		for _, n := range nodes[1:] { // the one that has most of the clients
			if n.NumClients() > most.NumClients() {
				most = n
			}
		}
		most.Shutdown()
		most.WaitForShutdown()
	}()
	out, err := s.coordinator(3).Run(t.Context(), t.Context(), request(target, load.OpenLoop(150, 4*time.Second)))
	<-died
	if out == nil || out.Recording.Final.Counts.Answered != 600 || count.Load() != 600 ||
		load.Invalid(out.Recording.Final.Doubts) != nil && out.Recording.Final.Doubts[0].Name == load.DoubtLost {
		t.Fatalf("%v, the server saw %d, want 600", err, count.Load())
	}
}

// A broker that is not hone's, without the right token, is a clear error.
func TestStrangersAreKeptOut(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	_, err := natslink.Connect(natslink.Options{URL: s.broker.URL(), Token: "wrong"})
	if err == nil || !strings.Contains(err.Error(), "refuses") {
		t.Errorf("%v", err)
	}
	if _, err := natslink.Connect(natslink.Options{URL: "nats://127.0.0.1:1"}); err == nil ||
		!strings.Contains(err.Error(), "no broker answers") {
		t.Errorf("%v", err)
	}
	if _, err := natslink.Serve(strings.TrimPrefix(s.broker.URL(), "nats://"), "x"); err == nil ||
		!strings.Contains(err.Error(), "address already in use") {
		t.Errorf("%v", err)
	}
}
