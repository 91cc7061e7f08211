package once

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/probe"
)

func TestLocate(t *testing.T) {
	dir := t.TempDir()
	for name, mode := range map[string]os.FileMode{"prog": 0o700, "text": 0o600, "main.go": 0o600, "sh": 0o700} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "pkg"), 0o700); err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]string{
		"./prog": "prog", "prog": "prog", filepath.Join(dir, "prog"): "prog",
		"sh":    "sh", // what is here comes before PATH
		"./pkg": "", "pkg": "", ".": "", "main:./pkg": "", "main.go": "", "./main.go": "", "main.go other.go": "",
		"example.com/mod/cmd": "", "no-such-program": "",
	} {
		if want != "" {
			want = filepath.Join(dir, want)
		}
		if got, err := Locate(dir, word); got != want || err != nil {
			t.Errorf("%s: %q, %v; want %q", word, got, err, want)
		}
	}
	inPath, err := exec.LookPath("cat")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Locate(dir, "cat"); got != inPath || err != nil {
		t.Errorf("cat: %q, %v; want %q", got, err, inPath)
	}
	for word, hint := range map[string]string{"./text": "chmod +x ./text", "./nowhere": "taken from " + dir,
		os.DevNull: ""} {
		_, err := Locate(dir, word)
		if fail.ExitCode(err) != int(fail.BadInput) || !strings.Contains(fail.HintOf(err), hint) {
			t.Errorf("%s: %v, hint %q; want one with %q", word, err, fail.HintOf(err), hint)
		}
	}
}

func TestProgramsSayWhatTheyAre(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	b, digest, err := Take(build.Variant{Source: exe}, exe)
	if err != nil || !b.Probed || b.GoVersion == "" || b.Module != "github.com/gohone/hone" || len(digest) != 64 {
		t.Errorf("this test: %+v, %q, %v", b, digest, err)
	}
	b, digest, err = Take(build.Variant{Source: "sh"}, "/bin/sh")
	if err != nil || b.Probed || b.GoVersion != "" || b.Path != "/bin/sh" || len(digest) != 64 {
		t.Errorf("sh: %+v, %q, %v", b, digest, err)
	}
	_, _, err = Take(build.Variant{Source: "sh", BuildFlags: []string{"-race"}}, "/bin/sh")
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
