//go:build unix

package build

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/testkit/moduletest"
)

// Every tool that this build runs holds a pipe open and sleeps. When the build is
// cancelled, all of them have to be gone: that is when the pipe ends.
func TestBuildThatIsCancelledLeavesNothingBehind(t *testing.T) {
	for _, stage := range []string{"list", "build"} { // go list asks tools for their versions
		t.Run(stage, func(t *testing.T) { cancelAt(t, stage) })
	}
}

func cancelAt(t *testing.T, stage string) {
	dir := moduletest.WriteFiles(t, map[string]string{
		"go.mod": "module example.com/slow\n\ngo 1.21\n", "main.go": "package main\n\nfunc main() {}\n",
		"tool": "#!/bin/sh\ncase \"$STAGE$*\" in build*-V=full) exec \"$@\";; esac\nexec 3>\"$PIPE\"\necho started " +
			">&3\nsleep 1000\n",
	})
	pipe, out := filepath.Join(dir, "pipe"), t.TempDir()
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := Program(ctx, Variant{Name: "A", Source: ".", Env: []string{"PIPE=" + pipe, "STAGE=" + stage},
			BuildFlags: []string{"-toolexec=" + filepath.Join(dir, "tool")}},
			Options{Source: source.Options{WorkDir: dir}, OutDir: out})
		ended <- err
	}()
	f, err := os.Open(pipe) // returns when a tool has opened its end
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := io.ReadFull(f, make([]byte, len("started"))); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want context canceled", err)
	}
	if _, err := io.Copy(io.Discard, f); err != nil {
		t.Fatal(err)
	}
	if left, err := filepath.Glob(filepath.Join(out, "A", "tmp*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}
