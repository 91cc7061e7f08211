package proc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
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

func built(cmd *exec.Cmd, what string) error {
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", what, err, bytes.TrimSpace(said))
	}
	return nil
}
