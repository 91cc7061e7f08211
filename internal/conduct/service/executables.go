package service

import (
	"context"
	"path"
	"strings"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/shellwords"
)

// noteExecutables notes what is missing where variants are executables that hone did not build, and which command
// builds them, if their build information says where their source is.
func (m *services) noteExecutables(ctx context.Context, all []lab.Built) {
	var first *build.Binary
	var others, words []string
	known := true
	for _, one := range all {
		word := one.Binary.Variant.Source
		if one.Digest != "" {
			word = m.sourceOf(ctx, one.Binary)
			if first == nil {
				first = one.Binary
			} else {
				others = append(others, one.Binary.Variant.Name)
			}
		}
		known = known && word != ""
		words = append(words, shellwords.Quote(word))
	}
	if first == nil {
		return
	}
	text := "an executable"
	if len(others) > 0 {
		text += ", as " + strings.Join(others, " and ") + " is"
	}
	text += ": without its source hone has "
	if !first.Probed {
		text += "no probe (profiles, allocations, collections), "
	}
	text += "no other link orders for the second stage, and no reach"
	if command := "run"; known {
		if len(all) > 1 {
			command = "compare"
		}
		text += "; its build information names the source: hone " + command + " " + strings.Join(words, " ") +
			" has all of it"
	}
	first.Notes = append(first.Notes, text)
}

// sourceOf is the source of an executable as a user names it: its commit, where the repository here has it, or the
// released version; "" if neither is known.
func (m *services) sourceOf(ctx context.Context, b *build.Binary) string {
	below, inModule := strings.CutPrefix(b.Package, b.Module)
	if !inModule || b.Module == "" {
		return ""
	}
	if commit, err := git.FindCommit(ctx, m.WorkDir, b.Commit); b.Commit != "" && !b.Dirty && err == nil {
		dir := path.Clean("." + below)
		if _, err := git.Run(ctx, m.WorkDir, "cat-file", "-e", commit+":"+strings.TrimPrefix(dir, ".")); err == nil {
			return commit[:12] + ":" + strings.TrimPrefix(dir, ".")
		}
	}
	if b.Release != "" {
		return b.Package + "@" + b.Release
	}
	return ""
}
