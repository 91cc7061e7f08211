package syncs

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gohone/hone/internal/conduct/gobench/process"
)

// asEnv makes this test a program that writes as the variable says.
const asEnv = "HONE_TEST_SYNCS"

const rounds = 7

// write writes a file a few times, as a program does.
func write(t *testing.T, how string) {
	flags := os.O_CREATE | os.O_WRONLY | os.O_APPEND
	if how == "O_SYNC" {
		flags |= unix.O_SYNC
	}
	f, err := os.OpenFile(filepath.Join(t.TempDir(), "f"), flags, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for range rounds {
		if _, err := f.WriteString("record\n"); err != nil {
			t.Fatal(err)
		}
		switch how {
		case "fsync":
			err = f.Sync()
		case "fdatasync":
			err = unix.Fdatasync(int(f.Fd()))
		case "thread":
			done := make(chan error)
			go func() { done <- f.Sync() }()
			err = <-done
		case "wrong":
			_ = unix.Fsync(-1)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	switch how {
	case "child":
		child := exec.Command(os.Args[0], "-test.run=^TestSyncsAreCounted$")
		child.Env = append(os.Environ(), asEnv+"=fsync")
		if err := child.Run(); err != nil {
			t.Fatal(err)
		}
	case "hangs":
		time.Sleep(time.Hour)
	case "fails":
		os.Exit(3)
	}
}

// Calls that wait for a disk count, of all threads and children, and writes of files with O_SYNC. Others do not, nor do
// those that fail.
func TestSyncsAreCounted(t *testing.T) {
	if how := os.Getenv(asEnv); how != "" {
		write(t, how)
		return
	}
	count := func(ctx context.Context, how string) (int, error) {
		p := process.Program{Path: os.Args[0], Dir: t.TempDir(), Env: append(os.Environ(), asEnv+"="+how)}
		return Count(ctx, p, "-test.run=^TestSyncsAreCounted$")
	}
	for how, want := range map[string]int{"none": 0, "fsync": rounds, "fdatasync": rounds, "thread": rounds,
		"O_SYNC": rounds, "child": rounds, "wrong": 0} {
		n, err := count(t.Context(), how)
		if errors.Is(err, ErrUnsupported) {
			t.Skip(err)
		}
		if err != nil || n != want {
			t.Errorf("%s: %d calls, %v; want %d", how, n, err, want)
		}
	}
	if n, err := count(t.Context(), "fails"); err == nil || errors.Is(err, ErrUnsupported) {
		t.Errorf("a program that fails: %d, %v", n, err)
	}
	limited, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	if _, err := count(limited, "hangs"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a program that hangs: %v", err)
	}
}
