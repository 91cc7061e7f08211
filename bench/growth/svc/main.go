// Command svc is the service of one kind: svc -kind map has its defect, svc -kind map -fixed has not. /figures shows what it holds.
package main

import (
	"encoding/json"
	"flag"
	"log"
	"math"
	"net/http"
	"os"
	"runtime"

	"github.com/gohone/hone/bench/growth/leaks"
)

func main() {
	address := flag.String("addr", "127.0.0.1:8080", "address to listen at")
	name := flag.String("kind", "", "kind of the service")
	fixed := flag.Bool("fixed", false, "without the defect")
	flag.Parse()
	kind, ok := leaks.Named(*name)
	if !ok {
		log.Fatalf("no kind %q", *name)
	}
	http.Handle("/", kind.Handler(*fixed))
	http.HandleFunc("/figures", figures)
	log.Fatal(http.ListenAndServe(*address, nil))
}

// figures shows what the process holds now, by the names of measures: bytes of the heap after collections, goroutines, descriptors.
func figures(w http.ResponseWriter, _ *http.Request) {
	descriptors, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_ = json.NewEncoder(w).Encode(map[leaks.Measure]uint64{ // a client that is gone needs no answer
		leaks.Heap: heap(), leaks.Goroutines: uint64(runtime.NumGoroutine()), leaks.Descriptors: uint64(len(descriptors)),
	})
}

// heap is the least that some collections leave: finalizers and pools let go of what they hold only after the first ones.
func heap() uint64 {
	least := uint64(math.MaxUint64)
	for range 5 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		least = min(least, m.HeapAlloc)
	}
	return least
}
