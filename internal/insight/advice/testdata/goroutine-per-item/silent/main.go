// Command silent answers with the sums of four files' worth of readings, each added up by a goroutine of its own.
package main

import (
	"flag"
	"fmt"
	"log"
	"math"
	"net/http"
	"sync"
)

type series []float64

// energy is the root of the sum of squares.
func (s series) energy() (sum float64) {
	for _, v := range s {
		sum += v * v
	}
	return math.Sqrt(sum)
}

type station []series

func (st station) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	sums := make([]float64, len(st))
	var wg sync.WaitGroup
	for i, s := range st {
		wg.Go(func() { sums[i] = s.energy() })
	}
	wg.Wait()
	for i, sum := range sums {
		fmt.Fprintf(w, "%d %.2f\n", i, sum)
	}
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	st := make(station, 4)
	for i := range st {
		for j := range 60_000 {
			st[i] = append(st[i], math.Sin(float64(i*j)))
		}
	}
	http.Handle("GET /energy", st)
	log.Fatal(http.ListenAndServe(*addr, nil))
}
