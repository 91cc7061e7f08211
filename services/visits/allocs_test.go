package visits

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gohone/hone/services/internal/servicetest"
)

// sharded allocates nothing for a visit of a known name, whatever has to be unescaped and
// escaped, and wherever the log goes.
func TestShardedAllocatesNothing(t *testing.T) {
	if servicetest.RaceDetector() {
		t.Skip("SKIPPED: the race detector empties pools at random")
	}
	file, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, cfg := range []Config{{}, {Log: file}, {MaxNames: 1}} {
		h := counter(t, Stages[len(Stages)-1], cfg)
		for _, target := range []string{
			"/hello", "/hello?name=gopher&color=blue", "/hello?name=a+b%26%3C%3E%22'%5c%00%ff&color=%23fff", "/hello?n%61me=x&&y=%zz&;",
		} {
			v := newVisitor(target)
			// A visit may make the text of another second.
			if allocs := testing.AllocsPerRun(1000, func() { v.visit(h) }); allocs != 0 {
				t.Errorf("%s: %v allocations, want 0", target, allocs)
			}
		}
	}
}

// Each stage but fprintf allocates less than the one before it, or as much: final differs
// from bytes in its lock alone.
func TestStagesAllocateLessAndLess(t *testing.T) {
	if servicetest.RaceDetector() {
		t.Skip("SKIPPED: the race detector empties pools at random")
	}
	before := 0.0
	for i, s := range Stages {
		h := counter(t, s, Config{})
		v := newVisitor("/hello?name=gopher&color=blue")
		allocs := testing.AllocsPerRun(1000, func() { v.visit(h) })
		if more := allocs > before; i > 0 && more != s.Slower {
			t.Errorf("%s: %v allocations after %v", s.Name, allocs, before)
		}
		before = allocs
	}
}
