package app

import (
	"fmt"
	"path/filepath"

	"github.com/gohone/hone/internal/conduct/precheck"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/program/touches"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/sys/tempdir"
	"github.com/gohone/hone/internal/text/fail"
)

// PatchedTree is a checkout of a patch, in which benchmarks are built instead of the working tree.
type PatchedTree struct {
	// Dir stands for the directory where the user works; Label is what reports call it, Base the commit without it.
	Dir, Label, Base string
	// Checked is what the patch passed.
	Checked *record.Checked
	// Remove removes the checkout.
	Remove func() error
}

// PatchedTree makes a checkout of --patch on --vs, after the check of the patch.
func (a *App) PatchedTree(s *spec.Spec) (*PatchedTree, error) {
	dir, err := WorkDir()
	if err != nil {
		return nil, err
	}
	word, ref := s.Bench.Patch, s.Bench.Vs
	if ref == "" {
		ref = "HEAD"
	}
	if err := source.NoPullRequest(word); err != nil {
		return nil, err
	}
	switch {
	case !source.IsChange(dir, word):
		return nil, fail.New(fail.BadInput, "--patch %s: that is neither a patch nor a pull request", word).
			WithHint("name a file as git diff writes it, - for the standard input, or '#123'")
	case IsSource(ref) || source.IsRelease(ref):
		return nil, fail.New(fail.BadInput, "--vs %s is not a commit, and --patch changes one", ref).
			WithHint("name a commit: --vs HEAD")
	}
	allow, err := touches.ParseKinds(s.Allow)
	if err != nil {
		return nil, err
	}
	variants, err := s.Options.Apply([]build.Variant{{Name: "A", Source: ref}, {Name: "B", Source: word}}, nil)
	if err != nil {
		return nil, err
	}
	made, err := MakeCommit(a.Ctx, dir, ref, word)
	if err != nil {
		return nil, err
	}
	a.Say(s.Quiet, made.said)
	t := precheck.Task{Name: made.Name, Variant: variants[1].Name, Dir: dir, Base: made.Base, Commit: made.Commit, Allow: allow}
	for i, v := range variants {
		t.Env[i], t.Flags[i] = build.Env(v), v.BuildFlags
	}
	checked, err := a.Precheck(t, s.Quiet)
	if err != nil {
		return nil, err
	}
	tree, err := a.checkOutPatch(dir, made)
	if err != nil {
		return nil, err
	}
	tree.Checked = checked
	return tree, nil
}

func (a *App) checkOutPatch(dir string, made *Made) (*PatchedTree, error) {
	below, err := git.Below(a.Ctx, dir)
	if err != nil {
		return nil, err
	}
	temp, err := tempdir.Make()
	if err != nil {
		return nil, err
	}
	root := filepath.Join(temp.Path, "patched")
	if err := git.Checkout(a.Ctx, dir, made.Commit, root); err != nil {
		_ = temp.Remove() // a later hone removes what is left
		return nil, err
	}
	return &PatchedTree{Dir: filepath.Join(root, filepath.FromSlash(below)), Base: made.Base, Remove: temp.Remove,
		Label: fmt.Sprintf("%s (commit %.12s)", made.Name, made.Commit)}, nil
}
