package once

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
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
