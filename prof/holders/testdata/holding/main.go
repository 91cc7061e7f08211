// Command holding fills one variable or field, writes a heap dump, clears it, and prints how many bytes that freed: what hone
// profile holders must say of the dump.
package main

import (
	"container/list"
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

type session struct {
	id   int
	user string
	body []byte
	next *session
}

type store struct {
	mu       sync.Mutex
	sessions map[string]*session
	inner    struct{ log []record }
	index    map[string]*list.Element
	order    *list.List
}

type record struct {
	at   int64
	text string
}

type tree struct {
	left, right *tree
	payload     []byte
}

type box[T any] struct{ items []T }

type handler struct{ buffer []byte }

func (h *handler) handle() int { return len(h.buffer) }

type handling interface{ handle() int }

type huge [50]int64

var (
	byUser   = map[string]*session{}
	byID     = map[int]*session{}
	head     *session
	records  []record
	queue    = make(chan []byte, 2000)
	handlers []func() int
	document any
	registry = &store{sessions: map[string]*session{}}
	plain    store
	shards   [16]struct{ entries map[int][]byte }
	root     *tree
	boxed    box[*session]
	bound    func() int
	served   handling
	current  atomic.Pointer[store]
	config   atomic.Value
	hidden   unsafe.Pointer
	known    sync.Map
	part     []byte
	word     string
	large    map[int]huge
	ctx      = context.Background()
	timers   []*time.Timer
	sink     []byte
	stop     chan struct{}
)

func newSession(i int) *session {
	return &session{id: i, user: fmt.Sprint("user", i), body: make([]byte, 8<<10)}
}

//go:noinline
func reads(b []byte) func() int { return func() int { return len(b) } }

//go:noinline
func wait(b []byte, ready *sync.WaitGroup) {
	mine := append([]byte(nil), b...)
	ready.Done()
	<-stop
	runtime.KeepAlive(mine)
}

//go:noinline
func grow(depth int) *tree {
	if depth == 0 {
		return nil
	}
	return &tree{grow(depth - 1), grow(depth - 1), make([]byte, 16<<10)}
}

// cases fill something; clear frees it.
var cases = map[string]struct{ fill, clear func() }{
	"map": {func() {
		for i := 0; i < 2000; i++ {
			byUser[fmt.Sprint(i)] = newSession(i)
		}
	}, func() { byUser = nil }},
	"field": {func() {
		for i := 0; i < 2000; i++ {
			registry.sessions[fmt.Sprint(i)] = newSession(i)
		}
	}, func() { registry.sessions = nil }},
	"linked": {func() {
		for i := 0; i < 2000; i++ {
			s := newSession(i)
			s.next, head = head, s
		}
	}, func() { head = nil }},
	"records": {func() {
		for i := 0; i < 2000; i++ {
			plain.inner.log = append(plain.inner.log, record{int64(i), strings.Repeat("x", 8<<10)})
		}
	}, func() { plain.inner.log = nil }},
	"list": {func() {
		plain.order = list.New()
		for i := 0; i < 2000; i++ {
			plain.order.PushBack(newSession(i))
		}
	}, func() { plain.order = nil }},
	"lru": {func() {
		registry.order, registry.index = list.New(), map[string]*list.Element{}
		for i := 0; i < 2000; i++ {
			registry.index[fmt.Sprint(i)] = registry.order.PushBack(newSession(i))
		}
	}, func() { registry.order, registry.index = nil, nil }},
	"channel": {func() {
		for i := 0; i < 2000; i++ {
			queue <- make([]byte, 8<<10)
		}
	}, func() { queue = nil }},
	"closures": {func() {
		for i := 0; i < 2000; i++ {
			handlers = append(handlers, reads(make([]byte, 8<<10)))
		}
	}, func() { handlers = nil }},
	"document": {func() {
		var rows []any
		for i := 0; i < 2000; i++ {
			rows = append(rows, map[string]any{"name": strings.Repeat("n", 8<<10), "n": i})
		}
		document = map[string]any{"rows": rows}
	}, func() { document = nil }},
	"both": {func() {
		for i := 0; i < 2000; i++ {
			s := newSession(i)
			byUser[s.user], byID[i] = s, s
		}
	}, func() { byUser, byID = nil, nil }},
	"shards": {func() {
		for i := 0; i < 2000; i++ {
			s := &shards[i%len(shards)]
			if s.entries == nil {
				s.entries = map[int][]byte{}
			}
			s.entries[i] = make([]byte, 8<<10)
		}
	}, func() {
		for i := range shards {
			shards[i].entries = nil
		}
	}},
	"tree": {func() { root = grow(10) }, func() { root = nil }},
	"generic": {func() {
		for i := 0; i < 2000; i++ {
			boxed.items = append(boxed.items, newSession(i))
		}
	}, func() { boxed.items = nil }},
	"method":    {func() { bound = (&handler{make([]byte, 16<<20)}).handle }, func() { bound = nil }},
	"interface": {func() { served = &handler{make([]byte, 16<<20)} }, func() { served = nil }},
	"atomic": {func() {
		s := &store{sessions: map[string]*session{}}
		for i := 0; i < 2000; i++ {
			s.sessions[fmt.Sprint(i)] = newSession(i)
		}
		current.Store(s)
	}, func() { current.Store(nil) }},
	"value": {func() {
		m := map[string]*session{}
		for i := 0; i < 2000; i++ {
			m[fmt.Sprint(i)] = newSession(i)
		}
		config.Store(m)
	}, func() { config.Store(map[string]*session(nil)) }},
	"unsafe": {func() { hidden = unsafe.Pointer(&handler{make([]byte, 16<<20)}) }, func() { hidden = nil }},
	"syncmap": {func() {
		for i := 0; i < 2000; i++ {
			known.Store(i, newSession(i))
		}
	}, func() { known.Range(func(k, _ any) bool { known.Delete(k); return true }) }},
	"part":      {func() { part = make([]byte, 16<<20)[100:110] }, func() { part = nil }},
	"substring": {func() { word = strings.Repeat("word", 4<<20)[:4] }, func() { word = "" }},
	"indirect": {func() {
		large = map[int]huge{}
		for i := 0; i < 40000; i++ {
			large[i] = huge{}
		}
	}, func() { large = nil }},
	"context": {func() {
		for i := 0; i < 2000; i++ {
			ctx = context.WithValue(ctx, i, newSession(i))
		}
	}, func() { ctx = context.Background() }},
	"timers": {func() {
		for i := 0; i < 2000; i++ {
			s := newSession(i)
			timers = append(timers, time.AfterFunc(time.Hour, func() { s.id++ }))
		}
	}, func() {
		for _, t := range timers {
			t.Stop()
		}
		timers = nil
	}},
	"spread": {func() {
		// Two goroutines that wait for each other without sleeping run on two Ps: each has timers.
		runtime.GOMAXPROCS(max(2, runtime.GOMAXPROCS(0)))
		var running int32
		var both [2][]*time.Timer
		var done sync.WaitGroup
		for half := range both {
			done.Add(1)
			go func(half int) {
				defer done.Done()
				for atomic.AddInt32(&running, 1); atomic.LoadInt32(&running) < 2; {
				}
				for i := 0; i < 1000; i++ {
					s := newSession(i)
					both[half] = append(both[half], time.AfterFunc(time.Hour, func() { s.id++ }))
				}
			}(half)
		}
		done.Wait()
		timers = append(both[0], both[1]...)
	}, func() {
		for _, t := range timers {
			t.Stop()
		}
		timers = nil
	}},
	"goroutines": {func() {
		stop = make(chan struct{})
		var ready sync.WaitGroup
		b := make([]byte, 64<<10)
		for i := 0; i < 200; i++ {
			ready.Add(1)
			go wait(b, &ready)
		}
		ready.Wait()
		time.Sleep(20 * time.Millisecond) // until they wait: the dump is the same if one does not yet
	}, func() { close(stop); time.Sleep(20 * time.Millisecond) }},
	"nothing": {func() {
		for i := 0; i < 20000; i++ {
			sink = make([]byte, 8<<10)
		}
		sink = nil
	}, func() {}},
}

// alive is what the heap has after a collection. Two: finalizers and pools let go in the second.
func alive() uint64 {
	runtime.GC()
	runtime.GC()
	return allocated()
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// local holds a slice in a variable of its own.
//
//go:noinline
func local(dump func()) (freed int64) {
	mine := make([]*session, 0, 2000)
	for i := 0; i < 2000; i++ {
		mine = append(mine, newSession(i))
	}
	before := alive()
	dump()
	runtime.KeepAlive(mine)
	mine = nil
	return int64(before) - int64(alive())
}

// onStack holds a map that does not escape.
//
//go:noinline
func onStack(dump func()) (freed int64) {
	mine := map[int][]byte{}
	for i := 0; i < 2000; i++ {
		mine[i] = make([]byte, 8<<10)
	}
	before := alive()
	dump()
	clear(mine)
	return int64(before) - int64(alive())
}

func main() {
	file, name := os.Args[1], os.Args[2]
	dump := func() {
		f, err := os.Create(file)
		if err != nil {
			panic(err)
		}
		debug.WriteHeapDump(f.Fd())
		if err := f.Close(); err != nil {
			panic(err)
		}
	}
	switch name {
	case "local":
		fmt.Println(local(dump))
		return
	case "onstack":
		fmt.Println(onStack(dump))
		return
	}
	c := cases[name]
	c.fill()
	if name == "pool" { // it lets go of everything in the second collection
		runtime.GC()
		before := allocated()
		dump()
		runtime.GC()
		fmt.Println(int64(before) - int64(allocated()))
		return
	}
	before := alive()
	dump()
	c.clear()
	fmt.Println(int64(before) - int64(alive()))
}
