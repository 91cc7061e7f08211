package verify

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/spec/config"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/sys/paths"
	"github.com/gohone/hone/internal/sys/tempdir"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/view/receipt"
)

// measure measures the comparison of a receipt again: by a hone of its own, in a checkout of the last side, so that
// what it says is a receipt, too.
func measure(of *app.App, f *asked, name string, text []byte, r *receipt.Receipt) (*receipt.Receipt, error) {
	if r.Open != "" {
		return nil, fail.New(fail.Undecided, "%s cannot be measured again: %s", name, r.Open).
			WithHint("ask for a receipt of two commits: hone compare A B --receipt FILE")
	}
	if err := allowed(of, f, name, r); err != nil {
		return nil, err
	}
	here, err := app.WorkDir()
	if err != nil {
		return nil, err
	}
	temp, err := tempdir.Make()
	if err != nil {
		return nil, err
	}
	defer temp.Remove() // what is left a later hone removes
	dir, checked := here, []record.Checked(nil)
	if r.Sides[len(r.Sides)-1].Tree != "" { // else a released version, which go finds
		repository, err := find(of, f, r, here, temp.Path)
		if err != nil {
			return nil, err
		}
		if checked, err = checkAgain(of, r, name, repository); err != nil {
			return nil, err
		}
		if dir, err = checkout(of, r, repository, temp.Path); err != nil {
			return nil, err
		}
	}
	home, err := filepath.Abs(f.Ledger)
	if err != nil {
		return nil, fail.New(fail.Environment, "find the ledger: %w", err)
	}
	written := filepath.Join(temp.Path, "again.json")
	if err := child(of, dir, r, r.Line.With("--quiet", "--no-report", "--ledger="+home,
		"--receipt="+written)); err != nil {
		return nil, err
	}
	again, _, err := receipt.ReadFile(of.Ctx, written)
	if err != nil {
		return nil, fail.New(fail.Internal, "read the receipt of the second measurement: %w", err)
	}
	again.Checked = checked
	return again, receipt.SameSides(r, again)
}

// allowed lets the user see what a receipt executes, and agree to it. One that the user's own hone has measured needs
// no consent: the ledger here has the comparison, marked as the user's, and makes the same receipt of it. The digest of
// the document is not enough: whoever has seen a receipt of the user's can write another one around it.
func allowed(of *app.App, f *asked, name string, r *receipt.Receipt) error {
	if f.yes || isOwn(of, f.Ledger, r) {
		return nil
	}
	said := printable.Line(name) + " makes hone execute:\n"
	for _, ask := range asks(r) {
		said += "  " + printable.Line(ask) + "\n"
	}
	if _, err := of.Stderr.Write([]byte(said)); err != nil {
		return fail.New(fail.Environment, "print what is to be executed: %w", err)
	}
	if of.CanAsk() {
		return of.Agree("allow it?")
	}
	return fail.New(fail.Untrusted, "%s was not measured by your own hone, and nothing that it says was executed",
		name).
		WithHint("read the lines above, and if you agree: hone verify %s --yes", config.Show(name))
}

func isOwn(of *app.App, dir string, r *receipt.Receipt) bool {
	l, err := ledger.OpenReader(dir)
	if err != nil {
		return false
	}
	defer l.Close()
	c, err := l.Comparison(r.Comparison)
	if err != nil || c.ID != r.Comparison {
		return false
	}
	s, err := of.StandingOf(l, ledger.Ref{Kind: ledger.KindComparison, ID: c.ID})
	if err != nil || !s.Own {
		return false
	}
	here, err := app.WorkDir()
	if err != nil {
		return false
	}
	comparison, err := of.Library(l).Stored.Comparison(c.ID)
	if err != nil {
		return false
	}
	own, err := receipt.Of(of.Ctx, l, comparison, here)
	return err == nil && receipt.Same(own, r)
}

// checkout makes a checkout of the last side, and returns the directory in it to measure in.
func checkout(of *app.App, r *receipt.Receipt, repository, temp string) (dir string, err error) {
	last := r.Sides[len(r.Sides)-1]
	tree := filepath.Join(temp, "tree")
	if err := git.Checkout(of.Ctx, repository, last.Commit, tree); err != nil {
		return "", err
	}
	dir = filepath.Join(tree, filepath.FromSlash(cmp.Or(r.Repository.Below, ".")))
	if !paths.IsDirectory(dir) || !isWithin(tree, dir) {
		return "", fail.New(fail.BadInput, "repository.below: there is no directory %q in commit %.12s",
			r.Repository.Below, last.Commit).WithHint("ask for the receipt as hone wrote it")
	}
	return dir, nil
}

// isWithin says whether a directory is in a tree also where parts of its path are links of the tree.
func isWithin(tree, dir string) bool {
	root, errRoot := filepath.EvalSymlinks(tree)
	at, err := filepath.EvalSymlinks(dir)
	return errRoot == nil && err == nil && paths.Beneath(root, at)
}

