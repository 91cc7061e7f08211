package build

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

func TestRepeatIsTheBuildWithoutItsPlace(t *testing.T) {
	t.Parallel()
	b := &Binary{Command: []string{"go", "build", "-overlay", "o.json", "-o", "out", "-tags=x", "--", "."}}
	flags, targets := b.Repeat()
	if !slices.Equal(flags, []string{"-overlay", "o.json", "-tags=x"}) || !slices.Equal(targets, []string{"."}) {
		t.Errorf("flags %q, targets %q", flags, targets)
	}
}

// The script gives tool cover the files of the overlay, and runs other tools as they are.
func TestCoverToolTellsWhereFilesOfTheOverlayAre(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("it is a shell script")
	}
	dir := t.TempDir()
	if err := writeCoverTool(map[string]string{"/src/it's/a.go": "/over lay/a.go"}, []string{"env", "X=1 2"}, dir); err != nil {
		t.Fatal(err)
	}
	for _, tool := range []string{"cover", "compile"} {
		path := filepath.Join(dir, tool)
		if err := os.WriteFile(path, []byte("#!/bin/sh\nfor w in \"$@\"; do echo \"<$w>\"; done\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(coverTool(dir), path, "-mode", "a b", "/src/it's/a.go", "/src/b.go").CombinedOutput()
		want := "<-mode>\n<a b>\n</src/it's/a.go>\n</src/b.go>\n"
		if tool == "cover" {
			want = "<-mode>\n<a b>\n</over lay/a.go>\n</src/b.go>\n"
		}
		if err != nil || string(out) != want {
			t.Errorf("%s: %q, %v; want %q", tool, out, err, want)
		}
	}
}
