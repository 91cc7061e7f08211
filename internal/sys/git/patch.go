package git

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/gohone/hone/internal/sys/tempdir"
	"github.com/gohone/hone/internal/text/fail"
)

// PatchText is a change as text: of git diff, of git format-patch (one mail or several), or a plain unified diff.
type PatchText struct {
	// Name is what the user calls it: a file, or "-".
	Name string
	Text []byte
}

// Patched is a patch as a commit.
type Patched struct {
	Commit, Base string
	// Note says how the patch was read where it was not read as it is; "" else.
	Note string
}

// patchSettings hold where a patch is applied: paths that other systems take for .git are refused, too, and the
// commit does not depend on the user's configuration.
var patchSettings = []setting{{"core.protectNTFS", "true"}, {"core.protectHFS", "true"},
	{"i18n.commitEncoding", "UTF-8"}, {"apply.whitespace", "nowarn"}, {"apply.ignoreWhitespace", "no"},
	{"gc.auto", "0"}, {"user.name", "hone"}, {"user.email", email}}

// email is that of the author of Apply's commits.
const email = "hone@localhost"

// Apply makes a commit of a patch, on top of base in the repository around dir. It works in a repository of hone's own
// that borrows the objects, with an index of its own; what is new goes into hone's cache. No ref is made, and nothing
// of the user's repository changes. Author and date are fixed, so the same change of the same base is always the same
// commit.
//
// Paths begin in the root of the repository, with or without a/ and b/; where no such file is there, in dir.
//
// Errors are fail.BadInput, with file, hunk and next step: a patch that is empty, damaged or changes nothing, that does
// not apply, or that leads out of the repository.
func Apply(ctx context.Context, dir, base string, p PatchText) (*Patched, error) {
	if err := readable(p); err != nil {
		return nil, err
	}
	below, err := Below(ctx, dir)
	if err != nil {
		return nil, err
	}
	a, err := newApplier(ctx, dir, base)
	if err != nil {
		return nil, err
	}
	defer a.close()
	done := &Patched{Base: base}
	if done.Note, err = a.apply(ctx, p, below); err != nil {
		return nil, err
	}
	done.Commit, err = a.commit(ctx, p)
	return done, err
}

// subject is that of the commits that Apply makes.
const subject = "A patch of "

// PatchOf is the change that a commit of Apply makes, and its base; nil of any other commit. Apply makes the same commit of
// that text.
func PatchOf(ctx context.Context, dir, commit string) (p *PatchText, base string, err error) {
	said, err := Run(ctx, dir, "rev-list", "--max-count=1", "--format=%ae%n%s%n%P", "--end-of-options", commit)
	if err != nil {
		return nil, "", err
	}
	lines := strings.Split(said, "\n") // the first one is commit HASH
	if len(lines) != 4 || lines[1] != email || !strings.HasPrefix(lines[2], subject) {
		return nil, "", nil
	}
	base = lines[3]
	a, err := newApplier(ctx, dir, base) // the settings of the user's repository do not hold there
	if err != nil {
		return nil, "", err
	}
	defer a.close()
	text, err := a.git(ctx, "", "diff-tree", "-p", "--binary", "--full-index", "--no-renames", "--no-ext-diff",
		"--no-textconv", base, commit)
	if err != nil {
		return nil, "", err
	}
	return &PatchText{Name: fmt.Sprintf("the patch of %.12s", base), Text: []byte(text + "\n")}, base, nil
}

// applier is a repository of hone's own whose index has the tree of a commit.
type applier struct {
	base, dir string
	env       []string
	close     func() error
}

func newApplier(ctx context.Context, dir, base string) (*applier, error) {
	own, err := makeOwnObjects()
	if err != nil {
		return nil, err
	}
	temp, err := tempdir.Make()
	if err != nil {
		return nil, err
	}
	a := &applier{base: base, dir: filepath.Join(temp.Path, "patched"), close: temp.Remove}
	if err = borrow(ctx, dir, a.dir); err == nil {
		a.env = []string{"GIT_OBJECT_DIRECTORY=" + own, alternates(filepath.Join(a.dir, ".git", "objects"))}
		_, err = a.git(ctx, "", "read-tree", base)
	}
	if err != nil {
		_ = a.close() // a later hone removes what is left
		return nil, fail.New(fail.Or(fail.Environment, err), "read the tree of %.12s: %w", base, err)
	}
	return a, nil
}

