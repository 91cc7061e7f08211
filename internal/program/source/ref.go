package source

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/sys/paths"
	"github.com/gohone/hone/internal/text/fail"
)

// refSource is a source at a git ref: a directory, or files if there are any.
type refSource struct {
	ref, dir string
	files    []string
	name     string // the whole as the user wrote it
}

func sourceAtRef(ctx context.Context, r refSource, o Options) (*Source, error) {
	repo, err := git.Run(ctx, o.WorkDir, "rev-parse", "--path-format=absolute", "--git-common-dir")
	if err != nil {
		return nil, repositoryError(r.ref, o.WorkDir, err)
	}
	below, err := git.Below(ctx, o.WorkDir)
	if err != nil {
		return nil, repositoryError(r.ref, o.WorkDir, err)
	}
	dir, files, err := r.inRepository(below)
	if err != nil {
		return nil, err
	}
	commit, err := git.FindCommit(ctx, o.WorkDir, r.ref)
	if err != nil {
		return nil, err
	}
	// What is not there is said first: a typing error costs no checkout.
	if err := r.checkTree(ctx, o.WorkDir, commit, dir, below); err != nil {
		return nil, err
	}
	root, err := checkout(ctx, r.ref, repo, commit, o)
	if err != nil {
		return nil, err
	}
	s := &Source{WorkDir: filepath.Join(root, filepath.FromSlash(dir)), Targets: []string{"."}, Commit: commit,
		Checkout: &Checkout{Ref: r.ref, Root: root, Below: below}}
	if files != nil {
		s.Targets = files
	}
	if err := r.checkFiles(s, dir); err != nil {
		return nil, err
	}
	if err := s.list(ctx, r.name, o); err != nil {
		return nil, err
	}
	note, err := git.Unfiltered(ctx, o.WorkDir, root)
	if note != "" {
		s.Notes = []string{note}
	}
	return s, err
}

// checkFiles returns nil if the files are in the checkout; dir is as inRepository has it.
func (r refSource) checkFiles(s *Source, dir string) error {
	if r.files == nil {
		return nil
	}
	for _, file := range s.Targets {
		if paths.IsFile(filepath.Join(s.WorkDir, file)) {
			continue
		}
		fault := fail.New(fail.BadInput, "there is no file %q at git ref %q (commit %.12s)", path.Join(dir, file),
			r.ref,
			s.Commit)
		meant := otherReading(r.files[0], s.Checkout.Below)
		if other, ok := fromRoot(s.Checkout.Below, meant); meant != "" && ok &&
			paths.IsFile(filepath.Join(s.Checkout.Root, other)) {
			return fault.WithHint(meantHint, r.ref, meant)
		}
		return fault.WithHint("%s", fail.HintList("Go files there: ", goFilesIn(s.WorkDir)))
	}
	return nil
}

// meantHint takes a ref and a path.
const meantHint = "did you mean %s:%s? With ./ a path begins in the directory where you are, else in the root of " +
	"the repository"

// inRepository returns the directory of a source and its files, seen from the root of the
// repository; below is where the user works.
func (r refSource) inRepository(below string) (dir string, files []string, err error) {
	outside := func(text string) error {
		return fail.New(fail.BadInput, "source %q: %q is not within the repository", r.name, text).
			WithHint("%s:./server begins in the directory where you are, and %s:cmd/server in the root of the repository",
				r.ref, r.ref)
	}
	if r.files == nil {
		dir, ok := fromRoot(below, r.dir)
		if !ok {
			return "", nil, outside(r.dir)
		}
		return dir, nil, nil
	}
	for i, text := range r.files {
		file, ok := fromRoot(below, text)
		if i > 0 && !strings.Contains(text, "/") {
			file, ok = path.Join(dir, text), true // beside the first
		}
		switch {
		case !ok:
			return "", nil, outside(text)
		case i > 0 && path.Dir(file) != dir:
			return "", nil, filesApart(r.name)
		}
		dir, files = path.Dir(file), append(files, path.Base(file))
	}
	return dir, files, nil
}

// IsRelative says whether a path begins in the working directory, behind a ref as well
// (gitrevisions(7), "<rev>:<path>"): with ./ or ../. A dot alone does, too.
func IsRelative(text string) bool {
	first, _, _ := strings.Cut(text, "/")
	return first == "." || first == ".."
}

// fromRoot returns a path behind a ref as it is called from the root of the repository.
// It is not ok outside.
func fromRoot(below, text string) (dir string, ok bool) {
	text = filepath.ToSlash(text)
	if path.IsAbs(text) {
		return "", false
	}
	if IsRelative(text) {
		text = path.Join(below, text)
	}
	dir = path.Clean(text)
	return dir, filepath.IsLocal(dir)
}

// checkTree returns nil if dir is a directory of the commit; dir is slash-separated,
// "." is the root.
func (r refSource) checkTree(ctx context.Context, repo, commit, dir, below string) error {
	if isTree(ctx, repo, commit, dir) {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	fault := fail.New(fail.BadInput, "there is no directory %q at git ref %q (commit %.12s)", dir, r.ref, commit)
	text := r.dir
	if r.files != nil {
		text = r.files[0]
	}
	if meant := otherReading(text, below); meant != "" {
		other, ok := fromRoot(below, meant)
		if r.files != nil {
			other = path.Dir(other)
		}
		if ok && isTree(ctx, repo, commit, other) {
			return fault.WithHint(meantHint, r.ref, meant)
		}
	}
	for parent := path.Dir(dir); ; parent = path.Dir(parent) {
		tree, lead := commit+":"+parent, "directories in "+r.ref+":"+parent+": "
		if parent == "." {
			tree, lead = commit, "directories in "+r.ref+": "
		}
		names, err := git.Run(ctx, repo, "ls-tree", "--full-tree", "-d", "--name-only", tree)
		if err == nil || parent == "." {
			return fault.WithHint("%s", fail.HintList(lead, strings.Fields(names)))
		}
	}
}

// otherReading is a path behind a ref as one would write it who thinks that it begins
// elsewhere; "" where both begin in the root.
func otherReading(text, below string) string {
	switch {
	case below == ".":
		return ""
	case IsRelative(text):
		return path.Clean(text)
	}
	return "./" + text
}

func isTree(ctx context.Context, repo, commit, dir string) bool {
	if dir == "." {
		return true
	}
	kind, err := git.Run(ctx, repo, "cat-file", "-t", commit+":"+dir)
	return err == nil && kind == "tree"
}

// goFilesIn lists the Go files of a directory, for hints.
func goFilesIn(dir string) []string {
	entries, _ := os.ReadDir(dir)
	var names []string
	for _, e := range entries {
		if IsGoFile(e.Name()) && !e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}
