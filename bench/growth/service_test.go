package growth

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gohone/hone/bench/growth/leaks"
	"github.com/gohone/hone/bench/proc"
)

// TestMain lets tests run where the case does, in the directory bench.
func TestMain(m *testing.M) {
	if err := os.Chdir(".."); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

const (
	before   = 200  // requests before the first figures: what a fixed service remembers is then there
	filled   = 2000 // those after which the cache is full
	requests = 1000 // those of which it is counted what is kept
)

// least is how much a service keeps of one request, which counts as kept; less than half of it counts as nothing. The runtime of any
// process may keep some 20 kB more after a while, such as for a further thread.
var least = map[leaks.Measure]float64{leaks.Heap: 100, leaks.Goroutines: 0.02, leaks.Descriptors: 0.02}

// Each kind keeps what it says, and nothing else, and the fixed service and decoys keep nothing.
func TestServicesKeepWhatTheySay(t *testing.T) {
	program := filepath.Join(t.TempDir(), "svc")
	if err := proc.BuildGo(t.Context(), servicesDir, program, "./svc"); err != nil {
		t.Fatal(err)
	}
	for _, k := range leaks.All {
		for _, fixed := range []bool{true, false} {
			name := k.Name
			if fixed {
				name += " fixed"
			}
			t.Run(name, func(t *testing.T) {
				kept := kept(t, program, k, fixed)
				t.Logf("%v per request", kept)
				for _, m := range leaks.Measures {
					keeps := !fixed && slices.Contains(k.Keeps, m)
					if keeps && kept[m] < least[m] || !keeps && kept[m] >= least[m]/2 {
						t.Errorf("%s: %.3g kept of a request, want keeps %v", m, kept[m], keeps)
					}
				}
			})
		}
	}
}

// kept starts a service, and says how much of each measure it keeps of one request.
func kept(t *testing.T, program string, k leaks.Kind, fixed bool) map[leaks.Measure]float64 {
	t.Helper()
	p, err := proc.Serve(t.Context(), -1, proc.Command{Program: program, Args: []string{"-kind", k.Name, fmt.Sprintf("-fixed=%v", fixed)}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Stop()
	address := p.Addr
	if k.Name == "cache" {
		ask(t, address, filled)
	}
	ask(t, address, before)
	figures(t, address) // the first ones leave something behind themselves
	first := figures(t, address)
	ask(t, address, requests)
	all := map[leaks.Measure]float64{}
	for m, n := range figures(t, address) {
		all[m] = float64(n-first[m]) / requests
	}
	return all
}

// ask sends requests one after the other.
func ask(t *testing.T, address string, n int) {
	t.Helper()
	for range n {
		if text := get(t, "http://"+address+"/"); string(text) != "ok\n" {
			t.Fatalf("answer %q", text)
		}
	}
}

// figures are what a service shows of itself.
func figures(t *testing.T, address string) (all map[leaks.Measure]int) {
	t.Helper()
	if err := json.Unmarshal(get(t, "http://"+address+"/figures"), &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func get(t *testing.T, url string) []byte {
	t.Helper()
	answer, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", text, answer.Status, err)
	}
	return text
}
