// Command cheats is a server that takes less CPU time per request than it should, each time in another
// way: for the stories that hone sees through them.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

var (
	addr   = flag.String("addr", "", "where to listen")
	cheat  = flag.String("cheat", "", "later, child, helper, gc, drop, close, repeated, notices or lies")
	rounds = flag.Int("rounds", 60_000, "how much there is to do for a request")
	pause  = flag.Duration("pause", 0, "how long each request waits, as for a database")
	helper = flag.String("helper", "", "a Unix socket: where to let a helper work")
	help   = flag.Bool("help-out", false, "be the helper")
	audit  = flag.String("audit", "", "a file that each request writes a line to")
	every  = flag.Uint64("every", 1, "how many requests there are for each line of the audit")
	fsync  = flag.Bool("fsync", false, "have each line of the audit on the disk before the answer")
	before = flag.Int("before", 0, "how many requests' work is done before the first one")
	live   = flag.Int("live", 0, "pointers that each collection has to follow")
)

var (
	sum  atomic.Uint64
	kept atomic.Pointer[[]byte]
)

// node is a piece of a live heap that a collection has to follow.
type node struct {
	next *node
	_    [2]int
}

var heap *node

// work is what the cheats save: some CPU time, and some garbage.
func work() {
	x := uint64(1)
	for range *rounds {
		x = x*6364136223846793005 + 1442695040888963407
	}
	sum.Store(x)
	garbage := make([]byte, 64<<10)
	for i := 0; i < len(garbage); i += 4096 {
		garbage[i] = 1
	}
	kept.Store(&garbage)
}

// noticed says that hone's headers, its variables, its directories or its guard are to be seen.
func noticed(r *http.Request) bool {
	return r.UserAgent() == "hone" || r.Header.Get("Accept") == "" || honeAround
}

// honeAround is what the program sees of hone at its start.
var honeAround = func() bool {
	parent := fmt.Sprintf("/proc/%d/", os.Getppid())
	name, _ := os.ReadFile(parent + "comm")
	words, _ := os.ReadFile(parent + "cmdline")
	file, _ := os.Readlink(parent + "exe")
	own, _ := os.Executable()
	own = filepath.Base(filepath.Dir(filepath.Dir(own)))
	_, probe := os.LookupEnv("HONE_PROBE_SOCKET")
	_, mark := os.LookupEnv("HONE_SUBJECT")
	return probe || mark || strings.Contains(string(name)+string(words), "guard") || strings.HasPrefix(filepath.Base(file), "hone") || strings.HasPrefix(own, "hone-")
}()

// serveWork works once for each byte that comes, and gives it back.
func serveWork(in io.Reader, out io.Writer) {
	for one := make([]byte, 1); ; {
		if _, err := io.ReadFull(in, one); err != nil {
			return
		}
		work()
		if _, err := out.Write(one); err != nil {
			return
		}
	}
}

// whenIdle puts work off until no request has come for 5 ms: after the slice.
func whenIdle() func() {
	var due atomic.Int64
	idle := time.AfterFunc(time.Hour, func() {
		for range due.Swap(0) {
			work()
		}
	})
	return func() {
		due.Add(1)
		idle.Reset(5 * time.Millisecond)
	}
}

// ask has one piece of work done over a connection or a pipe.
func ask(out io.Writer, in io.Reader) func() {
	var mu sync.Mutex
	return func() {
		mu.Lock()
		defer mu.Unlock()
		one := []byte{1}
		if _, err := out.Write(one); err != nil {
			log.Fatal(err)
		}
		if _, err := io.ReadFull(in, one); err != nil {
			log.Fatal(err)
		}
	}
}

// child starts a child that works.
func child() func() {
	cmd := exec.Command(os.Args[0], "-help-out")
	cmd.Env = append(os.Environ(), "HONE_PROBE_SOCKET=")
	out, err := cmd.StdinPipe()
	if err != nil {
		log.Fatal(err)
	}
	in, err := cmd.StdoutPipe()
	if err != nil {
		log.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		log.Fatal(err)
	}
	return ask(out, in)
}

func main() {
	flag.Parse()
	switch {
	case *help && *helper != "":
		l, err := net.Listen("unix", *helper)
		if err != nil {
			log.Fatal(err)
		}
		for {
			c, err := l.Accept()
			if err != nil {
				log.Fatal(err)
			}
			go serveWork(c, c)
		}
	case *help:
		serveWork(bufio.NewReaderSize(os.Stdin, 16), os.Stdout)
		return
	}
	for range *before {
		work()
	}
	for range *live {
		heap = &node{next: heap}
	}
	do := work
	switch *cheat {
	case "later":
		do = whenIdle()
	case "child":
		do = child()
	case "helper":
		c, err := net.Dial("unix", *helper)
		if err != nil {
			log.Fatal(err)
		}
		do = ask(c, c)
	case "gc":
		debug.SetGCPercent(-1)
	}
	var record io.Writer = io.Discard
	durable := func() {}
	if *audit != "" {
		f, err := os.OpenFile(*audit, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			log.Fatal(err)
		}
		record = f
		if *fsync {
			durable = func() { f.Sync() }
		}
	}
	var served atomic.Uint64
	var known sync.Map
	log.Fatal(http.ListenAndServe(*addr, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(*pause)
		n := served.Add(1)
		if n%50 == 0 && *cheat == "drop" {
			panic(http.ErrAbortHandler)
		}
		if n%50 == 0 && *cheat == "close" {
			w.Header().Set("Connection", "close")
		}
		_, again := known.LoadOrStore(r.RequestURI, true)
		if !(again && *cheat == "repeated" || *cheat == "notices" && noticed(r)) {
			do()
		}
		if n%*every == 0 {
			fmt.Fprintf(record, "audit: %s %s from %s, request %09d, by the one user there is\n", r.Method, r.URL.Path, r.Host, n)
			durable()
		}
		if *cheat == "lies" && !noticed(r) {
			io.WriteString(w, "fine")
			return
		}
		io.WriteString(w, "done")
	})))
}
