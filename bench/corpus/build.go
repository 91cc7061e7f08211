package corpus

import (
	"bytes"
	"context"
	"debug/elf"
	"fmt"
	"path/filepath"

	"github.com/gohone/hone/bench/gotest"
	"github.com/gohone/hone/bench/proc"
)

// Build builds the test binaries of both trees of a commit into dir, or its programs if it is of a service. Paths are left out of
// them, as hone does.
func (c Commit) Build(ctx context.Context, trees [2]string, dir string) (sides [2]gotest.Side, err error) {
	for i, tree := range trees {
		pkg, program := filepath.Join(tree, c.Dir), filepath.Join(dir, fmt.Sprintf("%d.test", i))
		sides[i] = gotest.Side{Binary: gotest.Binary{Program: program, Dir: pkg}, Pattern: c.Pattern()}
		if c.Benchmark == "" {
			err = proc.BuildGo(ctx, pkg, program, "-trimpath", "-buildvcs=false", ".")
		} else {
			_, err = gotest.Build(ctx, pkg, program, "-trimpath")
		}
		if err != nil {
			return sides, err
		}
	}
	return sides, nil
}

// OtherText says whether the machine code of two programs differs: their text sections, in which the linker has put
// addresses, too.
func OtherText(a, b string) (bool, error) {
	var texts [2][]byte
	for i, path := range []string{a, b} {
		f, err := elf.Open(path)
		if err != nil {
			return false, fmt.Errorf("read %s: %w", path, err)
		}
		defer f.Close()
		s := f.Section(".text")
		if s == nil {
			return false, fmt.Errorf("read %s: no text", path)
		}
		if texts[i], err = s.Data(); err != nil {
			return false, fmt.Errorf("read the text of %s: %w", path, err)
		}
	}
	return !bytes.Equal(texts[0], texts[1]), nil
}
