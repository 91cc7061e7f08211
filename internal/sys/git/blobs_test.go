package git

import (
	"errors"
	"strings"
	"testing"
)

// A file is read as it is, and one that is larger than its reader wants is refused, also one that no pipe holds.
func TestBlobs(t *testing.T) {
	h := newHostile(t)
	large := strings.Repeat("line\n", 100_000)
	h.write("sub/large.txt", large)
	h.git("add", ".")
	h.git("commit", "-qm", "large")
	b, err := OpenBlobs(t.Context(), h.dir+"/sub")
	if err != nil {
		t.Fatal(err)
	}
	for _, object := range []string{"HEAD:sub/large.txt", "HEAD:./large.txt"} {
		if text, err := b.Read(t.Context(), object, int64(len(large))); err != nil || string(text) != large {
			t.Errorf("%s: %d bytes, %v", object, len(text), err)
		}
		if text, err := b.Read(t.Context(), object, int64(len(large))-1); !errors.Is(err, ErrTooMuch) || text != nil {
			t.Errorf("%s: %d bytes, %v, want ErrTooMuch", object, len(text), err)
		}
	}
	if _, err := b.Read(t.Context(), "HEAD:none", 10); err == nil || errors.Is(err, ErrTooMuch) {
		t.Errorf("a file that is not there: %v", err)
	}
}
