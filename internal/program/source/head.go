package source

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/sys/paths"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/shellwords"
)

// AtHead returns the words of the source that is the same package at HEAD: HEAD:./cmd/server
// for ./cmd/server. There are none for what is neither a directory nor Go files.
//
// Errors are fail.BadInput: outside of a repository, before its first commit, and where the
// working tree does not differ from HEAD, since there is nothing to compare then. The whole
// repository counts, since a program is more than its own directory.
func AtHead(ctx context.Context, source string, o Options) ([]string, error) {
	words, err := AtRef(source, "HEAD", o)
	if err != nil || words == nil {
		return nil, err
	}
	workDir, err := filepath.Abs(o.WorkDir)
	if err != nil {
		return nil, fail.New(fail.Environment, "resolve source %q: %w", source, err)
	}
	_, first, _ := strings.Cut(words[0], ":")
	dir := paths.Within(workDir, first)
	if !paths.IsDirectory(dir) {
		dir = filepath.Dir(dir)
	}
	return words, checkChanged(ctx, source, first, workDir, dir)
}

// AtRef returns the words of the source that is the same package at a git ref: REF:./cmd/server for ./cmd/server. There
// are none for what is neither a directory nor Go files of the working tree.
func AtRef(source, ref string, o Options) ([]string, error) {
	workDir, err := filepath.Abs(o.WorkDir)
	if err != nil {
		return nil, fail.New(fail.Environment, "resolve source %q: %w", source, err)
	}
	words := []string{source}
	if !paths.IsDirectory(paths.Uncleaned(workDir, source)) {
		if words = goFiles(source, workDir); words == nil || !paths.IsFile(paths.Within(workDir, words[0])) {
			return nil, nil
		}
	}
	for i, name := range words {
		rel, err := filepath.Rel(workDir, paths.Within(workDir, name))
		if err != nil {
			return nil, fail.New(fail.BadInput, "source %q: %w", source, err)
		}
		if words[i] = filepath.ToSlash(rel); !IsRelative(words[i]) {
			words[i] = "./" + words[i]
		}
	}
	words[0] = ref + ":" + words[0]
	return words, nil
}

// checkChanged returns nil if the repository around both directories differs from its HEAD.
// path is the source as a ref has it.
func checkChanged(ctx context.Context, source, path, workDir, dir string) error {
	const both = "name both sides: hone compare ./old ./new, or HEAD~1:./server ./server"
	top, err := git.Run(ctx, dir, "rev-parse", "--show-toplevel")
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fail.New(fail.BadInput,
			"%s alone is compared with what it was at HEAD, and it is in no git repository that can be read: %w",
			source, err).
			WithHint("%s", both)
	}
	if here, err := git.Run(ctx, workDir, "rev-parse", "--show-toplevel"); err != nil || here != top {
		return fail.New(fail.BadInput,
			"%s alone is compared with what it was at HEAD, and it is in another repository (%s) than this directory",
			source,
			top).
			WithHint("start hone in that repository: cd %s", shellwords.Quote(top))
	}
	commit, dirty := git.CommitOf(ctx, dir)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case commit == "":
		return fail.New(fail.BadInput,
			"%s alone is compared with what it was at HEAD, and the repository has no commit yet", source).
			WithHint("%s", both)
	case !dirty:
		return fail.New(fail.BadInput,
			"%s alone is compared with what it was at HEAD, and nothing differs from HEAD (commit %.12s) in the working tree",
			source, commit).
			WithHint("change something, or name an older commit: hone compare %s %s", shellwords.Quote("HEAD~1:"+path),
				shellwords.Quote(source))
	}
	return nil
}
