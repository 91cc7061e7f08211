package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"corpus/truth"

	"golang.org/x/sync/singleflight"
)

const fresh = 700 * time.Millisecond

type corridor struct {
	Fixed   int     `json:"fixed"`
	Percent float64 `json:"percent"`
	Rate    float64 `json:"rate"`
	read    time.Time
}

// fees keeps the bank's fees of each corridor for a while and reads each only once at a time.
type fees struct {
	bank   string
	client *http.Client
	flight singleflight.Group

	mu    sync.RWMutex
	known map[string]corridor
}

func newFees(bank string) *fees {
	return &fees{bank: bank, client: &http.Client{Timeout: time.Second}, known: map[string]corridor{}}
}

func (f *fees) of(t *truth.Request, name string) (corridor, error) {
	f.mu.RLock()
	c, ok := f.known[name]
	f.mu.RUnlock()
	if ok && time.Since(c.read) < fresh {
		return c, nil
	}
	first, from := false, time.Now()
	v, err, _ := f.flight.Do(name, func() (any, error) {
		first = true
		return f.read(name)
	})
	if first {
		t.Since("read fees", from)
	} else {
		t.Since("others' read", from)
	}
	if err != nil {
		return corridor{}, err
	}
	return v.(corridor), nil
}

func (f *fees) read(name string) (any, error) {
	answer, err := f.client.Get(f.bank + "/?corridor=" + name)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("bank: %s", answer.Status)
	}
	var c corridor
	if err := json.NewDecoder(answer.Body).Decode(&c); err != nil {
		return nil, err
	}
	c.read = time.Now()
	f.mu.Lock()
	f.known[name] = c
	f.mu.Unlock()
	return c, nil
}
