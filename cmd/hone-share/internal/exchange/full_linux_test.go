package exchange

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/testkit/mounttest"
	"github.com/gohone/hone/internal/text/fail"
)

// A disk that is full, below the ledger or the temporary directory, ends a pull and a push with a next step, and
// leaves nothing half.
func TestFullDisk(t *testing.T) {
	mounttest.Run(t, func(t *testing.T, dir string) {
		f := share(t)
		big, err := f.l.BeginRun(ledger.Run{Label: "big"})
		must(t, err)
		_, err = big.AddArtefact("output", "noise", &noise{left: 8 << 20})
		must(t, err)
		must(t, big.Finish(ledger.Complete, "", nil))
		_, err = f.push(t, false, run(big.ID()))
		must(t, err)
		mounttest.Tmpfs(t, dir, "size=4m")
		elsewhere, full := t.TempDir(), filepath.Join(dir, "full")
		must(t, os.Mkdir(full, 0o700))
		for _, c := range []struct{ temporary, ledger string }{
			{full, filepath.Join(elsewhere, "ledger")}, {elsewhere, filepath.Join(full, "ledger")},
		} {
			t.Setenv("TMPDIR", c.temporary)
			got, err := f.pull(t, c.ledger)
			if fail.KindOf(err) != fail.Storage || fail.HintOf(err) == "" || got != "" {
				t.Errorf("pulled %q, %v, hint %q", got, err, fail.HintOf(err))
			}
			if left, err := filepath.Glob(filepath.Join(c.temporary, "hone-*")); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		}
		t.Setenv("TMPDIR", full)
		if _, err := f.push(t, true, run(big.ID())); fail.KindOf(err) != fail.Storage ||
			!strings.Contains(fail.HintOf(err), "TMPDIR") {
			t.Errorf("error %v, hint %q", err, fail.HintOf(err))
		}
		t.Setenv("TMPDIR", elsewhere)
		if got, err := f.pull(t, filepath.Join(elsewhere, "ledger")); err != nil ||
			!strings.HasPrefix(got, "pulled run") {
			t.Errorf("pulled %q, %v", got, err)
		}
	})
}

// noise is text that does not pack: xorshift (Marsaglia, 2003).
type noise struct {
	left  int
	state uint64
}

func (n *noise) Read(p []byte) (int, error) {
	if n.left == 0 {
		return 0, io.EOF
	}
	p = p[:min(len(p), n.left)]
	for i := range p {
		n.state ^= n.state<<13 | 1
		n.state ^= n.state >> 7
		n.state ^= n.state << 17
		p[i] = byte(n.state >> 32)
	}
	n.left -= len(p)
	return len(p), nil
}
