package gocommand

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"

	"github.com/gohone/hone/internal/program/lifetime"
	"github.com/gohone/hone/internal/program/output"
	"github.com/gohone/hone/internal/text/fail"
)

// Ask runs a go command in dir; env is nil for hone's own environment. The error is of kind
// fail.BadInput if go itself refused, complaint is what it wrote to its standard error then, and answer what it wrote
// besides.
func Ask(ctx context.Context, env []string, dir string, args ...string) (answer []byte, complaint string, err error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = dir, Env(env, dir)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = lifetime.Run(cmd) // with -toolexec go list runs tools, too
	switch {
	case err == nil:
		return stdout.Bytes(), "", nil
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case errors.Is(err, exec.ErrNotFound):
		return nil, "", ErrMissing()
	}
	return stdout.Bytes(), stderr.String(), fail.New(fail.BadInput, "go %s: %w\n%s", args[0], err,
		output.LastLines(stderr.String()))
}

// Env is the environment for a go command in dir; env is nil for hone's own. PWD has
// to say the same for go list and go build: in a directory reached by a symbolic link
// it decides what go calls the directory, and an overlay has to call it just that.
func Env(env []string, dir string, more ...string) []string {
	if env == nil {
		env = os.Environ()
	}
	return append(append(slices.Clone(env), "PWD="+dir), more...)
}

func ErrMissing() error {
	return fail.New(fail.Environment, "there is no go command in PATH").
		WithHint("install Go, or add its bin directory to PATH")
}

// mostPrinted is how much of what a command prints is read; the rest is dropped.
const mostPrinted = 64 << 20

// Printed is all that a go command prints, in the order of time: goPath is the command, env its whole environment.
func Printed(ctx context.Context, goPath string, env []string, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, goPath, args...)
	cmd.Dir, cmd.Env = dir, Env(env, dir)
	text := output.NewRing(mostPrinted)
	cmd.Stdout, cmd.Stderr = &text, &text
	if err := lifetime.Run(cmd); err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", args[0], err, output.LastLines(text.Stream().String()))
	}
	return text.Stream().String(), nil
}
