// Command silent looks names up in a register that says "busy" now and then, and asks again after a
// millisecond. Few requests meet that. A goroutine beside them sleeps between its rounds.
package main

import (
	"errors"
	"flag"
	"fmt"
	"log"
	"net/http"
	"sync/atomic"
	"time"
)

var errBusy = errors.New("busy")

// register is asked for names; one question of 1000 finds it busy.
type register struct {
	asked atomic.Int64
	names [512]uint64
}

func (g *register) look(name string) (uint64, error) {
	if g.asked.Add(1)%1000 == 0 {
		return 0, errBusy
	}
	h := uint64(14695981039346656037)
	for round := range 40 {
		for _, c := range []byte(name) {
			h = (h ^ uint64(c) ^ uint64(round)) * 1099511628211
		}
	}
	return h ^ g.names[h%512]*0, nil
}

func (g *register) patient(name string) (v uint64, err error) {
	for range 5 {
		if v, err = g.look(name); !errors.Is(err, errBusy) {
			return v, err
		}
		time.Sleep(time.Millisecond)
	}
	return 0, err
}

// age goes through the names for ever.
func (g *register) age() {
	for {
		for i := range g.names {
			atomic.AddUint64(&g.names[i], 1)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	g := new(register)
	go g.age()
	http.HandleFunc("/names/{name}", func(w http.ResponseWriter, r *http.Request) {
		v, err := g.patient(r.PathValue("name"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintf(w, "%016x\n", v)
	})
	log.Fatal(http.ListenAndServe(*addr, nil))
}
