package filelock

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestMain makes this binary the other process of the tests: with holdVariable it takes the
// lock of that path, says so, and holds it until its standard input ends.
func TestMain(m *testing.M) {
	path := os.Getenv(holdVariable)
	if path == "" {
		os.Exit(m.Run())
	}
	if _, err := Wait(context.Background(), path); err != nil {
		panic(err)
	}
	os.Stdout.WriteString("held\n")
	_, _ = os.Stdin.Read(make([]byte, 1))
}

const holdVariable = "HONE_TEST_HOLD_LOCK"

// hold starts a process that holds the lock of path.
func hold(t *testing.T, path string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), holdVariable+"="+path)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stdin.Close() })
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(stdout).ReadString('\n'); line != "held\n" {
		t.Fatalf("%q, %v", line, err)
	}
	return cmd
}

// The lock of another process holds while it lives, and is free when it was killed.
func TestLockEndsWithItsProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	other := hold(t, path)
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := Try(f); !errors.Is(err, ErrHeld) {
		t.Errorf("a held lock: %v", err)
	}
	if err := other.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = other.Wait() // it was killed
	if err := Try(f); err != nil {
		t.Error(err)
	}
}

func TestWait(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	unlock, err := Wait(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Wait(ctx, path); !errors.Is(err, context.Canceled) {
		t.Errorf("a held lock, and the wait has ended: %v", err)
	}
	got := make(chan error)
	go func() { // ends when the lock is free
		free, err := Wait(t.Context(), path)
		if err == nil {
			free()
		}
		got <- err
	}()
	unlock()
	if err := <-got; err != nil {
		t.Error(err)
	}
	if _, err := Wait(t.Context(), filepath.Join(path, "x")); err == nil {
		t.Error("locked a file that cannot be")
	}
}
