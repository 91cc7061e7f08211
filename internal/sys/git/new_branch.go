package git

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/sys/tempdir"
	"github.com/gohone/hone/internal/text/fail"
)

// NewBranch is a branch that hone makes, with commits on top of one of the user's. It is there from its first commit
// on. Its commits are made with an index of their own: the work tree, the index and HEAD stay as they are, and so do
// all other branches.
type NewBranch struct {
	// Name is the name of the branch, Base the commit that it begins with.
	Name, Base string
	dir        string // in the work tree
	home       string // the repository
	root       string // of the work tree
	tip        string // "" before the first commit
	settings   []setting
}

// OpenNewBranch plans a branch on top of the commit that is checked out in dir. Where there is a branch of that name,
// the new one has a number behind it.
//
// Errors are fail.BadInput: dir is in no repository, or before its first commit; files differ from the commit, so that
// the branch would not begin with what is measured; or another branch takes the name.
func OpenNewBranch(ctx context.Context, dir, name string) (*NewBranch, error) {
	commit, _ := CommitOf(ctx, dir)
	if commit == "" {
		return nil, fail.New(fail.BadInput, "a branch needs a git repository with a commit, and %s is in none", dir).
			WithHint("git init, git add and git commit; or hone advise --try N --apply for one change of the files")
	}
	root, err := Run(ctx, dir, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	b := &NewBranch{Base: commit, dir: dir, root: root}
	if b.home, err = Run(ctx, dir, "rev-parse", "--path-format=absolute", "--git-common-dir"); err != nil {
		return nil, err
	}
	if err := wantCommitted(ctx, dir); err != nil {
		return nil, err
	}
	config, err := readConfig(ctx, dir)
	if err != nil {
		return nil, err
	}
	b.settings = slices.Concat(config.identity(), config.shield(), dataSettings)
	refs, err := Run(ctx, dir, "for-each-ref", "--format=%(refname:strip=2)", "refs/heads")
	if err != nil {
		return nil, err
	}
	b.Name, err = freeName(name, strings.Split(refs, "\n"))
	return b, err
}

// wantCommitted refuses a work tree with files that no commit has. Files that are not tracked only count if they are
// part of a build.
func wantCommitted(ctx context.Context, dir string) error {
	changes, err := Run(ctx, dir, "status", "--porcelain", "-z", "--untracked-files=all", "--", ":(top)", notHones)
	if err != nil {
		return err
	}
	for entry := range strings.SplitSeq(changes, "\x00") {
		name, untracked := strings.CutPrefix(entry, "?? ")
		if len(entry) < 4 || untracked && !slices.Contains([]string{".go", ".s", ".mod", ".work"}, filepath.Ext(name)) {
			continue
		}
		return fail.New(fail.BadInput, "%q is not as the last commit has it: the branch would not begin with what is measured",
			entry[3:]).WithHint("commit your changes, or put them aside: git stash -u")
	}
	return nil
}

// freeName is a name that no branch has, and that is no directory of one.
func freeName(name string, taken []string) (string, error) {
	for parent := name; strings.Contains(parent, "/"); {
		parent = parent[:strings.LastIndexByte(parent, '/')]
		if slices.Contains(taken, parent) {
			return "", fail.New(fail.BadInput, "git cannot have the branch %s beside the branch %s", name, parent).
				WithHint("rename that one: git branch -m %s NAME", parent)
		}
	}
	isTaken := func(name string) bool {
		return slices.ContainsFunc(taken, func(b string) bool { return b == name || strings.HasPrefix(b, name+"/") })
	}
	free := name
	for i := 2; isTaken(free); i++ {
		free = fmt.Sprintf("%s-%d", name, i)
	}
	return free, nil
}

// Still refuses to go on where the work tree is not as the branch began any more: what is measured is built from it.
func (b *NewBranch) Still(ctx context.Context) error {
	commit, err := Run(ctx, b.dir, "rev-parse", "--verify", "HEAD^{commit}")
	if err != nil {
		return err
	}
	if commit != b.Base {
		return fail.New(fail.BadInput, "HEAD has moved to %.12s while hone measured changes of %.12s", commit, b.Base).
			WithHint("leave the work tree alone meanwhile, or run hone in another one: git worktree add")
	}
	return wantCommitted(ctx, b.dir)
}

// Tip is the newest commit of the branch: Base before the first one of its own.
func (b *NewBranch) Tip() string {
	if b.tip == "" {
		return b.Base
	}
	return b.tip
}

// NewContent is one file of a commit: what it was before, and what it is to be.
type NewContent struct {
	// Path is absolute.
	Path          string
	Before, After []byte
}

// Commit adds a commit with these files to the branch, and returns its hash. Errors: fail.BadInput for a file that the
// commit before does not have with the content Before, such as one with other line ends than in the work tree;
// fail.Environment if git cannot write.
func (b *NewBranch) Commit(ctx context.Context, files []NewContent, message string) (hash string, err error) {
	temp, err := tempdir.Make()
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, temp.Remove()) }()
	git := func(input string, args ...string) (string, error) {
		env := []string{"GIT_DIR=" + b.home, "GIT_INDEX_FILE=" + filepath.Join(temp.Path, "index")}
		out, err := runWith(ctx, temp.Path, b.settings, input, env, args...)
		if err != nil && ctx.Err() == nil {
			err = fail.New(fail.Or(fail.Environment, err), "write the branch %s: %w", b.Name, err)
		}
		return out, err
	}
	if _, err := git("", "read-tree", b.Tip()); err != nil {
		return "", err
	}
	for _, f := range files {
		entry, err := b.entry(git, f)
		if err != nil {
			return "", err
		}
		if _, err := git(entry, "update-index", "-z", "--index-info"); err != nil {
			return "", err
		}
	}
	tree, err := git("", "write-tree")
	if err != nil {
		return "", err
	}
	if hash, err = git(message, "commit-tree", "--no-gpg-sign", "-p", b.Tip(), tree); err != nil {
		return "", err
	}
	old := b.tip
	if old == "" {
		old = strings.Repeat("0", len(hash)) // the branch must not be there (git-update-ref)
	}
	if _, err := git("", "update-ref", "--no-deref", "-m", "hone fix", "refs/heads/"+b.Name, hash, old); err != nil {
		return "", err
	}
	b.tip = hash
	return hash, nil
}

