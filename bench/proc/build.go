package proc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// ErrNoCompiler is why a program in C is missing.
var ErrNoCompiler = errors.New("no gcc (Debian: apt-get install gcc libc6-dev)")

// BuildGo builds packages of the module in dir to out: a file, or a directory that ends with
// a slash.
func BuildGo(ctx context.Context, dir, out string, packages ...string) error {
	cmd := exec.CommandContext(ctx, "go", append([]string{"build", "-o", out}, packages...)...)
	cmd.Dir = dir
	return built(cmd, strings.Join(packages, " "))
}

// BuildC builds one file of C to out.
func BuildC(ctx context.Context, out string, source []byte) error {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		return ErrNoCompiler
	}
	cmd := exec.CommandContext(ctx, gcc, "-O2", "-Wall", "-x", "c", "-o", out, "-")
	cmd.Stdin = bytes.NewReader(source)
	return built(cmd, "the program in C")
}

// Hone is hone built for tests, which several packages share: what is up to date is not linked again, and they wait for
// each other.
func Hone(ctx context.Context, root string) (program string, err error) {
	dir, err := filepath.Abs(filepath.Join(root, "bin", "test"))
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err != nil {
		return "", err
	}
	lock, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return "", err
	}
	defer lock.Close() // and unlocks it
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return "", err
	}
	program = filepath.Join(dir, "hone")
	cmd := exec.CommandContext(ctx, "go", "build", "-ldflags=-w", "-o", program, "./cmd/hone")
	cmd.Dir = root
	return program, built(cmd, "hone")
}

func built(cmd *exec.Cmd, what string) error {
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", what, err, bytes.TrimSpace(said))
	}
	return nil
}
