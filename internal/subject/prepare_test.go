package subject

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/fail"
)

func TestPrepareRunsInTheModule(t *testing.T) {
	root := t.TempDir()
	pkg := filepath.Join(root, "cmd", "server")
	if err := os.MkdirAll(pkg, 0o700); err != nil {
		t.Fatal(err)
	}
	if got := ModuleRoot(pkg); got != pkg {
		t.Errorf("root without a go.mod: %s, want the directory itself", got)
	}
	if err := os.WriteFile(filepath.Join(root, "go.mod"), []byte("module example.com/x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := ModuleRoot(pkg); got != root {
		t.Errorf("root %s, want %s", got, root)
	}
	env := append(os.Environ(), "WORD=a b")
	err := Prepare(t.Context(), []string{"sh", "-c", `printf '%s|%s' "$WORD" "$PWD" > made`}, root, env)
	if err != nil {
		t.Fatal(err)
	}
	made, err := os.ReadFile(filepath.Join(root, "made"))
	if err != nil || string(made) != "a b|"+root {
		t.Errorf("the command left %q, %v", made, err)
	}
}

func TestPrepareThatFailsShowsItsEnd(t *testing.T) {
	err := Prepare(t.Context(), []string{"sh", "-c", "seq 1 50; echo broken >&2; exit 7"}, t.TempDir(), nil)
	if fail.ExitCode(err) != int(fail.Subject) {
		t.Fatalf("error %v", err)
	}
	text := err.Error()
	for _, want := range []string{"exit status 7", "[31 lines before]\n32\n", "\n50\nbroken"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	if strings.Contains(text, "\n31\n") || !strings.Contains(fail.HintOf(err), "(cd ") {
		t.Errorf("error %s\nhint %s", text, fail.HintOf(err))
	}
}

func TestPrepareWithoutTheCommand(t *testing.T) {
	for _, name := range []string{"hone-no-such-command", "./no-such-file"} {
		if err := Prepare(t.Context(), []string{name}, t.TempDir(), nil); fail.ExitCode(err) != int(fail.Environment) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPrepareEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	dir := t.TempDir()
	done := make(chan error, 1) // the goroutine ends when the command does
	go func() {
		done <- Prepare(ctx, []string{"sh", "-c", "echo > begun; while :; do sleep 1; done"}, dir, nil)
	}()
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		if _, err := os.Stat(filepath.Join(dir, "begun")); err == nil {
			break
		}
		if time.Now().After(end) {
			t.Fatal("the command never began")
		}
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the context's", err)
	}
}
