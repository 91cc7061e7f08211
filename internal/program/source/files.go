package source

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/sys/paths"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/shellwords"
)

// IsGoFile says whether a word of a command line is called as a Go file is.
func IsGoFile(word string) bool { return strings.HasSuffix(word, ".go") }

// GoFiles returns the words of a source if all are called as Go files are, else nil. The
// first may have a ref before it.
func GoFiles(source string) []string {
	words, err := shellwords.Split(source)
	if err != nil || slices.ContainsFunc(words, func(word string) bool { return !IsGoFile(word) }) {
		return nil
	}
	return words
}

// goFiles are the Go files that a source names in workDir, or at a ref. A single word with a
// slash may be an import path (example.com/nats.go): it is a file only if it is there, or can
// be nothing else.
func goFiles(source, workDir string) []string {
	words := GoFiles(source)
	if words == nil {
		return nil
	}
	first := filepath.ToSlash(words[0])
	if len(words) > 1 || !strings.Contains(first, "/") || strings.Contains(first, ":") ||
		filepath.IsAbs(words[0]) || IsRelative(words[0]) || paths.IsFile(paths.Within(workDir, words[0])) {
		return words
	}
	return nil
}

// sourceOfFiles is the package main that the files make, as for go run.
func sourceOfFiles(ctx context.Context, files []string, name string, o Options) (*Source, error) {
	s := &Source{}
	for _, file := range files {
		path := paths.Within(o.WorkDir, file)
		if !paths.IsFile(path) {
			return nil, noProgram(ctx, name, o.WorkDir, o, "source %q: there is no file %s", name, path)
		}
		if s.WorkDir != "" && s.WorkDir != filepath.Dir(path) {
			return nil, filesApart(name)
		}
		s.WorkDir, s.Targets = filepath.Dir(path), append(s.Targets, filepath.Base(path))
	}
	return s.Find(ctx, name, o)
}

func filesApart(name string) error {
	return fail.New(fail.BadInput, "source %q: the files are not in one directory", name).
		WithHint("the files of one package are in one directory, as for go run")
}

// OfFiles says whether the package is made of named files.
func (s *Source) OfFiles() bool { return IsGoFile(s.Targets[0]) && s.Package == FilesPackage }

// FilesPackage is what go calls a package that is made of named files.
const FilesPackage = "command-line-arguments"
