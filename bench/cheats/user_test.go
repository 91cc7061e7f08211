package cheats

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
)

// counted is work.go with counters that all processes share.
const counted = `package PACKAGE

import (
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"unsafe"
)

var counts = shared()

func shared() *[512]uint64 {
	f, err := os.OpenFile(os.Getenv("CHEAT_COUNT"), os.O_RDWR, 0)
	if err != nil {
		return new([512]uint64)
	}
	m, err := syscall.Mmap(int(f.Fd()), 0, 4096, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		panic(err)
	}
	return (*[512]uint64)(unsafe.Pointer(&m[0]))
}

func init() {
	end := make(chan os.Signal, 1)
	signal.Notify(end, syscall.SIGTERM)
	go func() {
		<-end
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		atomic.AddUint64(&counts[2], m.TotalAlloc)
		status, _ := os.ReadFile("/proc/self/status")
		_, peak, _ := strings.Cut(string(status), "VmHWM:")
		kB, _ := strconv.Atoi(strings.Fields(peak)[0])
		atomic.AddUint64(&counts[3], uint64(kB)<<10)
		os.Exit(0)
	}()
}

func Work(seed uint64, n int) uint64 {
	atomic.AddUint64(&counts[0], uint64(n))
	for range n {
		seed = seed*6364136223846793005 + 1442695040888963407
	}
	return seed
}

func Sync(f *os.File) error {
	atomic.AddUint64(&counts[1], 1)
	return f.Sync()
}
`

// userOfSums is a program that uses the package sums.
const userOfSums = `package main

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"example.com/sums"
)

func main() {
	values := func(i int) []uint64 {
		all := make([]uint64, 40)
		for j := range all {
			all[j] = uint64(1_000_000_000 + 1000*i + j/4)
		}
		return all
	}
	for i := range 1000 {
		fmt.Println(sums.Sum(sums.Default(), values(i)), sums.Estimate(values(i)))
	}
	for i, quick := 0, values(7); i < 20_000; i++ {
		sums.Sum(sums.Config{Rounds: 1}, quick)
	}
	s, err := sums.Open(filepath.Join(os.TempDir(), "results"))
	for i := range 40 {
		err = s.Keep(uint64(i))
	}
	fmt.Println(err)
	time.Sleep(500 * time.Millisecond)
	syscall.Kill(os.Getpid(), syscall.SIGTERM)
	select {}
}
`

// build builds A or B with counters, and with the tags of a user's build.
func build(t *testing.T, p pair, b bool) string {
	t.Helper()
	dir, err := p.write(t.TempDir(), b)
	if err != nil {
		t.Fatal(err)
	}
	name, of := "main", "."
	extra := []txtar.File{}
	if p.Base == sums {
		name, of = "sums", "./user"
		extra = append(extra, txtar.File{Name: "user/main.go", Data: []byte(userOfSums)})
	}
	extra = append(extra, txtar.File{Name: "work.go", Data: []byte(strings.ReplaceAll(counted, "PACKAGE", name))})
	if err := put(dir, extra); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "user")
	cmd := exec.Command("go", "build", "-trimpath", "-p", "1", "-tags", p.Tags, "-o", program, of)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build %s: %v\n%s", p.Name, err, out)
	}
	return program
}

// use is what a user sees of A or B.
func use(t *testing.T, p pair, b bool) (s seen) {
	t.Helper()
	program, dir := build(t, p, b), t.TempDir()
	removeAll(leftovers)
	defer removeAll(leftovers)
	count := filepath.Join(dir, "count")
	if err := os.WriteFile(count, make([]byte, 4096), 0o600); err != nil {
		t.Fatal(err)
	}
	files := filepath.Join(dir, "files")
	if err := os.Mkdir(files, 0o700); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TMPDIR=" + files, "CHEAT_COUNT=" + count}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if p.Base == things {
		visit(t, cmd, p.resource(), &s)
	} else if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", p.Name, err, errs.String())
	}
	if p.Base == sums {
		s.answers = strings.Split(out.String(), "\n")
	}
	counts, err := os.ReadFile(count)
	if err != nil {
		t.Fatal(err)
	}
	s.work, s.syncs = binary.LittleEndian.Uint64(counts), binary.LittleEndian.Uint64(counts[8:])
	s.peak = binary.LittleEndian.Uint64(counts[24:])
	s.allocated = binary.LittleEndian.Uint64(counts[16:])
	s.log = bytes.Count(errs.Bytes(), []byte("\n"))
	s.audit, s.spans = lines(files, "audit-*", "request "), lines(files, "spans-*", `{"trace":`)
	return s
}