func (a *applier) git(ctx context.Context, input string, args ...string) (string, error) {
	return runWith(ctx, a.dir, append(append([]setting(nil), always...), patchSettings...), input, a.env, args...)
}

// apply changes the index. The first way of reading the patch that fits counts; where none does, the error is that of
// the first one.
func (a *applier) apply(ctx context.Context, p PatchText, below string) (note string, err error) {
	texts, notes := [][]byte{p.Text}, []string{""}
	if lf := bytes.ReplaceAll(p.Text, []byte("\r\n"), []byte("\n")); crlfHeader.Match(p.Text) {
		texts, notes = append(texts, lf), append(notes, p.Name+" has the line ends CRLF, which were taken as LF")
	}
	ways := [][]string{{"-p1"}, {"-p0"}}
	if below != "." {
		ways = append(ways, []string{"-p1", "--directory=" + below}, []string{"-p0", "--directory=" + below})
	}
	for i, text := range texts {
		for _, way := range ways {
			args := append([]string{"apply", "--cached", "--whitespace=nowarn"}, way...)
			_, failed := a.git(ctx, string(text), append(args, "-")...)
			if failed == nil || ctx.Err() != nil {
				return notes[i], ctx.Err()
			}
			if err == nil {
				err = explainApply(p, a.base, failed)
			}
			if !noSuchFile.MatchString(failed.Error()) {
				break // other paths are no help
			}
		}
	}
	return "", err
}

var (
	crlfHeader = regexp.MustCompile(`(?m)^(diff --git|---|\+\+\+|@@) .*\r$`)
	noSuchFile = regexp.MustCompile(`: does not exist in index|lacks filename information|: No such file|unable to find filename`)
)

// commit makes the commit of the index.
func (a *applier) commit(ctx context.Context, p PatchText) (string, error) {
	tree, err := a.git(ctx, "", "write-tree")
	if err != nil {
		return "", fmt.Errorf("write the tree of %s: %w", p.Name, err)
	}
	before, err := a.git(ctx, "", "rev-parse", a.base+"^{tree}")
	if err != nil {
		return "", err
	}
	if tree == before {
		return "", fail.New(fail.BadInput, "%s changes nothing of %.12s", p.Name, a.base).
			WithHint("its changes may be in that commit already")
	}
	if err := a.checkLinks(ctx, p, tree); err != nil {
		return "", err
	}
	said, err := a.git(ctx, "", "rev-list", "--max-count=1", "--format=%cI", a.base) // commit HASH, and the date
	if err != nil {
		return "", err
	}
	_, date, _ := strings.Cut(said, "\n")
	a.env = append(a.env, "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
	return a.git(ctx, "", "commit-tree", "--no-gpg-sign", "-p", a.base, "-m", fmt.Sprintf(subject+"%.12s", a.base),
		tree)
}

// checkLinks refuses symbolic links that lead out of the tree.
func (a *applier) checkLinks(ctx context.Context, p PatchText, tree string) error {
	changed, err := treeChanges(ctx, a.git, a.base, tree)
	if err != nil {
		return err
	}
	for _, c := range changed {
		if c.NewMode != LinkMode {
			continue
		}
		target, err := a.git(ctx, "", "cat-file", "blob", c.NewHash)
		if err != nil {
			return err
		}
		if !staysWithin(c.Path, target) {
			return fail.New(fail.BadInput, "%s makes %q a symbolic link to %q, which is outside of the repository", p.Name,
				c.Path, target).WithHint("leave the link out of the patch")
		}
	}
	return nil
}

// staysWithin says whether a link at a path leads into the tree: to a path of it, with .. at its beginning only, since
// a .. behind another link may lead anywhere.
func staysWithin(at, target string) bool {
	if path.IsAbs(target) || strings.ContainsAny(target, "\\\x00") {
		return false
	}
	up, rest := 0, target
	for strings.HasPrefix(rest, "../") || rest == ".." {
		up, rest = up+1, strings.TrimPrefix(strings.TrimPrefix(rest, ".."), "/")
	}
	for part := range strings.SplitSeq(rest, "/") {
		if part == ".." {
			return false
		}
	}
	return up <= strings.Count(at, "/")
}
