// Package leaks are kinds of HTTP services, of which most keep something of each request. It knows nothing of hone, and neither does the
// service around it, package svc.
package leaks

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"io"
	"net/http"
	"slices"
	"sync/atomic"
)

// Measure is what a service can keep of a request, by the key of hone's measure of it.
type Measure string

// The measures.
const (
	Heap        Measure = "growth" // bytes that a collection leaves
	Goroutines  Measure = "goroutines"
	Descriptors Measure = "descriptors"
)

// Measures are all of them.
var Measures = []Measure{Heap, Goroutines, Descriptors}

// Kind is one service.
type Kind struct {
	Name string
	// Keeps is what the service keeps more of with every request, first what its defect is known for. A decoy keeps nothing.
	Keeps []Measure
	make  func(fixed bool) serve
}

// serve is what a kind does with one request: id is its number from 1 on, page what was made for it, 1 KiB.
type serve func(ctx context.Context, id int, page []byte)

// All are the kinds, each a file of this package.
var All = []Kind{
	{"map", []Measure{Heap}, sessionsMap},
	{"slice", []Measure{Heap}, auditSlice},
	{"context", []Measure{Heap}, chainedContext},
	{"list", []Measure{Heap}, sessionsList},
	{"syncmap", []Measure{Heap}, syncMap},
	{"timer", []Measure{Heap}, timers},
	{"channel", []Measure{Heap}, backlog},
	{"callbacks", []Measure{Heap}, callbacks},
	{"ring", []Measure{Heap}, ringLog},
	{"goroutine", []Measure{Goroutines, Heap}, blockedSend},
	{"ticker", []Measure{Goroutines, Heap}, tickers},
	{"body", []Measure{Goroutines, Descriptors, Heap}, openBody},
	{"files", []Measure{Descriptors, Heap}, openFiles},
	{"garbage", nil, garbage},
	{"cache", nil, boundedCache},
	{"pool", nil, pooled},
	{"workers", nil, workers},
}

// Named is the kind with a name; false if there is none.
func Named(name string) (Kind, bool) {
	i := slices.IndexFunc(All, func(k Kind) bool { return k.Name == name })
	if i < 0 {
		return Kind{}, false
	}
	return All[i], true
}

// Decoy says that the service keeps nothing, fixed or not.
func (k Kind) Decoy() bool { return len(k.Keeps) == 0 }

// Handler is the service, fixed or with its defect. Both give the same answers.
func (k Kind) Handler(fixed bool) http.Handler {
	var requests atomic.Int64
	serve := k.make(fixed)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := int(requests.Add(1))
		serve(r.Context(), id, page(id))
		_, _ = io.WriteString(w, "ok\n") // a client that is gone needs no answer
	})
}

// rounds make a request cost some ten microseconds, as one of a real service does.
const rounds = 20

// page is made for a request.
func page(id int) []byte {
	text := make([]byte, 1<<10)
	binary.LittleEndian.PutUint64(text, uint64(id))
	for range rounds {
		sum := sha256.Sum256(text)
		copy(text, sum[:])
	}
	return text
}

// few is how many requests fixed services remember.
const few = 100
