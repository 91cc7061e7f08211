package subject

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/gohone/hone/internal/fail"
)

// SplitCommand splits a line into the words of one command as ParseVariant does: quotes
// and backslash as in a POSIX shell, and nothing else of a shell. Errors name the column.
func SplitCommand(line string) ([]string, error) { return splitWords(line) }

// JoinCommand is the inverse of SplitCommand: one line that a shell reads as these words.
func JoinCommand(words []string) string { return quoteWords(words) }

// Prepare runs a command that has to come before the build, such as go generate, in
// dir, which should be the root of the package's module (ModuleRoot). env is the whole
// environment of the build, nil for hone's own. No shell is involved.
//
// Errors: fail.Subject with the last 20 lines of output and the command to repeat,
// fail.Environment if there is no such command. When ctx is done, all processes of the
// command's group are killed and the error is ctx's.
func Prepare(ctx context.Context, argv []string, dir string, env []string) error {
	if len(argv) == 0 {
		return nil
	}
	if env == nil {
		env = os.Environ()
	}
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = dir, append(slices.Clone(env), "PWD="+dir)
	text := newRing(256 << 10) // far over 20 lines; the rest of a flood is dropped
	cmd.Stdout, cmd.Stderr = (*ringWriter)(&text), (*ringWriter)(&text)
	killGroup(cmd)
	err := cmd.Run()
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("prepare %s: %w", quoteWord(argv[0]), ctx.Err())
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, os.ErrNotExist):
		return fail.New(fail.Environment, "prepare: there is no command %q", argv[0]).
			WithHint("install it, or correct prepare in hone.yaml; it is run in %s", dir)
	}
	last, left := lastLines(text.stream().String(), errorLines)
	if left > 0 {
		last = fmt.Sprintf("[%d lines before]\n%s", left, last)
	}
	return fail.New(fail.Subject, "prepare with %s: %w\n%s", quoteWords(argv), err, last).
		WithHint("see it by itself: (cd %s && %s)", quoteWord(dir), quoteWords(argv))
}

// ModuleRoot returns the nearest directory with a go.mod at or above dir, or dir itself
// where there is none.
func ModuleRoot(dir string) string {
	for at := dir; ; {
		if info, err := os.Stat(filepath.Join(at, "go.mod")); err == nil && info.Mode().IsRegular() {
			return at
		}
		up := filepath.Dir(at)
		if up == at {
			return dir
		}
		at = up
	}
}
