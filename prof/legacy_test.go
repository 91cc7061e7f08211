package prof

import (
	"bytes"
	"errors"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"testing"

	"github.com/gohone/hone/prof/symbol"
)

// contend makes one goroutine wait for another, and allocates.
func contend() (kept [][]byte) {
	var mu sync.Mutex
	for range 200 {
		mu.Lock()
		var group sync.WaitGroup
		group.Go(func() {
			mu.Lock()
			defer mu.Unlock()
		})
		runtime.Gosched()
		mu.Unlock()
		group.Wait()
		kept = append(kept, make([]byte, 8<<10))
	}
	return kept
}

// The runtime writes each profile as text and as protobuf; both say the same of this
// package's functions.
func TestTextProfilesSayWhatOthersSay(t *testing.T) {
	defer func(rate int) { runtime.MemProfileRate = rate }(runtime.MemProfileRate)
	runtime.MemProfileRate = 1
	defer runtime.SetMutexProfileFraction(runtime.SetMutexProfileFraction(1))
	kept := contend()
	runtime.GC()
	runtime.MemProfileRate = 1 << 30 // what the test allocates itself is not counted
	for _, c := range []struct{ kind, sampleType, function string }{
		{"heap", "alloc_objects", "prof.contend"}, {"heap", "alloc_space", "prof.contend"},
		{"goroutine", "goroutine", "testing.(*T).Run"}, {"mutex", "contentions", "sync.(*Mutex).Unlock"},
	} {
		value := func(debug int) int64 {
			var b bytes.Buffer
			if err := pprof.Lookup(c.kind).WriteTo(&b, debug); err != nil {
				t.Fatal(err)
			}
			capture, err := ReadCapture(bytes.NewReader(b.Bytes()), Limits{})
			if err != nil {
				t.Fatalf("%s: %v\n%.2000s", c.kind, err, &b)
			}
			if capture.Kind != c.kind {
				t.Errorf("it is said to be %s, want %s", capture.Kind, c.kind)
			}
			look := ViewOptions{Selection: Selection{SampleType: c.sampleType}}
			d := topOf(t, capture.Profile, look)
			var sum int64
			for _, e := range d.Rows {
				if strings.HasSuffix(e.Function, c.function) {
					sum += e.Cum
				}
			}
			return sum
		}
		text, message := value(1), value(0)
		if text == 0 || float64(text) < 0.98*float64(message) || float64(text) > 1.02*float64(message) {
			t.Errorf("%s of %s in %s: %d as text, %d as protobuf", c.sampleType, c.function, c.kind, text, message)
		}
	}
	runtime.KeepAlive(kept)
}

// A text profile as it is, with inlined calls, the runtime's frames at the leaf, which have
// no names, and numbers that are scaled.
func TestTextProfile(t *testing.T) {
	const text = "--- mutex:\ncycles/second=1000000000\nsampling period=1\n" +
		"300 3 @ 0x101 0x201 0x301\n#\t0x200\tmain.inner+0x20\t/s/a.go:5\n#\t0x200\tmain.outer+0x20\t/s/a.go:9\n#\t0x300\tmain.main+0x30\tC:/s/main.go:2\n\n"
	p, err := Parse(strings.NewReader(text), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range symbol.AppendFrames(nil, p.Sample[0]) {
		got = append(got, f.Function+"@"+f.File)
	}
	if want := "main.inner@/s/a.go main.outer@/s/a.go main.main@C:/s/main.go"; strings.Join(got, " ") != want ||
		p.Sample[0].Value[0] != 3 {
		t.Errorf("%v %v, want %s", got, p.Sample[0].Value, want)
	}
}

func TestOldFormatsThatAreRefusedNameTheConversion(t *testing.T) {
	for name, c := range map[string]struct{ data, want string }{
		"traces":        {"goroutine 1 [running]:\nmain.main()\n", "without debug=2"},
		"a CPU profile": {"\x00\x00\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x10\x27\x00\x00\x00\x00\x00\x00", "go tool pprof -proto BINARY"},
		"no names": {"heap profile: 1: 2 [3: 4] @ heap/1048576\n1: 2 [3: 4] @ 0x101\n",
			"go tool pprof -proto BINARY"},
		"broken":          {"goroutine profile: total 1\nx\n", "malformed"},
		"a line too long": {"goroutine profile: total 1\n1 @" + strings.Repeat(" 0x1", 1<<16) + "\n", "token too long"},
		"too large":       {"goroutine profile: total 1\n" + strings.Repeat("\n", 33<<20), "of text"},
		"too deep":        {"goroutine profile: total 1\n1 @" + strings.Repeat(" 0x1", 5000) + "\n", "4096 frames"},
	} {
		_, err := Parse(strings.NewReader(c.data), Limits{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
		if strings.HasPrefix(name, "too ") && !errors.Is(err, ErrLimit) {
			t.Errorf("%s: %v is no ErrLimit", name, err)
		}
	}
}

// Whatever the text: no panic, and what is read is valid and has names.
func FuzzTextProfile(f *testing.F) {
	for _, text := range []string{
		"heap profile: 1: 2 [3: 4] @ heap/1048576\n1: 2 [3: 4] @ 0x101 0x201\n#\t0x100\tmain.f+0x1\t/s/a.go:5\n",
		"goroutine profile: total 2\n2 @ 0x101 0x201\n# labels: {\"a\":\"b\"}\n#\t0x100\tmain.f+0x1\t/s/a.go:5\n",
		"--- mutex:\ncycles/second=1\nsampling period=1\n3 1 @ 0x101\n#\t0x100\tmain.f+0x1\t/s/a.go:5\n",
		"--- contention:\ncycles/second=0\n3 1 @ 0x0\n#\t0xffffffffffffffff\tmain.f+0x1\t:5\n",
		"threadcreate profile: total 1\n1 @\n#\t0x0\n\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Parse(bytes.NewReader(data), fuzzLimits)
		if err != nil {
			return
		}
		if err := p.CheckValid(); err != nil {
			t.Errorf("parsed, but invalid: %v", err)
		}
	})
}
