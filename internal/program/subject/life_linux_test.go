package subject

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/internal/testkit/leaktest"
)

// What a program used from its start to its end holds what it did last, and what its children did that lived for a
// moment; and each start has a TMPDIR of its own, which is looked at and removed.
func TestLife(t *testing.T) {
	leaktest.None(t)
	p, err := Start(t.Context(), server(t, "127.0.0.1:{port}"), withGuard(StartOptions{DataDir: t.TempDir()}))
	if err != nil {
		t.Fatal(err)
	}
	const calls, left = 5000, 12345
	tell(t, p, "calls 5000")
	used := time.Duration(number(t, tell(t, p, "children 2")))
	used += time.Duration(number(t, tell(t, p, "burn 50")))
	temp := tell(t, p, "env TMPDIR")
	if temp == os.Getenv("TMPDIR") || temp == "" {
		t.Fatalf("TMPDIR %q", temp)
	}
	if err := os.WriteFile(filepath.Join(temp, "file"), make([]byte, left), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	l := p.Life()
	if !l.Known || l.CPU < used || l.CPU > 2*used+time.Second {
		t.Errorf("CPU time %v, the program says %v", l.CPU, used)
	}
	if l.WriteCalls < calls || l.WriteCalls > calls+2000 || l.WriteBytes < calls || l.WriteBytes > 1<<20 ||
		l.StoredBytes > 1<<20 {
		t.Errorf("%+v, want %d calls of a byte each, and some", l.Counters, calls)
	}
	if want := (usage.Files{Count: 1, Bytes: left}); l.Left != want {
		t.Errorf("left %+v, want %+v", l.Left, want)
	}
	if _, err := os.Stat(temp); !os.IsNotExist(err) {
		t.Errorf("%s is still there: %v", temp, err)
	}
	// A value of the user's stays.
	b := server(t, "127.0.0.1:{port}")
	b.Variant.Env = []string{"TMPDIR=/own"}
	if got := tell(t, start(t, b, StartOptions{DataDir: t.TempDir()}), "env TMPDIR"); got != "/own" {
		t.Errorf("TMPDIR %q", got)
	}
}
