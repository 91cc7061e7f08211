package subject

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/gohone/hone/internal/testkit/leaktest"
)

// Fault 12: the subject can only listen once all of its flood is out.
func TestFloodNeitherBlocksNorGrows(t *testing.T) {
	leaktest.None(t)
	const flood, limit = 64 << 20, 1000
	b := server(t, "127.0.0.1:{port}")
	b.Variant.Env = []string{fmt.Sprintf("FLOOD=%d", flood)}
	p := start(t, b, StartOptions{Output: OutputOptions{Limit: limit}})
	if tell(t, p, "nonblocking") != "false" {
		t.Error("the subject's stdout does not block: programs lose output")
	}
	await(t, "the pump", func() bool { return p.Output().Stdout.Written == flood })
	command(t, p, "flood 17")
	command(t, p, "exit 1")
	<-p.Done()
	out := p.Output().Stdout
	if out.Written != flood+17 || out.Dropped != flood+17-limit || len(out.Head)+len(out.Tail) != limit {
		t.Errorf("seen %d, dropped %d, kept %d+%d", out.Written, out.Dropped, len(out.Head), len(out.Tail))
	}
	if !bytes.HasPrefix(out.Head, []byte("0123456789abcde\n0")) || !bytes.HasSuffix(out.Tail, []byte("\n0")) {
		t.Errorf("head %q, tail %q", out.Head, out.Tail)
	}
}
