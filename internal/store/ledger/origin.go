package ledger

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/fail"
)

// gitPatience is how long git may take to list files; normally it takes some milliseconds.
const gitPatience = 10 * time.Second

// CheckOrigin refuses, with kind fail.Untrusted, the directory of a ledger that the git
// repository around it tracks files of: it came with a checkout, and others have made what
// is in it. Open, OpenExisting and OpenReader do so by themselves.
//
// It asks git only about a directory that exists within a repository, and lets a directory
// pass that git cannot say anything about, also because there is no git.
func CheckOrigin(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil // opening it says why
	}
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() || !inRepository(dir) {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), gitPatience)
	defer cancel()
	listed, err := git.Run(ctx, dir, "ls-files", "-z") // of this directory and below
	if err != nil || listed == "" {
		return nil
	}
	first, _, _ := strings.Cut(listed, "\x00")
	return fail.New(fail.Untrusted,
		"this repository carries a %s directory: git tracks %d file(s) in %s, such as %q; a ledger that came with a "+
			"checkout is not read or written",
		filepath.Base(dir), strings.Count(listed, "\x00"), dir, first).
		WithHint("if the ledger is yours: git rm -r --cached %q; else name another directory with --ledger", dir)
}

// inRepository says whether a directory is in the work tree of a git repository, without
// asking git.
func inRepository(dir string) bool {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return true
		}
		if at == filepath.Dir(at) {
			return false
		}
	}
}
