package fix

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/gohone/hone/internal/insight/rewrite"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/view/report"
)

// repeating is the command that compares two commits, before and after; "" stands for the files as they are.
type repeating func(before, after string) string

// commit puts a rewrite that pays on the branch.
func commit(ctx context.Context, branch *git.NewBranch, again repeating, r *tuning.Rewritten,
	change *rewrite.Change) error {
	if err := branch.Still(ctx); err != nil {
		return err
	}
	var files []git.NewContent
	for _, f := range change.Files {
		files = append(files, git.NewContent{Path: f.Path, Before: f.Before, After: f.After})
	}
	parent := branch.Tip()
	r.Repeat = again(parent, "")
	hash, err := branch.Commit(ctx, files, message(r))
	if err != nil {
		return err
	}
	r.Commit, r.Parent, r.Repeat = hash, parent, again(parent, hash)
	return nil
}

// message is that of a commit. What it says at the end are trailers (git-interpret-trailers): a receipt's digest is one
// more.
func message(r *tuning.Rewritten) string {
	b := &strings.Builder{}
	what, _, _ := strings.Cut(r.Does, ",")
	where := r.Place[strings.LastIndexByte(r.Place, ' ')+1:]
	fmt.Fprintf(b, "%s: %s\n\n", where, what)
	fmt.Fprintf(b, "%s: %s.\n%s: %s.\n\n", r.Place, r.Title, r.Rule, r.Does)
	fmt.Fprintf(b, "Measured by hone, with this commit against the one before:\n%s\n", report.Gain(r))
	fmt.Fprintf(b, "Checked: %s\n", report.Checked(r))
	for _, note := range r.Notes {
		fmt.Fprintf(b, "Note: %s\n", note)
	}
	if r.Repeat != "" {
		fmt.Fprintf(b, "\nTo measure it again, with this commit checked out:\n  %s\n", r.Repeat)
	}
	fmt.Fprintf(b, "\nHone-Comparison: %s\n", r.Comparison)
	return b.String()
}

// repeat is the command that compares the program of a run at two commits; "" for the files as they are. It is empty
// where the run is not of a package.
func repeat(run record.Run, before, after string) string {
	line := run.Command.Against(run.Binary.Variant.Name, run.Binary.Package != "")
	if line == nil || run.Asked == nil {
		return ""
	}
	dir, err := filepath.Rel(run.Asked.WorkDir, run.Binary.Dir)
	if err != nil || !filepath.IsLocal(dir) {
		return ""
	}
	if dir = filepath.ToSlash(dir); dir != "." {
		dir = "./" + dir
	}
	at := func(commit string) string {
		source := dir
		if commit != "" {
			source = commit[:min(12, len(commit))] + ":" + dir
		}
		if args := run.Binary.Variant.Args; len(args) > 0 {
			return spec.Join(append([]string{source}, args...))
		}
		return source
	}
	return line.Naming(at(before), at(after)).String()
}
