package objdump

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/gohone/hone/prof"
)

// burner writes a CPU profile of itself to the file that its argument names, until it has
// ticks of both functions.
const burner = `package main

import (
	"bytes"
	"os"
	"runtime/pprof"
	"time"
)

//go:noinline
func inner(n uint64) (sum uint64) {
	for i := range n {
		sum += i * i
	}
	return sum
}

//go:noinline
func outer(n uint64) uint64 { return inner(n) + inner(n/2) }

func main() {
	var b bytes.Buffer
	if err := pprof.StartCPUProfile(&b); err != nil {
		panic(err)
	}
	var total uint64
	for began := time.Now(); time.Since(began) < 300*time.Millisecond; {
		total += outer(100_000)
	}
	pprof.StopCPUProfile()
	if err := os.WriteFile(os.Args[1], b.Bytes(), 0o600); err != nil || total == 1 {
		panic(err)
	}
}
`

// The view has what go tool pprof -disasm has, instruction by instruction.
func TestDisasmCountsAsPprofDoes(t *testing.T) {
	dir := t.TempDir()
	source, binary, file := filepath.Join(dir, "main.go"), filepath.Join(dir, "main"), filepath.Join(dir, "cpu.pb.gz")
	if err := os.WriteFile(source, []byte(burner), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Env = append(os.Environ(), "PPROF_TMPDIR="+dir)
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v\n%s", cmd, err, &stderr)
		}
		return string(out)
	}
	run("go", "build", "-o", binary, source)
	run(binary, file)
	theirs := pprofDisasm(t, run("go", "tool", "pprof", "-disasm=main[.](inner|outer)", "-unit=ns", binary, file))

	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := prof.Parse(f, prof.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := Open(t.Context(), binary)
	if err != nil {
		t.Fatal(err)
	}
	view, err := prof.ViewNamed("disasm")
	if err != nil {
		t.Fatal(err)
	}
	d, err := view.Show(p, prof.ViewOptions{Function: regexp.MustCompile(`^main\.(inner|outer)$`), Assembler: b})
	if err != nil {
		t.Fatal(err)
	}
	ours := map[uint64][2]int64{}
	for _, f := range d.(*prof.Disassembly).Functions {
		for _, in := range f.Instructions {
			if in.Cum != 0 {
				ours[in.Address] = [2]int64{in.Flat, in.Cum}
			}
		}
	}
	if len(ours) == 0 || len(ours) != len(theirs) {
		t.Errorf("%d instructions with samples, pprof has %d", len(ours), len(theirs))
	}
	for address, want := range theirs {
		if got := ours[address]; got != want {
			t.Errorf("%x: flat, cum %v, want %v", address, got, want)
		}
	}
}

// pprofLine is flat, cum, address.
var pprofLine = regexp.MustCompile(`^\s*(\S+)\s+(\S+)\s+([0-9a-f]+):`)

// pprofDisasm reads flat and cum by address, where there is any.
func pprofDisasm(t *testing.T, text string) map[uint64][2]int64 {
	t.Helper()
	all := map[uint64][2]int64{}
	for line := range strings.Lines(text) {
		m := pprofLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		var values [2]int64
		for i, word := range m[1:3] {
			if word == "." {
				continue
			}
			v, err := strconv.ParseInt(strings.TrimSuffix(word, "ns"), 10, 64)
			if err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			values[i] = v
		}
		address, err := strconv.ParseUint(m[3], 16, 64)
		if err != nil {
			t.Fatal(err)
		}
		if values != [2]int64{} {
			all[address] = values
		}
	}
	return all
}