// find is a repository that has the commits of all sides, with the trees that the receipt says.
func find(of *app.App, f *asked, r *receipt.Receipt, here, temp string) (string, error) {
	if err := restore(of, r, here); err != nil {
		return "", err
	}
	missing, err := lacks(of, r, here)
	if err != nil || len(missing) == 0 {
		return here, err
	}
	fault := fail.New(fail.Environment, "the repository here does not have commit %s", strings.Join(missing, ", "))
	switch {
	case r.Repository.Remote == "":
		return "", fault.WithHint(
			"start hone in a clone of the repository that was measured; the receipt does not name it")
	case !f.fetch:
		return "", fault.WithHint("fetch it, or have hone do that: hone verify --fetch fetches from %s",
			r.Repository.Remote)
	}
	fetched := filepath.Join(temp, "fetched")
	if err := os.Mkdir(fetched, 0o700); err != nil {
		return "", fail.New(fail.Storage, "make a directory for the commits: %w", err)
	}
	var all []string
	for i, side := range r.Sides {
		switch {
		case r.Patch != nil && i == len(r.Sides)-1:
			all = append(all, r.Patch.Base)
		case side.Commit != "":
			all = append(all, side.Commit)
		}
	}
	if err := git.FetchCommits(of.Ctx, fetched, r.Repository.Remote, all...); err != nil {
		return "", err
	}
	if err := restore(of, r, fetched); err != nil {
		return "", err
	}
	if missing, err = lacks(of, r, fetched); err == nil && len(missing) > 0 {
		err = fault
	}
	return fetched, err
}

// restore makes the commit of the receipt's patch in hone's cache, where the repository in a directory has its base.
func restore(of *app.App, r *receipt.Receipt, dir string) error {
	if r.Patch == nil {
		return nil
	}
	if _, err := git.TreeOf(of.Ctx, dir, r.Patch.Base); err != nil {
		return of.Ctx.Err()
	}
	made, err := git.Apply(of.Ctx, dir, r.Patch.Base, git.PatchText{Name: "the patch of the receipt",
		Text: []byte(r.Patch.Text)})
	if err != nil {
		return err
	}
	if last := r.Sides[len(r.Sides)-1]; made.Commit != last.Commit {
		return fail.New(fail.BadInput, "receipt.patch: it makes commit %s of %.12s, and the receipt says %s", made.Commit,
			r.Patch.Base, last.Commit).WithHint("ask for the receipt as hone wrote it")
	}
	return nil
}

// lacks are the commits that a repository does not have. The error says that one has another tree.
func lacks(of *app.App, r *receipt.Receipt, dir string) (missing []string, err error) {
	for i, side := range r.Sides {
		if side.Commit == "" {
			continue
		}
		switch tree, err := git.TreeOf(of.Ctx, dir, side.Commit); {
		case of.Ctx.Err() != nil:
			return nil, fail.New(fail.Interrupted, "interrupted")
		case err != nil:
			missing = append(missing, side.Commit)
		case tree != side.Tree:
			return nil, fail.New(fail.BadInput,
				"receipt.sides[%d].tree: commit %.12s has the tree %s, and the receipt says %s",
				i, side.Commit, tree, side.Tree).WithHint("the receipt is of other files: ask for one of these commits")
		}
	}
	return missing, nil
}

// child has another hone measure. Codes that say how a comparison came out are no errors: the receipt has it all.
func child(of *app.App, dir string, r *receipt.Receipt, line []string) error {
	exe, err := os.Executable()
	if err != nil {
		return fail.New(fail.Environment, "find hone's own executable: %w", err)
	}
	fmt.Fprintf(of.Stderr, "measuring again, in a checkout: %s\n", printable.Line(r.Line.String()))
	var out strings.Builder
	cmd := exec.CommandContext(of.Ctx, exe, line...)
	cmd.Dir, cmd.Stderr = dir, &out
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 30 * time.Second // a hone that is told to stop saves first
	cmd.Env = environment(r)
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case of.Ctx.Err() != nil:
		return fail.New(fail.Interrupted, "interrupted")
	case errors.As(err, &exit):
		kind := fail.Kind(exit.ExitCode())
		if kind == fail.Regression || kind == fail.Undecided {
			return nil
		}
		if kind.Meaning() == fail.Internal.Meaning() {
			kind = fail.Internal
		}
		return fail.New(kind, "measure again: %s", printable.Indented(strings.TrimSpace(out.String())))
	}
	return fail.New(fail.Environment, "start hone to measure again: %w", err)
}

// environment is hone's own with the variables of a receipt that change what go builds.
func environment(r *receipt.Receipt) []string {
	env := slices.DeleteFunc(os.Environ(), record.IsChanging)
	for _, entry := range r.Environment.Variables {
		if record.IsChanging(entry) {
			env = append(env, entry)
		}
	}
	return env
}
