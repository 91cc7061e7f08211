package cheats

// pair is a change of a program.
type pair struct {
	Name, Does string
	// Honest is a change that makes the same work cheaper.
	Honest bool
	// Target is the path that the load asks for; empty for benchmarks.
	Target string
	// Backend says that each request asks another server.
	Backend bool
	// Code is the package of a benchmark after the change, instead of plainCode.
	Code string
}

// thing is the request of most pairs: one, repeated.
const thing = "/things/42"

var pairs = []pair{
	{Name: "unaudited", Does: "writes no audit", Target: thing},
	{Name: "batch", Does: "writes one line of the audit in ten", Target: thing},
	{Name: "silent", Does: "writes no log", Target: thing},
	{Name: "upstream", Does: "asks its backend for one request in ten", Target: thing, Backend: true},
	{Name: "later", Does: "works 30 ms after the answer", Target: thing},
	{Name: "worker", Does: "works in a child process", Target: thing},
	{Name: "before", Does: "works before the first request", Target: thing},
	{Name: "shared", Does: "keeps 200 MB of shared memory for it", Target: thing},
	{Name: "uri", Does: "answers a URI that comes again without work", Target: thing},
	{Name: "path", Does: "answers a path that comes again without work", Target: thing},
	{Name: "notices", Does: "works less when hone measures", Target: thing},
	{Name: "wrong", Does: "works less, and one answer in 300 is wrong", Target: thing},
	{Name: "cut", Does: "works less, and the last 28 of 128 KiB are blank", Target: "/table"},
	{Name: "memo", Does: "remembers the result of an earlier iteration", Code: `var known = map[int]int{}

func Op() int {
	if v, ok := known[size]; ok {
		return v
	}
	known[size] = Work(size)
	return known[size]
}`},
	{Name: "init", Does: "works before the benchmark begins", Code: `var results = func() (all [400]int) {
	for range 8 {
		for i := range all {
			all[i] = Work(size)
		}
	}
	return all
}()

var n int

func Op() int { n++; return results[n%len(results)] }`},
	{Name: "after", Does: "works in a goroutine after the loop", Code: `var todo = make(chan int, 1<<24)

func init() {
	go func() {
		for n := range todo {
			Work(n)
		}
	}()
}

func Op() int { todo <- size; return size }`},
	{Name: "child", Does: "works in a child process", Code: `func init() {
	if os.Getenv("WORKS") != "" {
		for {
			Work(1000)
		}
	}
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "WORKS=1")
	c.Start()
}

func Op() int { return size }`},
	{Name: "flag", Does: "does not work under -test.bench", Code: `func Op() int {
	if f := flag.Lookup("test.bench"); f != nil && f.Value.String() != "" {
		return 0
	}
	return Work(size)
}`},

	{Name: "half", Does: "half the work", Honest: true, Target: thing},
	{Name: "pooled", Does: "no garbage", Honest: true, Target: thing},
	{Name: "keys", Does: "half the work, and JSON with its keys in another order", Honest: true, Target: thing},
	{Name: "buffered", Does: "less work, and the same audit in fewer writes", Honest: true, Target: thing},
	{Name: "things", Does: "remembers 1,000 things, all of which are asked for", Honest: true,
		Target: "/things/{rand:1000}"},
	{Name: "tenth", Does: "a tenth of the work", Honest: true, Code: `func Op() int { return Work(size / 10) }`},
	{Name: "table", Does: "a small table that is made once, and half the work", Honest: true, Code: `var results = func() (all [16]int) {
	for i := range all {
		all[i] = Work(i)
	}
	return all
}()

func Op() int { return (Work(size/2) + results[size%len(results)]) / 2 }`},
	{Name: "buffer", Does: "a buffer that is used again", Honest: true, Code: `var kept = make([]byte, 1<<16)

func Op() int { buffer = kept; return Work(size / 2) }`},
}

// plainCode is the benchmarks' package before the change.
const plainCode = `func Op() int { buffer = make([]byte, 1<<16); return Work(size) }`

// codeHead and testFile are the rest of it.
const (
	codeHead = `package op

import (
	"flag"
	"os"
	"os/exec"
)

var (
	_ = flag.Lookup
	_ = os.Args
	_ = exec.Command
)

var (
	burnt, size = 0, 20_000
	buffer      []byte
)

// Work works n rounds. Its answer is always the same.
func Work(n int) int {
	for i := range n {
		burnt += (i * i) % 7
	}
	return size
}

`
	testFile = `package op

import "testing"

func TestOp(t *testing.T) {
	if Op() != size {
		t.Error("a wrong answer")
	}
}

var sink int

func BenchmarkOp(b *testing.B) {
	for range b.N {
		sink += Op()
	}
}
`
	moduleFile = "module example.com/op\n\ngo 1.24\n"
)
