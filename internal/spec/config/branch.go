package config

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Branch is the default branch of a git repository, seen from a directory in it.
type Branch struct {
	// Name is the branch (main); empty if there is none, or no repository.
	Name string
	// Prefix is the way from the root of the repository to the directory, slash-separated;
	// "." in the root.
	Prefix string
}

// DefaultBranch finds the default branch of the repository around dir by reading git's
// own files. git is not run: a repository's configuration can name programs.
func DefaultBranch(dir string) Branch {
	dir, err := Resolve(dir)
	if err != nil {
		return Branch{}
	}
	root, prefix := repositoryOf(dir)
	if root == "" {
		return Branch{}
	}
	return Branch{Name: defaultBranch(gitDir(root)), Prefix: prefix}
}

// Below is the way from the root of the repository around dir to dir; "" without one.
func Below(dir string) string {
	dir, err := Resolve(dir)
	if err != nil {
		return ""
	}
	_, prefix := repositoryOf(dir)
	return filepath.FromSlash(prefix)
}

// repositoryOf returns the root of the repository around dir, and the way from it to dir,
// slash-separated; "" without one.
func repositoryOf(dir string) (root, prefix string) {
	for root := dir; ; root = filepath.Dir(root) {
		if exists(filepath.Join(root, ".git")) {
			prefix, err := filepath.Rel(root, dir)
			if err != nil {
				return "", ""
			}
			return root, filepath.ToSlash(prefix)
		}
		if filepath.Dir(root) == root {
			return "", ""
		}
	}
}

// gitDir is where the repository's refs are; in a worktree .git is a file that leads
// there (gitrepository-layout, "gitdir", "commondir").
func gitDir(root string) string {
	dir := filepath.Join(root, ".git")
	if line, ok := strings.CutPrefix(firstLine(dir), "gitdir: "); ok {
		dir = within(root, line)
	}
	if common := firstLine(filepath.Join(dir, "commondir")); common != "" {
		dir = within(dir, common)
	}
	return dir
}

func within(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// defaultBranch is what the remote calls its default, else a usual name, if there is
// such a local branch.
func defaultBranch(dir string) string {
	candidates := []string{"main", "master", "trunk"}
	const remote = "ref: refs/remotes/origin/"
	if head, ok := strings.CutPrefix(firstLine(filepath.Join(dir, "refs", "remotes", "origin", "HEAD")), remote); ok {
		candidates = slices.Insert(candidates, 0, head)
	}
	packed := readSome(filepath.Join(dir, "packed-refs"), 16<<20)
	for _, branch := range candidates {
		if !name.MatchString(branch) {
			continue // a branch such as team/main: its variant would need another name
		}
		if readSome(filepath.Join(dir, "refs", "heads", branch), 1) != "" ||
			strings.Contains(packed, " refs/heads/"+branch+"\n") {
			return branch
		}
	}
	return ""
}

func firstLine(path string) string {
	line, _, _ := strings.Cut(readSome(path, 4096), "\n")
	return strings.TrimRight(line, "\r")
}

// readSome reads the start of a regular file, "" if there is none.
func readSome(path string, most int64) string {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, most))
	if err != nil {
		return ""
	}
	return string(text)
}