// entry is the line of git update-index for the new content of a file, of the mode that it has.
func (b *NewBranch) entry(git func(input string, args ...string) (string, error), f NewContent) (string, error) {
	root, err := filepath.EvalSymlinks(b.root)
	if err != nil {
		return "", fail.New(fail.Or(fail.Environment, err), "find %s: %w", b.root, err)
	}
	path, err := filepath.EvalSymlinks(f.Path)
	if err != nil {
		return "", fail.New(fail.Or(fail.BadInput, err), "find %s: %w", f.Path, err)
	}
	name, err := filepath.Rel(root, path)
	if err != nil || !filepath.IsLocal(name) {
		return "", fail.New(fail.BadInput, "%s is outside of the repository in %s", f.Path, b.root).
			WithHint("run hone fix in the repository of the program")
	}
	name = filepath.ToSlash(name)
	listed, err := git("", "ls-tree", "-z", "--full-tree", b.Tip(), "--", name)
	if err != nil {
		return "", err
	}
	fields := strings.Fields(listed) // MODE KIND HASH TAB NAME (git-ls-tree, OUTPUT FORMAT)
	before, err := git(string(f.Before), "hash-object", "--stdin")
	if err != nil {
		return "", err
	}
	if len(fields) < 3 || fields[1] != "blob" || fields[2] != before {
		return "", fail.New(fail.BadInput, "the commit %.12s does not have %s as it was measured", b.Tip(), name).
			WithHint("is it tracked, and without other line ends or filters (.gitattributes)? git status says more")
	}
	after, err := git(string(f.After), "hash-object", "-w", "--stdin")
	return fmt.Sprintf("%s %s\t%s\x00", fields[0], after, name), err
}
