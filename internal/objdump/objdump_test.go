package objdump

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestDisassemble(t *testing.T) {
	dir := t.TempDir()
	source := "package main\n\nimport \"os\"\n\n//go:noinline\nfunc twice(n int) int { return 2 * n }\n\nfunc main() { os.Exit(twice(len(os.Args)) - 2) }\n"
	file, binary := filepath.Join(dir, "main.go"), filepath.Join(dir, "main")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-o", binary, file).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	b, err := Open(t.Context(), binary)
	if err != nil {
		t.Fatal(err)
	}
	found, err := b.Disassemble(regexp.MustCompile(`^main\.twice$`))
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 || found[0].Function != "main.twice" || !strings.HasSuffix(found[0].File, "main.go") || len(found[0].Instructions) == 0 {
		t.Fatalf("%+v", found)
	}
	content, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	last := uint64(0)
	for _, in := range found[0].Instructions {
		if in.Address <= last || in.Size == 0 || in.Text == "" || in.Offset+in.Size > uint64(len(content)) {
			t.Errorf("%+v", in)
		}
		last = in.Address
	}
	if in := found[0].Instructions[0]; in.Line != 6 {
		t.Errorf("the first instruction is at line %d", in.Line)
	}
}

func TestOpenRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(file, []byte("no program"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, file + ".gone"} {
		if _, err := Open(t.Context(), path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestParseOfOtherText(t *testing.T) {
	for _, text := range []string{"  main.go:5\t0x1\t90\tNOP\n", "TEXT main.main(SB) x.go\n  main.go:5\n", "TEXT main.main(SB) x.go\n  main.go:5\tzz\t90\tNOP\n"} {
		if f, err := parse(text); err == nil {
			t.Errorf("%q: %+v", text, f)
		}
	}
}
