package callgrind

import (
	"compress/gzip"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
)

// A file as callgrind writes it, with names by number, relative positions, an inlined function
// (fi, fe), another object, and calls.
const small = `# callgrind format
version: 1
creator: callgrind-3.19.0
part: 1

positions: line
events: Ir
summary: 68


ob=(1) /tmp/p.test
fl=(1) /src/main.go
fn=(1) main.main
16 20
+2 3
cfn=(2) main.work
calls=2 50
-1 30
* 5
fi=(2) /src/other.go
3 4
fe=(1)
20 1

fn=(2)
51 15
cob=(2) /lib/libc.so
cfi=(3) ???
cfn=(3) (below main)
calls=7 0
+1 700
52 10
jump=3 55
52
fn=(3)
0 10
`

func TestReadAFileOfCallgrind(t *testing.T) {
	p, err := Read(strings.NewReader(small))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]uint64{"main.main": 33, "main.work": 25, "(below main)": 10}
	for name, n := range want {
		if p.Self[name] != n {
			t.Errorf("%s has %d instructions, want %d", name, p.Self[name], n)
		}
	}
	if p.Total != 68 || len(p.Self) != 3 {
		t.Errorf("%d instructions in %d functions", p.Total, len(p.Self))
	}
	if len(p.Calls) != 2 || p.Calls[Call{"main.main", "main.work"}] != 2 ||
		p.Calls[Call{"main.work", "(below main)"}] != 7 {
		t.Errorf("calls %v", p.Calls)
	}
}

// Other programs write the format with several events, positions of instructions and plain names.
func TestReadOtherWaysToWriteIt(t *testing.T) {
	p, err := Read(strings.NewReader("positions: instr line\nevents: Dr Ir\nfn=main.main\n0x401000 7 3 40\n+4 * 1\ncfn=main.work\ncalls=1 0x10 0x20\n0x8 1 1 9\n"))
	if err != nil {
		t.Fatal(err)
	}
	if p.Total != 40 || p.Self["main.main"] != 40 || p.Calls[Call{"main.main", "main.work"}] != 1 {
		t.Errorf("got %+v", p)
	}
}

func TestAFaultOfAFileHasItsLine(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", `no line "events:"`},
		{"events: Dr Dw\n", `line 1: not a file of callgrind: events "Dr Dw"`},
		{"version: 2\n", `line 1: not a file of callgrind: version "2", want 1`},
		{"positions: a b c\n", "positions"},
		{"events: Ir\n7 3\n", "line 2: not a file of callgrind: a cost without fn="},
		{"fn=x\n7 3\n", `a cost before the line "events:"`},
		{"events: Ir\nfn=(3)\n", "line 2: not a file of callgrind: the number (3) has no name"},
		{"events: Ir\nfn=x\n7 many\n", `line 3: not a file of callgrind: "many" is not a number of instructions`},
		{"events: Ir\nfn=x\ncalls=3 1\n", "without fn= and cfn="},
		{"events: Ir\nfn=x\ncfn=y\ncalls=z 1\n", `"z" is not a number of calls`},
		{"events: Ir\nfn=x\ncfn=y\ncalls=3 1\n", "ends after calls="},
		{"events: Ir\nfn=x\ncfn=y\ncalls=3 1\nfn=z\n", "where the cost of a call has to be"},
		{"events: Ir\nfn=x\n1 18446744073709551615\n1 1\n", "more instructions than"},
		{"events: Ir\nsummary: 5\nfn=x\n1 4\n", "a part is missing"},
		{"events: Ir\nwhat=x\n", `unknown key "what"`},
		{"\x7fELF", "neither a cost nor a name"},
		{strings.Repeat("x", mostLine+1), "longer than"},
	} {
		p, err := Read(strings.NewReader(c.text))
		if !errors.Is(err, ErrFormat) || !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("%.40q: got %v, %v, want %q", c.text, p, err, c.want)
		}
	}
}

