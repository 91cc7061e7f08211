package samecode

import (
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/program/objfile"
)

// What the linker puts into the test binary is reached, if all benchmarks and tests are; and of several definitions of
// a name it takes the same.
func TestAllThatTheLinkerKeepsIsReached(t *testing.T) {
	t.Parallel()
	dir := written(t, module)
	binary := compiledIn(t, dir)
	m, err := marksOf(toolchain(t))
	if err != nil {
		t.Fatal(err)
	}
	var programs [2]*program
	archives := &Archives{}
	for side := range programs {
		var all []*objfile.Archive
		for _, p := range binary.Packages {
			one, err := archives.read(p.Archive)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, one)
		}
		programs[side] = link(binary.Packages, all, toolchain(t).Builtins, m.debug)
	}
	twins([2][]Package{binary.Packages, binary.Packages}, programs)
	w := newWalk(programs[0], programs[1], &m, fileTexts{}) // without tables: nothing is cut off
	w.startAll()
	if !w.run() {
		t.Fatalf("a binary differs from itself: %s", w.why)
	}
	seen := 0
	for _, s := range linkedSymbols(t, dir) {
		n, known := w.b.names[s.symbolName]
		if !known { // the linker has made it
			continue
		}
		seen++
		if w.ofA[n] == none {
			t.Errorf("%s is in the binary, and not reached", s.name)
		} else if size := int(w.b.symbol(n).Size); size != s.size {
			t.Errorf("%s has %d bytes in the binary: that is not the definition with %d", s.name, s.size, size)
		}
	}
	if seen < 2000 {
		t.Errorf("only %d symbols of the binary are known", seen)
	}
}

type linkedSymbol struct {
	symbolName
	size int
}

// linkedSymbols are the functions of the test binary of a module.
func linkedSymbols(t *testing.T, dir string) (all []linkedSymbol) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "m.test")
	for _, args := range [][]string{{"test", "-c", "-trimpath", "-vet=off", "-buildvcs=false", "-o", out, "."},
		{"tool", "nm", "-size", out}} {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		text, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			// Address, size, kind, name, which may have blanks.
			fields := strings.SplitN(strings.Join(strings.Fields(line), " "), " ", 4)
			if len(fields) != 4 || fields[2] != "T" && fields[2] != "t" {
				continue
			}
			size, err := strconv.Atoi(fields[1])
			if err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			name, isABI0 := strings.CutSuffix(fields[3], ".abi0")
			abi := uint16(abiInternal)
			if isABI0 {
				abi = 0
			}
			all = append(all, linkedSymbol{symbolName{name, abi}, size})
		}
	}
	return all
}
