package fleet

import (
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gohone/hone/internal/judge/limit"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/load"
)

// seenPaths counts requests by their path.
type seenPaths struct {
	sync.Mutex
	count map[string]int
}

func (s *seenPaths) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.Lock()
	defer s.Unlock()
	if s.count == nil {
		s.count = map[string]int{}
	}
	s.count[r.URL.Path]++
	fmt.Fprintf(w, `{"id": "of%s"}`, strings.ReplaceAll(r.URL.Path, "/", "-"))
}

// The content of a file of certificates goes with the job: agents do not have the file.
func TestAgentsGetCertificates(t *testing.T) {
	t.Parallel() // it mostly waits
	s := newSite(t, &Agent{}, &Agent{})
	server := httptest.NewTLSServer(&seenPaths{})
	t.Cleanup(server.Close)
	r := request(server.URL, load.Schedule{Requests: 20})
	co := s.coordinator(2)
	if out, err := co.Run(t.Context(), t.Context(), r); out != nil || err == nil ||
		!strings.Contains(err.Error(), "certificate") {
		t.Fatalf("without the certificate: %v", err)
	}
	s.await(2, "failed")
	r.Protocol.TLS.CAs = filepath.Join(t.TempDir(), "ca.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(r.Protocol.TLS.CAs, text, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := co.Run(t.Context(), t.Context(), r)
	if out == nil || out.Recording.Final.Counts.Answered != 20 {
		t.Fatalf("%+v, %v", out, err)
	}
}

// A list that is replayed at its moments is dealt out with them: each of its requests is sent once.
func TestAgentsReplayAList(t *testing.T) {
	t.Parallel() // it mostly waits
	s := newSite(t, &Agent{CapacityHz: 1000}, &Agent{CapacityHz: 3000})
	paths := &seenPaths{}
	server := httptest.NewServer(paths)
	t.Cleanup(server.Close)
	r := request(server.URL, load.Schedule{})
	for i := range 150 {
		r.Protocol.Requests = append(r.Protocol.Requests, wire.Request{Method: "GET", Path: fmt.Sprint("/item/", i)})
		r.Protocol.Order = append(r.Protocol.Order, uint32(i))
		r.Schedule.Replay = append(r.Schedule.Replay, time.Duration(i)*10*time.Millisecond)
	}
	out, err := s.coordinator(2).Run(t.Context(), t.Context(), r)
	if out == nil || out.Recording.Final.Counts.Answered != 150 {
		t.Fatalf("%+v, %v", out, err)
	}
	for i := range 150 {
		if n := paths.count[fmt.Sprint("/item/", i)]; n != 1 {
			t.Errorf("request %d was sent %d times", i, n)
		}
	}
}

// A sequence is carried out on each connection of each agent.
func TestAgentsCarryOutSequences(t *testing.T) {
	t.Parallel() // it mostly waits
	s := newSite(t, &Agent{}, &Agent{})
	paths := &seenPaths{}
	server := httptest.NewServer(paths)
	t.Cleanup(server.Close)
	r := request(server.URL, load.Schedule{Requests: 100})
	r.Plan.Connections = 2
	r.Protocol.Sequence, r.Protocol.Requests = true, []wire.Request{
		{Path: "/login", Once: true, Take: []wire.Take{{Name: "id", JSON: "id"}}},
		{Path: "/items/{id}"},
	}
	out, err := s.coordinator(2).Run(t.Context(), t.Context(), r)
	if out == nil || out.Recording.Final.Counts.Answered != 100 {
		t.Fatalf("%+v, %v", out, err)
	}
	if paths.count["/login"] != 2 || paths.count["/items/of-login"] != 98 {
		t.Errorf("%v", paths.count)
	}
}

// The highest rate of all agents together: each rate is tried by both, and the result is one run.
func TestAgentsFindTheHighestRate(t *testing.T) {
	t.Parallel() // it mostly waits
	s := newSite(t, &Agent{}, &Agent{})
	url, _ := counted(t, func(string) { time.Sleep(20 * time.Millisecond) }) // 7 connections: 350 requests/s at most
	below, err := limit.ParseThreshold("p99<5s")
	if err != nil {
		t.Fatal(err)
	}
	const within = 8 * time.Second
	r := request(url, load.Schedule{Duration: within})
	r.FindMax, r.Duration = []limit.Threshold{below}, within
	out, err := s.coordinator(0).FindMax(t.Context(), t.Context(), r)
	if out == nil || out.Search == nil || fail.KindOf(err) == fail.Storage {
		t.Fatal(out, err)
	}
	// On a busy machine agents send late: the search then says that the generator ended it, and not the target.
	fewest := 50.0
	if out.Search.Generator {
		fewest = 0
	}
	if best := out.Search.BestHz; err == nil && (best <= fewest || best > 400) || len(out.Search.Probes) < 3 {
		t.Errorf("best %.0f/s of %+v", best, out.Search.Probes)
	}
	if out.Run == "" || len(out.Recording.Header.Parts) != 2 {
		t.Errorf("run %q of %d agents", out.Run, len(out.Recording.Header.Parts))
	}
}
