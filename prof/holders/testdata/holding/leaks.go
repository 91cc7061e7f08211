package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strconv"
	"sync"
	"time"
	"unsafe"
)

// group is a cache as many write it.
type group[K comparable, V any] struct {
	name    string
	entries sync.Map
}

func (g *group[K, V]) put(k K, v V) { g.entries.Store(k, v) }

type job struct {
	id   int
	note *session
}

var (
	flags    sync.Map
	pointed  = &sync.Map{}
	grouped  = &group[string, *session]{name: "users"}
	tickers  []*time.Ticker
	hiddens  []uintptr // of timers that the program has forgotten
	jobs     = make(chan job, 3000)
	anything []any
	nested   = map[string]map[int]*session{}
	points   = map[[2]int]session{}
	few      []map[int]string
	pooled   = sync.Pool{New: func() any { return new(handler) }}
	final    *handler
	results  chan []byte
	hooks    = map[string]func(int) int{}
)

// keepProfile makes the linker keep the profile of allocations: a program that does not name it has none.
func keepProfile() { _ = pprof.Lookup("heap") }

//go:noinline
func park(i int, ready *sync.WaitGroup) {
	mine := &job{id: i}
	ready.Done()
	receive(mine)
}

//go:noinline
func receive(j *job) {
	<-stop
	runtime.KeepAlive(j)
}

//go:noinline
func answer(i int) []byte { return make([]byte, 4096+i%2) }

//go:noinline
func tick(ready *sync.WaitGroup) {
	buffer := make([]byte, 2048)
	t := time.NewTicker(time.Hour)
	ready.Done()
	for {
		select {
		case <-t.C:
			buffer[0]++
		case <-stop:
			return
		}
	}
}

func settle() { time.Sleep(50 * time.Millisecond) }

func forget(t *time.Timer) { hiddens = append(hiddens, uintptr(unsafe.Pointer(t))) }

func init() {
	keepProfile()
	for name, c := range leaks {
		cases[name] = c
	}
	if os.Getenv("RATE") != "" {
		runtime.MemProfileRate, _ = strconv.Atoi(os.Getenv("RATE"))
	}
}

var leaks = map[string]struct{ fill, clear func() }{
	"parked": {func() {
		stop = make(chan struct{})
		var ready sync.WaitGroup
		for i := 0; i < 20000; i++ {
			ready.Add(1)
			go park(i, &ready)
		}
		ready.Wait()
		settle()
	}, func() { close(stop); settle(); settle() }},
	"senders": {func() {
		results = make(chan []byte)
		for i := 0; i < 3000; i++ {
			i := i
			go func() { results <- answer(i) }()
		}
		settle()
		settle()
	}, func() {
		for i := 0; i < 3000; i++ {
			<-results
		}
		settle()
	}},
	"ticking": {func() {
		stop = make(chan struct{})
		var ready sync.WaitGroup
		for i := 0; i < 3000; i++ {
			ready.Add(1)
			go tick(&ready)
		}
		ready.Wait()
		settle()
	}, func() { close(stop); settle(); settle() }},
	"afterfunc": {func() {
		for i := 0; i < 2000; i++ {
			s := newSession(i)
			forget(time.AfterFunc(time.Hour, func() { s.id++ }))
		}
	}, func() {
		for _, t := range hiddens {
			(*time.Timer)(unsafe.Pointer(t)).Stop()
		}
		time.AfterFunc(time.Hour, settle)
		time.Sleep(time.Millisecond)
	}},
	"smalltimers": {func() {
		for i := 0; i < 60000; i++ {
			forget(time.AfterFunc(time.Hour, settle))
		}
	}, func() {
		for _, t := range hiddens {
			(*time.Timer)(unsafe.Pointer(t)).Stop()
		}
		time.AfterFunc(time.Hour, settle)
		time.Sleep(time.Millisecond)
	}},
	"tickers": {func() {
		for i := 0; i < 30000; i++ {
			tickers = append(tickers, time.NewTicker(time.Hour))
		}
	}, func() { tickers = nil }},
	"syncflags": {func() {
		for i := 0; i < 30000; i++ {
			flags.Store(i, true)
		}
	}, func() { flags.Clear() }},
	"syncpointer": {func() {
		for i := 0; i < 30000; i++ {
			pointed.Store(fmt.Sprint("user", i), &job{id: i})
		}
	}, func() { pointed.Clear() }},
	"syncgroup": {func() {
		for i := 0; i < 2000; i++ {
			grouped.put(fmt.Sprint("user", i), newSession(i))
		}
	}, func() { grouped.entries.Clear() }},
	"jobs": {func() {
		for i := 0; i < 3000; i++ {
			jobs <- job{i, newSession(i)}
		}
	}, func() { jobs = nil }},
	"anything": {func() {
		for i := 0; i < 30000; i++ {
			switch i % 3 {
			case 0:
				anything = append(anything, newSession(i).body[:100])
			case 1:
				anything = append(anything, fmt.Sprint(i))
			default:
				anything = append(anything, &job{id: i})
			}
		}
	}, func() { anything = nil }},
	"nested": {func() {
		for i := 0; i < 2000; i++ {
			k := fmt.Sprint(i % 20)
			if nested[k] == nil {
				nested[k] = map[int]*session{}
			}
			nested[k][i] = newSession(i)
		}
	}, func() { nested = nil }},
	"points": {func() {
		for i := 0; i < 30000; i++ {
			points[[2]int{i, i}] = session{id: i, user: fmt.Sprint("user", i)}
		}
	}, func() { points = nil }},
	"few": {func() {
		for i := 0; i < 10000; i++ {
			few = append(few, map[int]string{i: fmt.Sprint("text", i)})
		}
	}, func() { few = nil }},
	"pool": {func() {
		defer debug.SetGCPercent(debug.SetGCPercent(-1))
		for i := 0; i < 200; i++ {
			pooled.Put(&handler{make([]byte, 64<<10)})
		}
	}, func() {}},
	"final": {func() {
		final = &handler{make([]byte, 16<<20)}
		runtime.SetFinalizer(final, func(*handler) {})
	}, func() { final = nil; runtime.GC(); settle() }},
	"finalfunc": {func() {
		final = &handler{}
		log := make([]byte, 16<<20)
		runtime.SetFinalizer(final, func(*handler) { log[0]++ })
	}, func() { final = nil; runtime.GC(); settle() }},
	"hooks": {func() {
		for i := 0; i < 2000; i++ {
			s := newSession(i)
			hooks[s.user] = func(n int) int { return n + len(s.body) }
		}
	}, func() { hooks = nil }},
}
