// Command fixed takes batches of events as JSON and adds them up by kind.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"io"
	"log"
	"net/http"
	"sync"
)

var errShape = errors.New("not a batch of events")

// totals are sums by kind.
type totals struct {
	mu  sync.Mutex
	sum map[string]float64
	n   int
}

func (t *totals) add(kind string, value float64) {
	t.mu.Lock()
	t.sum[kind] += value
	t.n++
	t.mu.Unlock()
}

// collect reads a batch.
func (t *totals) collect(text []byte) (int, error) {
	var batch struct {
		Events []struct {
			Kind  *string  `json:"kind"`
			Value *float64 `json:"value"`
		} `json:"events"`
	}
	if err := json.Unmarshal(text, &batch); err != nil {
		return 0, err
	}
	for _, e := range batch.Events {
		if e.Kind == nil || e.Value == nil {
			return 0, errShape
		}
		t.add(*e.Kind, *e.Value)
	}
	return len(batch.Events), nil
}

func (t *totals) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<16))
	if err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	n, err := t.collect(text)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]int{"taken": n})
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	t := &totals{sum: map[string]float64{}}
	http.Handle("POST /events", t)
	log.Fatal(http.ListenAndServe(*addr, nil))
}
