package build

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/probe"
)

func TestProgramsSayWhatTheyAre(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	b, digest, err := Take(Variant{Source: exe}, exe)
	if err != nil || !b.Probed || b.GoVersion == "" || b.Module != "github.com/gohone/hone" || len(digest) != 64 {
		t.Errorf("this test: %+v, %q, %v", b, digest, err)
	}
	b, digest, err = Take(Variant{Source: "sh"}, "/bin/sh")
	if err != nil || b.Probed || b.GoVersion != "" || b.Path != "/bin/sh" || len(digest) != 64 {
		t.Errorf("sh: %+v, %q, %v", b, digest, err)
	}
	_, _, err = Take(Variant{Source: "sh", BuildFlags: []string{"-race"}}, "/bin/sh")
	if err == nil || !strings.Contains(err.Error(), "sh is built already") {
		t.Errorf("flags for a program that is built: %v", err)
	}
}

// The mark is found wherever it lies, also across two pieces of what is read at a time.
func TestTheMarkIsFoundAnywhere(t *testing.T) {
	mark := []byte(probe.SocketVariable)
	for _, before := range []int{0, 1, 1<<20 - 5, 1 << 20, 3<<20 - 1} {
		for _, want := range []bool{true, false} {
			text := append(bytes.Repeat([]byte{'H'}, before), mark...)
			if !want {
				text[before+3]++
			}
			file := filepath.Join(t.TempDir(), "prog")
			if err := os.WriteFile(file, append(text, "and more"...), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, got, err := scan(file); got != want || err != nil {
				t.Errorf("mark at %d: %v, %v; want %v", before, got, err, want)
			}
		}
	}
}
