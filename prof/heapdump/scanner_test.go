package heapdump

import (
	"bytes"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/prof/heapdump/dumptest"
)

// small is a dump with one record of each kind that a program writes.
func small() dumptest.Dump {
	d := dumptest.New("go1.26.0")
	d = d.Numbers(3, 0x500, 24).Text("main.T").Numbers(1).Numbers(8, 0x600, 0x500)
	d = d.Object(0xc000, []uint64{7, 0xd000, 0}, 1).Object(0xd000, []uint64{1, 2})
	d = d.Goroutine(0xe000, 0x7f00, "main.work", []uint64{0xc000, 5}, 0)
	d = d.Numbers(14, 1, 0xe000, 3, 4, 0xd000, 6, 0).Numbers(15, 1, 0xe000, 0x500, 0xd000, 0, 0).Numbers(9, 1, 2, 3)
	d = d.Data(0x8000, []uint64{0xc000}, 0).Numbers(13, 0x9000).Words(nil).Pointers()
	d = d.Numbers(7, 0xc000, 0xd000, 3, 4, 5).Numbers(11, 0xc000, 0xd000, 3, 4,
		5).Numbers(2).Text("root").Numbers(0xc000)
	d = d.Numbers(10)
	for i := range uint64(memStats) {
		d = d.Numbers(i)
	}
	d = d.Numbers(16, 1, 512, 1).Text("main.work").Text("main.go").Numbers(7, 1, 0).Numbers(17, 0xc000, 1)
	return d.End()
}

// scan reads a dump to its end, with all words.
func scan(b []byte) (tags []Tag, words map[uint64]uint64, err error) {
	s, err := NewScanner(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, nil, err
	}
	words = map[uint64]uint64{}
	for {
		r, err := s.Next()
		if err != nil {
			return tags, words, err
		}
		tags = append(tags, r.Tag)
		if r.Tag == EOF {
			return tags, words, s.Err()
		}
		for at, ok := s.Pointer(); ok; at, ok = s.Pointer() {
			words[r.Address+at] = s.Word(at)
		}
	}
}

func TestAllRecords(t *testing.T) {
	tags, words, err := scan(small())
	if err != nil {
		t.Fatal(err)
	}
	want := []Tag{Params, Type, Itab, Object, Object, Goroutine, StackFrame, Defer, Panic, OSThread, Data, BSS,
		Finalizer, QueuedFinalizer, OtherRoot, MemStats, MemProf, AllocSample, EOF}
	if len(tags) != len(want) {
		t.Fatalf("tags %v, want %v", tags, want)
	}
	for i := range want {
		if tags[i] != want[i] {
			t.Fatalf("tags %v, want %v", tags, want)
		}
	}
	for at, want := range map[uint64]uint64{0xc008: 0xd000, 0x7f00: 0xc000, 0x8000: 0xc000} {
		if words[at] != want {
			t.Errorf("the pointer at %#x is %#x, want %#x", at, words[at], want)
		}
	}
}

// A dump that is cut anywhere is an error that says where, and what to do.
func TestCutDumps(t *testing.T) {
	all := small()
	for n := range len(all) - 1 {
		_, _, err := scan(all[:n])
		if fail.KindOf(err) != fail.BadInput || fail.HintOf(err) == "" ||
			n >= len(header) && !strings.Contains(err.Error(), "byte ") {
			t.Fatalf("cut after %d bytes: %v", n, err)
		}
	}
}

// Lengths that the file does not have are refused before anything of that length is made.
func TestForgedLengths(t *testing.T) {
	for name, d := range map[string]dumptest.Dump{
		"object": dumptest.New("go1.26.0").Numbers(1, 0xc000, 1<<40),
		"name":   dumptest.New("go1.26.0").Numbers(3, 1, 2, 1<<62),
		"stack":  dumptest.New("go1.26.0").Numbers(16, 1, 2, 1<<62),
		"tag":    dumptest.New("go1.26.0").Numbers(99),
		"kind":   dumptest.New("go1.26.0").Numbers(1, 0xc000).Words([]uint64{1}).Numbers(9, 0),
	} {
		if _, _, err := scan(d); fail.KindOf(err) != fail.BadInput {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The runtime's own dump of this test is read to its end, and has an object that the test holds.
func TestTheRuntimesDump(t *testing.T) {
	f, err := os.CreateTemp(t.TempDir(), "heap")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	held := make([]*int, 3<<17) // an object of more than a window, with pointers
	held[len(held)-1] = new(int)
	debug.WriteHeapDump(f.Fd())
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewScanner(f, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	found, frames := false, 0
	for {
		r, err := s.Next()
		if err != nil {
			t.Fatal(err)
		}
		if r.Tag == EOF {
			break
		}
		if r.Tag == StackFrame && strings.HasSuffix(r.Name, "TestTheRuntimesDump") {
			frames++
		}
		if r.Tag == Object && r.Size >= 3<<20 {
			last := uint64(len(held)-1) * uint64(s.Layout.PointerSize)
			found = found || s.Word(last) != 0 && s.Word(0) == 0
		}
	}
	if !found || frames != 1 || s.Layout.Version != runtime.Version() || s.Layout.Arch != runtime.GOARCH ||
		s.Memory.HeapAlloc < 3<<20 {
		t.Errorf("object %v, %d frames, %+v, %+v", found, frames, s.Layout, s.Memory)
	}
	runtime.KeepAlive(held)
}

func FuzzScanner(f *testing.F) {
	f.Add([]byte(small()))
	f.Add([]byte(dumptest.New("go1.21.0").Object(0xc000, []uint64{1}, 0, 5, 1<<40).End()))
	f.Fuzz(func(t *testing.T, b []byte) {
		if _, _, err := scan(b); err != nil && fail.KindOf(err) != fail.BadInput {
			t.Errorf("%v is not a fault of the input", err)
		}
	})
}
