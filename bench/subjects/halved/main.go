// Command subject is a service whose answers take several functions of some 10 us each. With
// -half one of them does half its work.
package main

import (
	"flag"
	"hash/crc32"
	"log"
	"math"
	"net/http"
	"slices"
	"strconv"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "address to listen on")
	half := flag.Bool("half", false, "compare half as much")
	flag.Parse()
	n := 30_000
	if *half {
		n /= 2
	}
	log.Fatal(http.ListenAndServe(*addr, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seed := uint64(len(r.URL.Path))
		sum := multiply(seed, 6_000) + compare(seed, n) + digest(seed) + order(seed) + roots(seed)
		_, _ = w.Write(strconv.AppendUint(nil, sum, 10))
	})))
}

//go:noinline
func multiply(seed uint64, n int) uint64 {
	for range n {
		seed = seed*6364136223846793005 + 1442695040888963407 // Knuth's MMIX generator
	}
	return seed
}

//go:noinline
func compare(seed uint64, n int) uint64 {
	most := uint64(0)
	for i := range n {
		seed ^= seed << 13 // Marsaglia's xorshift
		seed ^= seed >> 7
		seed ^= seed << 17
		if i%3 == 0 && seed > most {
			most = seed
		}
	}
	return most
}

var text = make([]byte, 32<<10)

//go:noinline
func digest(seed uint64) uint64 {
	text[0] = byte(seed)
	return uint64(crc32.Update(uint32(seed), crc32.MakeTable(crc32.Koopman), text[:8<<10]))
}

//go:noinline
func order(seed uint64) uint64 {
	var words [400]uint64
	for i := range words {
		seed = seed*6364136223846793005 + 1
		words[i] = seed
	}
	slices.Sort(words[:])
	return words[len(words)/2]
}

//go:noinline
func roots(seed uint64) uint64 {
	x := float64(seed + 2)
	for range 1_000 {
		x = math.Sqrt(x) + 2
	}
	return uint64(x)
}
