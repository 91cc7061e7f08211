// Command speaks takes the state that devices report, and says whether it changed.
package main

import (
	"encoding/json"
	"flag"
	"log"
	"net/http"
	"reflect"
	"sync"
)

type channel struct {
	Name  string `json:"name"`
	Level int    `json:"level"`
	On    bool   `json:"on"`
}

type state struct {
	Firmware string    `json:"firmware"`
	Channels []channel `json:"channels"`
	Tags     []string  `json:"tags"`
}

// twin is the last state of a device, as it was read.
type twin struct {
	mu    sync.Mutex
	known [64]state
	last  state
}

// matches is how many of the known states are the reported one.
func (t *twin) matches(s *state) (n int) {
	for i := range t.known {
		if reflect.DeepEqual(&t.known[i], s) { // want: reflection
			n++
		}
	}
	return n
}

func (t *twin) report(s state) (changed bool, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n = t.matches(&s)
	changed = len(t.last.Channels) != len(s.Channels)
	t.last = s
	return changed, n
}

func (t *twin) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var s state
	if err := json.NewDecoder(r.Body).Decode(&s); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	_, n := t.report(s)
	json.NewEncoder(w).Encode(struct {
		Matches int `json:"matches"`
	}{n})
}

func newTwin() *twin {
	t := new(twin)
	for i := range t.known {
		t.known[i] = state{Firmware: "1.4.2", Tags: []string{"hall", "lamp"}}
		for c := range 4 {
			t.known[i].Channels = append(t.known[i].Channels, channel{Name: "c" + string(rune('0'+c)), Level: c * 10 * min(i, 1), On: c%2 == 0})
		}
	}
	return t
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	http.Handle("POST /state", newTwin())
	log.Fatal(http.ListenAndServe(*addr, nil))
}
