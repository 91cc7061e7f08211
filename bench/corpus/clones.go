package corpus

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/proc"
)

// Clones is the directory of the repositories, each in OWNER/NAME; "" is hone-bench in the user's cache.
type Clones string

// Flag declares the flag for it.
func (c *Clones) Flag(b *bed.Bed) {
	b.StringVar((*string)(c), "clones", "", "`directory` of the repositories, each in OWNER/NAME; what is missing is cloned from GitHub (default: hone-bench in the user's cache)")
}

// CheckOut makes a tree of what a commit is compared with, A, and one of the commit, B, in dir.
func (c Clones) CheckOut(ctx context.Context, what Commit, dir string) (trees [2]string, err error) {
	for i, ref := range []string{what.Base(), what.Commit} {
		trees[i] = filepath.Join(dir, []string{"A", "B"}[i])
		if err := c.Share(ctx, what.Repo, trees[i]); err != nil {
			return trees, err
		}
		if err := git(ctx, trees[i], "checkout", "--quiet", "--detach", ref); err != nil {
			return trees, err
		}
	}
	if what.Adds == "" {
		return trees, nil
	}
	return trees, Add(ctx, filepath.Join(trees[1], what.Dir), unusedFile, what.Adds)
}

// On checks out, in dir, what a repository had last before a day, 2006-01-02.
func (c Clones) On(ctx context.Context, s Subject, day, dir string) (tree string, what Commit, err error) {
	clone, err := c.Clone(ctx, s.Repo)
	if err != nil {
		return "", what, err
	}
	hash, err := Git(ctx, clone, "", "rev-list", "-1", "--abbrev-commit", "--before="+day, "HEAD")
	if err != nil {
		return "", what, err
	}
	what = s.At(strings.TrimSpace(string(hash)))
	tree, err = c.Tree(ctx, what, dir)
	return tree, what, err
}

// Tree checks out one commit alone, in dir.
func (c Clones) Tree(ctx context.Context, what Commit, dir string) (string, error) {
	tree := filepath.Join(dir, "tree")
	if err := c.Share(ctx, what.Repo, tree); err != nil {
		return "", err
	}
	return tree, git(ctx, tree, "checkout", "--quiet", "--detach", what.Commit)
}

// Share makes a clone in dir, with an empty tree, that has the objects of the repository's clone in common with it.
func (c Clones) Share(ctx context.Context, repo, dir string) error {
	clone, err := c.Clone(ctx, repo)
	if err != nil {
		return err
	}
	return git(ctx, "", "clone", "--quiet", "--shared", "--no-checkout", clone, dir)
}

// Add commits a file on top of the commit that is checked out.
func Add(ctx context.Context, dir, name, text string) error {
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		return fmt.Errorf("add a file: %w", err)
	}
	if err := git(ctx, dir, "add", "--force", name); err != nil {
		return err
	}
	return Commits(ctx, dir, "Add "+name)
}

// Commits commits what has changed on top of the commit that is checked out.
func Commits(ctx context.Context, dir, message string) error {
	return git(ctx, dir, "-c", "user.name=bench", "-c", "user.email=bench@localhost", "commit", "--quiet", "--all", "-m",
		message)
}

// Own is the repository of this program.
const Own = "gohone/hone"

// Clone returns the directory of a repository, which it clones where there is none yet.
func (c Clones) Clone(ctx context.Context, repo string) (string, error) {
	if repo == Own {
		return filepath.Abs("..")
	}
	root := string(c)
	if root == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("find a place for clones: %w", err)
		}
		root = filepath.Join(cache, "hone-bench")
	}
	dir, err := filepath.Abs(filepath.Join(root, repo))
	if err != nil {
		return "", fmt.Errorf("find the clone of %s: %w", repo, err)
	}
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	return dir, git(ctx, "", "clone", "--quiet", "https://github.com/"+repo, dir)
}

// Head is the commit that is checked out in dir.
func Head(ctx context.Context, dir string) (string, error) {
	text, err := Git(ctx, dir, "", "rev-parse", "HEAD")
	return strings.TrimSpace(string(text)), err
}

// Git runs git in a directory, with a text on its standard input, and returns what it prints.
func Git(ctx context.Context, dir, stdin string, args ...string) ([]byte, error) {
	d, err := proc.Run(ctx, -1, proc.Command{Program: "git", Args: args, Dir: dir, Stdin: stdin})
	if err != nil {
		return nil, fmt.Errorf("git %s: %w", strings.Join(args, " "), err)
	}
	return d.Stdout, nil
}

func git(ctx context.Context, dir string, args ...string) error {
	_, err := Git(ctx, dir, "", args...)
	return err
}
