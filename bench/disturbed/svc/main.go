// Command svc is the service that is disturbed. Each request computes for a while; then -backend asks a backend by
// HTTP, and -journal writes a line to a file, or to a pipe that a collector reads. With -through one request in ten
// also waits until its line is on the disk. The comments "waits:" mark the lines at which a request may wait; the case
// reads them.
//
// It writes its number to -pid, and to -record each second what the slowest hundredth of the requests took, and how
// much of that they waited at those lines: by its own clock, so that the case knows what is true.
package main

import (
	"crypto/sha256"
	"encoding/json"
	"flag"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// service is one with its record.
type service struct {
	rounds           int
	backend          string
	client           http.Client
	journal, through *os.File

	mu       sync.Mutex
	requests int
	seen     []took
}

// took is how long a request took in the handler, and how long it waited at a marked line.
type took struct{ whole, waited time.Duration }

func main() {
	address := flag.String("addr", "127.0.0.1:8080", "address to listen at")
	rounds := flag.Int("rounds", 100, "how much each request computes: hashes of 1 kB")
	backend := flag.String("backend", "", "address of the backend")
	journal := flag.String("journal", "", "pipe, or file, that gets a line for each request")
	through := flag.String("through", "", "file that gets a line for each tenth request, through to the disk")
	pid := flag.String("pid", "", "file that gets the number of this process when it listens")
	record := flag.String("record", "", "file that gets what the slowest requests took")
	flag.Parse()
	s := &service{rounds: *rounds, backend: *backend}
	s.client.Transport = &http.Transport{MaxIdleConnsPerHost: 1000}
	s.journal, s.through = open(*journal, 0), open(*through, syscall.O_CREAT)
	listener, err := net.Listen("tcp", *address)
	if err != nil {
		log.Fatal(err)
	}
	if *pid != "" {
		if err := os.WriteFile(*pid, []byte(strconv.Itoa(os.Getpid())), 0o644); err != nil {
			log.Fatal(err)
		}
	}
	if *record != "" {
		go s.keep(open(*record, syscall.O_CREAT))
	}
	log.Fatal(http.Serve(listener, s))
}

// open opens a file to append to it; nil without a path. A write to a pipe blocks its thread, as one to a standard
// output does that a program got from its parent.
func open(path string, flags int) *os.File {
	if path == "" {
		return nil
	}
	fd, err := syscall.Open(path, syscall.O_WRONLY|syscall.O_APPEND|syscall.O_CLOEXEC|flags, 0o644)
	if err != nil {
		log.Fatalf("open %s: %v", path, err)
	}
	return os.NewFile(uintptr(fd), path)
}

// line is what a request writes: 512 bytes.
var line = append(slices.Repeat([]byte("x"), 511), '\n')

// ServeHTTP implements http.Handler.
func (s *service) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	began := time.Now()
	sum := s.compute()
	asked := time.Now()
	if s.backend != "" {
		if err := s.ask(); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
	}
	if err := s.write(); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	now := time.Now()
	s.mu.Lock()
	s.seen = append(s.seen, took{now.Sub(began), now.Sub(asked)})
	s.mu.Unlock()
	_, _ = w.Write(sum[:4]) // a client that is gone needs no answer
}

// compute is the work of a request.
func (s *service) compute() (sum [sha256.Size]byte) {
	var block [1024]byte
	for range s.rounds {
		sum = sha256.Sum256(block[:])
		copy(block[:], sum[:])
	}
	return sum
}

// ask asks the backend.
func (s *service) ask() error {
	answer, err := s.client.Get("http://" + s.backend + "/") //waits: backend
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body) //waits: backend
	return err
}

// write writes the line of a request.
func (s *service) write() error {
	if s.journal != nil {
		if _, err := s.journal.Write(line); err != nil { //waits: disk
			return err
		}
	}
	if s.through == nil || !s.tenth() {
		return nil
	}
	if _, err := s.through.Write(line); err != nil { //waits: disk
		return err
	}
	return s.through.Sync() //waits: disk
}

// tenth says of one request in ten that it is one.
func (s *service) tenth() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	return s.requests%10 == 0
}

// keep writes a line of JSON each second.
func (s *service) keep(to *os.File) {
	lines := json.NewEncoder(to)
	for range time.Tick(time.Second) {
		s.mu.Lock()
		all := s.seen
		s.seen = nil
		s.mu.Unlock()
		if len(all) == 0 {
			continue
		}
		slices.SortFunc(all, func(a, b took) int { return int(b.whole - a.whole) })
		var whole, waited time.Duration
		for _, one := range all[:(len(all)+99)/100] {
			whole, waited = whole+one.whole, waited+one.waited
		}
		if err := lines.Encode(map[string]int64{
			"requests": int64(len(all)), "slow_ns": int64(whole), "waited_ns": int64(waited),
		}); err != nil {
			log.Print(err)
		}
	}
}
