// Command fixed signs messages, and remembers the numbers it gave out so that none is given twice.
package main

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"flag"
	"io"
	"log"
	"net/http"
	"sync"
	"time"
)

type receipt struct {
	number string
	size   int
	at     time.Time
	remote string
}

// office hands out numbers.
type office struct {
	mu    sync.Mutex
	given map[string]*receipt
	order []string // the numbers of the last receipts, a ring
	next  int
}

func number() string {
	var b [16]byte
	rand.Read(b[:]) // never fails: it ends the program instead
	return hex.EncodeToString(b[:])
}

func (o *office) give(size int, remote string) *receipt {
	o.mu.Lock()
	defer o.mu.Unlock()
	for {
		n := number()
		if _, taken := o.given[n]; taken {
			continue
		}
		r := &receipt{number: n, size: size, at: time.Now(), remote: remote}
		delete(o.given, o.order[o.next])
		o.order[o.next] = n
		o.next = (o.next + 1) % len(o.order)
		o.given[n] = r
		return r
	}
}

func (o *office) sign(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 4096))
	if err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	given := o.give(len(body), r.RemoteAddr)
	_ = json.NewEncoder(w).Encode(map[string]any{"signed": given.size, "digits": len(given.number)})
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	o := &office{given: make(map[string]*receipt), order: make([]string, 1000)}
	http.HandleFunc("POST /sign", o.sign)
	log.Fatal(http.ListenAndServe(*addr, nil))
}
