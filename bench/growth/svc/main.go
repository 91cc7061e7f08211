// Command svc is the service of one kind: svc -kind map has its defect, svc -kind map -fixed has not. /figures shows what it holds.
package main

import (
	"encoding/json"
	"flag"
	"log"
	"net/http"
	"os"
	"runtime"
	"runtime/debug"

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

// figures shows what the process holds now, by the names of measures: bytes of the heap after a collection, goroutines, descriptors.
func figures(w http.ResponseWriter, _ *http.Request) {
	debug.FreeOSMemory() // a collection that is over when it returns
	runtime.GC()         // and one for what finalizers and pools left
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	descriptors, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_ = json.NewEncoder(w).Encode(map[leaks.Measure]int{ // a client that is gone needs no answer
		leaks.Heap: int(m.HeapAlloc), leaks.Goroutines: runtime.NumGoroutine(), leaks.Descriptors: len(descriptors),
	})
}