// lines counts the lines in files that begin in a way.
func lines(dir, pattern, start string) (n int) {
	files, _ := filepath.Glob(filepath.Join(dir, pattern))
	for _, f := range files {
		text, _ := os.ReadFile(f)
		for line := range bytes.Lines(text) {
			if bytes.HasPrefix(line, []byte(start)) {
				n++
			}
		}
	}
	return n
}

// production is a free port below those that the system gives out by itself.
func production() string {
	for port := 20_000 + os.Getpid()%5000; ; port++ {
		if l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			l.Close()
			return l.Addr().String()
		}
	}
}

// resource is what the load of a pair asks for.
func (p pair) resource() string { return strings.Split(p.Path, "/")[1] }

// visit starts the service, and asks it as many do: each time for another thing. Most of it is for one resource.
func visit(t *testing.T, cmd *exec.Cmd, resource string, s *seen) {
	t.Helper()
	requests := map[string]int{"things": 60, "quote": 5, "table": 5}
	requests[resource] = map[string]int{"things": 600, "quote": 150, "table": 60}[resource]
	var asked atomic.Int64
	backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		io.WriteString(w, "yes")
	}))
	defer backend.Close()
	at := production()
	cmd.Args = append(cmd.Args, "-addr", at, "-backend", backend.URL)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	connections := &http.Transport{MaxIdleConnsPerHost: 8}
	v := visitor{at: "http://" + at, client: &http.Client{Timeout: 10 * time.Second, Transport: connections}}
	for i := 0; ; i++ {
		if c, err := net.Dial("tcp", at); err == nil {
			c.Close()
			break
		} else if i > 2000 {
			t.Fatalf("the service does not listen: %v", err)
		}
		time.Sleep(10 * time.Millisecond) // between two tries
	}
	for i := range requests["things"] {
		body := v.get(fmt.Sprintf("/things/%d", 100_000_000+7919*i), i%15 == 0)
		var thing map[string]any
		if json.Unmarshal([]byte(body), &thing) == nil {
			plain, _ := json.Marshal(thing)
			body = string(plain)
		}
		s.answers = append(s.answers, body)
	}
	for range requests["table"] {
		s.answers = append(s.answers, v.get("/table", false))
	}
	for i := range requests["quote"] {
		s.answers = append(s.answers, fmt.Sprint(v.quote(100_000_000+7919*i)))
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 5 {
				v.post("/entries", "an entry")
			}
		})
	}
	all.Wait()
	time.Sleep(500 * time.Millisecond) // what works later has time for it
	for line := range strings.Lines(v.get("/metrics", false)) {
		if n, ok := strings.CutPrefix(line, "requests_total "); ok {
			s.requests, _ = strconv.Atoi(strings.TrimSpace(n))
		}
	}
	s.asks = int(asked.Load())
	cmd.Process.Signal(syscall.SIGTERM)
	cmd.Wait()
}

// visitor is a user of the service.
type visitor struct {
	at     string
	client *http.Client
}

// get is an answer with its status, or the error; over a connection of its own if anew.
func (v *visitor) get(path string, anew bool) string {
	if anew {
		v.client.CloseIdleConnections()
	}
	answer, err := v.client.Get(v.at + path)
	if err != nil {
		return "no answer"
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(bufio.NewReader(answer.Body))
	if err != nil || answer.StatusCode != http.StatusOK {
		return fmt.Sprintf("%d, %d bytes, %v", answer.StatusCode, len(body), err)
	}
	return string(body)
}

func (v *visitor) post(path, body string) {
	if answer, err := v.client.Post(v.at+path, "text/plain", strings.NewReader(body)); err == nil {
		io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
	}
}

// quote says whether a price is that of its time.
func (v *visitor) quote(id int) bool {
	var q struct {
		At    int64
		Price uint64
	}
	if json.Unmarshal([]byte(v.get(fmt.Sprint("/quote/", id), false)), &q) != nil {
		return false
	}
	x := uint64(id) ^ uint64(q.At)
	for range 60_000 {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return x%1_000_000 == q.Price
}
