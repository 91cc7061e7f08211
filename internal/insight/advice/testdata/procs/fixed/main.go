// Command fixed adds up columns of a table, in parts that run side by side.
package main

import (
	"flag"
	"fmt"
	"log"
	"net/http"
	"strconv"
	"sync"
)

// table is columns of numbers.
type table struct {
	columns [][]int64
	parts   int
}

type share struct {
	sum, low, high int64
}

func (t *table) part(column []int64) *share {
	s := &share{low: 1 << 62, high: -1 << 62}
	for _, v := range column {
		s.sum += v
		s.low, s.high = min(s.low, v), max(s.high, v)
	}
	return s
}

// total asks a goroutine for each part.
func (t *table) total(column []int64) (all share) {
	all = share{low: 1 << 62, high: -1 << 62}
	var wg sync.WaitGroup
	shares := make([]*share, t.parts)
	for i := range shares {
		wg.Go(func() {
			n := len(column) / t.parts
			shares[i] = t.part(column[i*n : (i+1)*n])
		})
	}
	wg.Wait()
	for _, s := range shares {
		all.sum += s.sum
		all.low, all.high = min(all.low, s.low), max(all.high, s.high)
	}
	return all
}

func (t *table) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.FormValue("column"))
	if err != nil || n < 0 || n >= len(t.columns) {
		http.Error(w, "no such column", http.StatusNotFound)
		return
	}
	s := t.total(t.columns[n])
	fmt.Fprintf(w, "sum %d, from %d to %d\n", s.sum, s.low, s.high)
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	t := &table{parts: 8, columns: make([][]int64, 12)}
	for c := range t.columns {
		t.columns[c] = make([]int64, 16000)
		for i := range t.columns[c] {
			t.columns[c][i] = int64(i * (c + 3) % 1009)
		}
	}
	http.Handle("/total", t)
	log.Fatal(http.ListenAndServe(*addr, nil))
}