// The same program with 10 and 110 operations: each calls work twice and log once, and log is also
// called by set-up. What set-up costs is in neither.
func TestTheSlopeLeavesSetUpOut(t *testing.T) {
	count := func(n uint64) *Profile {
		p := &Profile{
			Self: map[string]uint64{"setup": 5000, "bench": 10 * n, "work": 200 * n, "log": 30*n + 30*100},
			Calls: map[Call]uint64{{"main", "setup"}: 1, {"main", "bench"}: 1, {"bench", "work"}: 2 * n,
				{"work", "log"}: n, {"setup", "log"}: 100},
		}
		for _, v := range p.Self {
			p.Total += v
		}
		return p
	}
	c := Slope(count(10), count(110), 100)
	if c.Total != 240 || c.Self["setup"] != 0 || c.Self["work"] != 200 || c.Self["log"] != 30 {
		t.Errorf("slope %+v", c)
	}
	got := c.Inclusive([]string{"main", "bench", "work", "log", "setup", "nowhere"})
	for name, want := range map[string]float64{"main": 240, "bench": 240, "work": 230, "log": 30, "setup": 0,
		"nowhere": 0} {
		if math.Abs(got[name]-want) > 1e-6 {
			t.Errorf("%s costs %v with what it calls, want %v", name, got[name], want)
		}
	}
}

// Where functions call each other in turn, each instruction still counts once: all of a recursive
// parser is the parser's.
func TestInclusiveOfRecursion(t *testing.T) {
	none := &Profile{}
	p := &Profile{Total: 1000, Self: map[string]uint64{"parse": 100, "value": 600, "array": 250, "other": 50},
		Calls: map[Call]uint64{
			{"parse", "value"}: 20, {"value", "array"}: 40, {"array", "value"}: 60, {"value", "value"}: 500,
			{"other", "parse"}: 1,
			// What callgrind makes of switches of goroutines.
			{"runtime.mcall", "value"}: 1000, {"gogo", "parse"}: 1000, {"value", "parse"}: 1,
		}}
	got := Slope(none, p, 1).Inclusive([]string{"parse", "value", "array", "other"})
	for name, want := range map[string]float64{"other": 1000, "parse": 950, "value": 850} {
		if math.Abs(got[name]-want) > 1e-5 {
			t.Errorf("%s costs %v with what it calls, want %v", name, got[name], want)
		}
	}
	// Of 80 calls of value 60 come from array: so much of it is array's.
	if want := 250 + 0.75*600; math.Abs(got["array"]-want) > 1e-5 {
		t.Errorf("array costs %v with what it calls, want %v", got["array"], want)
	}
}

// Anything that is read adds up, and reads the same when it is written plainly.
func FuzzRead(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte("positions: instr line\nevents: Dr Ir\nfn=main.main\n0x401000 7 3 40\n+4 * 1\n"))
	f.Add([]byte("events: Ir\nsummary: 9\nfn=(1) a\n1 4\ncfn=(2) b\ncalls=1 2\n* 9\njcnd=1/2 3\n4\nfn=(2)\n-1 5\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Read(strings.NewReader(string(data)))
		if err != nil {
			if !errors.Is(err, ErrFormat) {
				t.Fatalf("error without its kind: %v", err)
			}
			return
		}
		sum := uint64(0)
		for _, n := range p.Self {
			sum += n
		}
		if sum != p.Total {
			t.Fatalf("functions have %d instructions, all together %d", sum, p.Total)
		}
		names := slices.Sorted(keys(p.Self, p.Self))
		for _, v := range Slope(&Profile{}, p, 1).Inclusive(names[:min(4, len(names))]) {
			if math.IsNaN(v) || v < 0 || v > float64(p.Total)*(1+1e-6) {
				t.Fatalf("a function costs %v of %d instructions", v, p.Total)
			}
		}
	})
}

// What valgrind 3.19 wrote of a benchmark of Go 1.26 that runs fib(7) once, and then 20 times.
// callgrind_annotate says the same of it.
func TestReadWhatValgrindWrote(t *testing.T) {
	f, err := os.Open("testdata/fib.out.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unpacked, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Read(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	bench, fib := "example.com/fib.BenchmarkFib", "example.com/fib.fib"
	// fib(7) calls itself 40 times.
	if got := [2]uint64{p.Calls[Call{bench, fib}], p.Calls[Call{fib, fib}]}; got != [2]uint64{21, 21 * 40} {
		t.Errorf("calls of fib: %v", got)
	}
	if p.Total != 3_316_231 || p.Self[fib] != 12_390 || p.Self[bench] != 236 {
		t.Errorf("%d instructions, %d of fib, %d of the benchmark", p.Total, p.Self[fib], p.Self[bench])
	}
}
