package series

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/testkit/mounttest"
	"github.com/gohone/hone/internal/text/fail"
)

// A full disk takes no part of an Append: neither half a line nor one of two files.
func TestAFullDiskTakesAllOrNothing(t *testing.T) {
	mounttest.Run(t, func(t *testing.T, dir string) {
		mounttest.Tmpfs(t, dir, "size=256k")
		s := OpenDir(dir)
		must(t, s.Append(t.Context(), []Point{pointOf("a", 1), pointOf("b", 1)}, nil))
		small, large := pointOf("a", 2), pointOf("b", 2)
		large.Machine = strings.Repeat("m", 1<<20)
		err := s.Append(t.Context(), []Point{small, large}, nil)
		if fail.ExitCode(err) != int(fail.Storage) || fail.HintOf(err) == "" {
			t.Errorf("a full disk: %v, hint %q", err, fail.HintOf(err))
		}
		err = s.Append(t.Context(), nil, map[string][]byte{"x.txt": make([]byte, 1<<20)})
		if fail.ExitCode(err) != int(fail.Storage) {
			t.Errorf("a full disk: %v", err)
		}
		left, err := filepath.Glob(filepath.Join(dir, reportsDir, "*"))
		must(t, err)
		hidden, err := os.ReadDir(filepath.Join(dir, reportsDir))
		must(t, err)
		if len(left)+len(hidden) > 0 {
			t.Errorf("left behind: %v %v", left, hidden)
		}
		if content := readStore(t, s); len(content.Points) != 2 || len(content.Faults) > 0 {
			t.Errorf("%d points, faults %v", len(content.Points), content.Faults)
		}
		must(t, s.Append(t.Context(), []Point{small}, nil))
		if content := readStore(t, s); len(content.Points) != 3 || len(content.Faults) > 0 {
			t.Errorf("after it %d points, faults %v", len(content.Points), content.Faults)
		}
	})
}
