// Command server answers requests for things by their numbers, and can do so in other ways: some are honest, the others
// only look faster. It is the subject of the benchmark cheats.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

var (
	addr    = flag.String("addr", "", "where to listen")
	as      = flag.String("as", "plain", "the way to answer")
	backend = flag.String("backend", "", "a URL that each request asks")
	worker  = flag.Bool("worker", false, "work for another process: a byte in, a byte out")
)

// rounds is the work of a request.
const rounds = 60_000

var (
	sum    atomic.Uint64
	served atomic.Uint64
	kept   atomic.Pointer[[]byte]
	known  sync.Map
	audit  io.Writer
	ask    func()
)

func work(n int) {
	x := uint64(1)
	for range n {
		x = x*6364136223846793005 + 1442695040888963407
	}
	sum.Store(x)
}

// shares is the part of the work that a way does for each request; all of it where there is none.
var shares = map[string]float64{
	"later": 0, "worker": 0, "before": 0.2, "shared": 0.3, "wrong": 0.4, "half": 0.5, "keys": 0.5, "buffered": 0.6,
	"cut": 0.4,
}

// compute is the work of a request.
func compute(r *http.Request) {
	share, ok := shares[*as]
	switch {
	case !ok:
		share = 1
	case *as == "later":
		time.AfterFunc(30*time.Millisecond, func() { work(rounds) })
	case *as == "worker":
		ask()
	}
	work(int(share * rounds))
	if *as != "pooled" {
		garbage := make([]byte, 256<<10)
		for i := 0; i < len(garbage); i += 4096 {
			garbage[i] = 1
		}
		kept.Store(&garbage)
	}
	if *backend != "" && (*as != "upstream" || served.Load()%10 == 0) {
		answer, err := http.Get(*backend)
		if err != nil {
			log.Fatal(err)
		}
		io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
	}
}

// cached says that the request was seen, by what a way remembers.
func cached(r *http.Request) bool {
	key := ""
	switch *as {
	case "uri":
		key = r.RequestURI
	case "path", "things":
		key = r.URL.Path
	case "notices":
		_, probe := os.LookupEnv("HONE_PROBE_SOCKET")
		return probe || r.UserAgent() == "hone"
	default:
		return false
	}
	_, again := known.LoadOrStore(key, true)
	return again
}

// record notes a request in the audit and in the log.
func record(r *http.Request, n uint64) {
	line := fmt.Sprintf("request %09d: %s %s from %s, by the one user there is\n", n, r.Method, r.URL.Path, r.Host)
	switch {
	case *as == "unaudited", *as == "batch" && n%10 > 0:
	default:
		io.WriteString(audit, line)
	}
	if *as != "silent" {
		for _, step := range []string{"read", "found", "written"} {
			log.Println(step, n)
		}
	}
}

// thing is the answer: some 700 bytes of JSON.
func thing(r *http.Request, n uint64) string {
	id := strings.TrimPrefix(r.URL.Path, "/things/")
	if *as == "wrong" && n%300 == 299 {
		id = "0"
	}
	parts := strings.Repeat("[17,4,22],", 60)
	if *as == "keys" {
		return fmt.Sprintf(`{"parts":[%s0],"name":"a thing","id":%q}`, parts, id)
	}
	return fmt.Sprintf(`{"id":%q,"name":"a thing","parts":[%s0]}`, id, parts)
}

// table is an answer of 128 KiB, the end of which a way leaves out.
func table() []byte {
	text := make([]byte, 128<<10)
	for i := range text {
		if *as == "cut" && i >= 100<<10 {
			text[i] = ' '
			continue
		}
		text[i] = byte('a' + (i*i/7)%26)
	}
	return text
}

func handle(w http.ResponseWriter, r *http.Request) {
	n := served.Add(1)
	if !cached(r) {
		compute(r)
	}
	record(r, n)
	if r.URL.Path == "/table" {
		w.Write(table())
		return
	}
	w.Header().Set("Content-Type", "application/json")
	io.WriteString(w, thing(r, n))
}

func main() {
	flag.Parse()
	if *worker {
		for one := make([]byte, 1); ; {
			if _, err := os.Stdin.Read(one); err != nil {
				return
			}
			work(rounds)
			os.Stdout.Write(one)
		}
	}
	f, err := os.CreateTemp("", "audit-")
	if err != nil {
		log.Fatal(err)
	}
	audit = f
	switch *as {
	case "buffered":
		audit = buffered(f)
	case "worker":
		ask = startWorker()
	case "before":
		work(15_000 * rounds / 10)
	case "shared":
		share()
	}
	log.Fatal(http.ListenAndServe(*addr, http.HandlerFunc(handle)))
}

// flushed is a buffer that is written every few milliseconds.
type flushed struct {
	mu sync.Mutex
	b  *bufio.Writer
}

func (f *flushed) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.b.Write(p)
}

func buffered(w io.Writer) io.Writer {
	f := &flushed{b: bufio.NewWriterSize(w, 64<<10)}
	go func() {
		for range time.Tick(5 * time.Millisecond) {
			f.mu.Lock()
			f.b.Flush()
			f.mu.Unlock()
		}
	}()
	return f
}

// startWorker starts a process that works for this one.
func startWorker() func() {
	cmd := exec.Command(os.Args[0], "-worker")
	in, err := cmd.StdinPipe()
	if err != nil {
		log.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		log.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		log.Fatal(err)
	}
	var mu sync.Mutex
	return func() {
		mu.Lock()
		defer mu.Unlock()
		one := []byte{1}
		if _, err := in.Write(one); err != nil {
			log.Fatal(err)
		}
		if _, err := io.ReadFull(out, one); err != nil {
			log.Fatal(err)
		}
	}
}

// share keeps results of work in 200 MB of shared memory, which is not the process's own.
func share() {
	f, err := os.CreateTemp("/dev/shm", "things-")
	if err != nil {
		log.Fatal(err)
	}
	os.Remove(f.Name())
	if err := f.Truncate(200 << 20); err != nil {
		log.Fatal(err)
	}
	all, err := syscall.Mmap(int(f.Fd()), 0, 200<<20, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		log.Fatal(err)
	}
	for i := 0; i < len(all); i += 4096 {
		all[i] = 1
	}
	if err := syscall.Munmap(all); err != nil {
		log.Fatal(err)
	}
	kept.Store(new([]byte))
	shared = f
}

// shared keeps the memory alive.
var shared *os.File
