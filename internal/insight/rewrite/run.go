package rewrite

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/lifetime"
	"github.com/gohone/hone/internal/text/fail"
)

// runGo runs a go command in dir; env is nil for hone's own environment. When ctx is done, all
// processes of the command are killed.
func runGo(ctx context.Context, dir string, env []string, args ...string) (stdout []byte, complaint string, err error) {
	if env == nil {
		env = os.Environ()
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = dir, append(slices.Clone(env), "PWD="+dir)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	lifetime.Mark(cmd)
	lifetime.Bind(cmd)
	runtime.LockOSThread() // lifetime.Bind asks for it
	defer runtime.UnlockOSThread()
	err = cmd.Run()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return out.Bytes(), errOut.String(), err
}

// goFault is the error for a go command that failed, with the end of what it wrote.
func goFault(what string, err error, output string) error {
	if errors.Is(err, exec.ErrNotFound) {
		return fail.New(fail.Environment,
			"there is no go command in PATH").WithHint("install Go, or add its bin directory to PATH")
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fail.New(fail.Subject, "%s: %w\n%s", what, err, lastLines(output))
}

// shownLines is how much of an output an error shows.
const shownLines = 20

func lastLines(output string) string {
	lines := strings.Split(strings.TrimRight(output, "\n"), "\n")
	return strings.Join(lines[max(len(lines)-shownLines, 0):], "\n")
}
