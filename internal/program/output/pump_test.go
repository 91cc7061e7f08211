package output

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohone/hone/internal/testkit/leaktest"
)

// Whatever is written in whatever portions, the ring has the right beginning and
// end, and its account is exact.
func TestRingKeepsBothEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(0, 40).Draw(t, "limit")
		r := NewRing(limit)
		var all []byte
		for range rapid.IntRange(0, 20).Draw(t, "writes") {
			b := rapid.SliceOfN(rapid.Byte(), 0, 60).Draw(t, "bytes")
			all = append(all, b...)
			_, _ = r.Write(b)
		}
		s := r.Stream()
		if !bytes.HasPrefix(all, s.Head) || !bytes.HasSuffix(all, s.Tail) {
			t.Fatalf("head %q and tail %q of %q", s.Head, s.Tail, all)
		}
		kept := uint64(len(s.Head) + len(s.Tail))
		if s.Written != uint64(len(all)) || s.Written != kept+s.Dropped {
			t.Fatalf("seen %d, kept %d, dropped %d of %d", s.Written, kept, s.Dropped, len(all))
		}
		if kept > uint64(max(limit, 2)) {
			t.Fatalf("kept %d bytes, limit %d", kept, limit)
		}
		if s.Dropped > 0 && int(kept) < limit-1 {
			t.Fatalf("dropped %d bytes though only %d of %d are kept", s.Dropped, kept, limit)
		}
	})
}

func TestStreamString(t *testing.T) {
	if got := (Stream{Head: []byte("ab"), Tail: []byte("cd"), Written: 4}).String(); got != "abcd" {
		t.Errorf("whole stream: %q", got)
	}
	got := Stream{Head: []byte("ab"), Tail: []byte("cd"), Written: 9, Dropped: 5}.String()
	if !strings.HasPrefix(got, "ab\n") || !strings.HasSuffix(got, "\ncd") || !strings.Contains(got, "5 bytes dropped") {
		t.Errorf("cut stream: %q", got)
	}
}

// A pipe that is found full is one whose writer has to wait; bytes that wait in it are none.
func TestAFullPipeIsCounted(t *testing.T) {
	leaktest.None(t)
	for _, c := range []struct {
		less int
		full uint64
	}{{0, 1}, {1, 0}} {
		p, w, err := NewPump(100)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(make([]byte, p.size-c.less)); err != nil {
			t.Fatal(err)
		}
		go p.Run()
		w.Close()
		p.Finish()
		if got := p.Stream(); got.Full != c.full || got.Written != uint64(p.size-c.less) {
			t.Errorf("%d of %d bytes: found full %d times, want %d", got.Written, p.size, got.Full, c.full)
		}
	}
}

// A process outside the tree that was handed the pipe does not keep hone waiting.
func TestPumpLeavesAHeldPipe(t *testing.T) {
	leaktest.None(t)
	p, w, err := NewPump(100)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	go p.Run()
	if _, err := w.WriteString("last words"); err != nil {
		t.Fatal(err)
	}
	p.Finish()
	if got := p.Stream().String(); got != "last words" {
		t.Errorf("kept %q", got)
	}
	if _, err := w.WriteString("x"); err == nil {
		t.Error("the pipe is still open for reading")
	}
}

func TestPumpDrainsInMidPause(t *testing.T) {
	leaktest.None(t)
	p, w, err := NewPump(100)
	if err != nil {
		t.Fatal(err)
	}
	go p.Run()
	for i := range 100 {
		fmt.Fprint(w, i%10)
		p.Drain()
		if got := p.Stream().Written; got != uint64(i+1) {
			t.Fatalf("drained %d bytes of %d", got, i+1)
		}
	}
	w.Close()
	p.Finish()
}

// What a line of the subject's log costs hone, pipe and pump together.
func BenchmarkPump(b *testing.B) {
	p, w, err := NewPump(64 << 10)
	if err != nil {
		b.Fatal(err)
	}
	go p.Run()
	line := bytes.Repeat([]byte("x"), 100)
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		if _, err := w.Write(line); err != nil {
			b.Fatal(err)
		}
	}
	w.Close()
	p.Finish()
}
