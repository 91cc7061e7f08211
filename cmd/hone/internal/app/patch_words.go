package app

import (
	"context"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/spec/config"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/shellwords"
	"github.com/gohone/hone/internal/text/units"
)

// Patched is a word of a command line that was a patch or a pull request, and is a commit now.
type Patched struct {
	// Name is what the user called it.
	Name         string
	Base, Commit string
	// At and Under are which of the words it is, and which is its base; -1 for none.
	At, Under int
}

// Named are the variants that words name, each in full: those that are patches are commits then.
func (a *App) Named(f *MeasureFlags, words []string, most int) (full []string, err error) {
	if words, f.Patched, err = a.patches(f.Quiet, words, most); err != nil {
		return nil, err
	}
	return a.Expand(words, most)
}

// patches makes commits of the words that are patches, so that each is a variant at a git ref. The base of a patch is
// what stands before it, REF or REF:DIR, or else HEAD; a pull request is compared with the commit from which it
// branched. One patch where several variants are wanted is compared with its base. REF alone is of the package here.
func (a *App) patches(quiet bool, words []string, most int) ([]string, []Patched, error) {
	dir, err := WorkDir()
	if err != nil {
		return nil, nil, err
	}
	isChange := func(word string) bool {
		v, err := build.ParseVariant("A", word)
		return err == nil && source.IsChange(dir, v.Source)
	}
	for _, word := range words {
		if err := source.NoPullRequest(word); err != nil {
			return nil, nil, err
		}
	}
	first := slices.IndexFunc(words, isChange)
	if first < 0 {
		return words, nil, nil
	}
	words = slices.Clone(words)
	if first == 0 && most > 1 && len(words) == 1 {
		words = slices.Insert(words, 0, "HEAD")
	}
	var all []Patched
	under := -1
	for i, word := range words {
		if !isChange(word) {
			under = i
			continue
		}
		p, err := a.patched(dir, words, i, under)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, p.Patched)
		a.Say(quiet, p.said)
	}
	return words, all, nil
}

// onBase is a patch with what there is to say of it.
type onBase struct {
	Patched
	said []string
}

// patched makes a commit of word i, and puts both it and its base into the words.
func (a *App) patched(dir string, words []string, i, under int) (*onBase, error) {
	v, err := build.ParseVariant("B", words[i])
	if err != nil {
		return nil, err
	}
	base := build.Variant{Source: "HEAD"}
	if under >= 0 {
		if base, err = build.ParseVariant("A", words[under]); err != nil {
			return nil, err
		}
	}
	ref, place, named := strings.Cut(base.Source, ":")
	if IsSource(base.Source) || source.IsRelease(base.Source) {
		hint := "HEAD:DIR"
		if at, err := source.AtRef(base.Source, "HEAD", source.Options{WorkDir: dir}); err == nil && at != nil {
			hint = shellwords.Join(at)
		}
		return nil, fail.New(fail.BadInput, "%s is not a commit, and %s changes one", base.Source, v.Source).
			WithHint("name the commit: hone compare %s %s", hint, shellwords.Quote(words[i]))
	}
	made, err := MakeCommit(a.Ctx, dir, ref, v.Source)
	if err != nil {
		return nil, err
	}
	if !named {
		if place, err = a.packageOfPatch(dir, made, words[i]); err != nil {
			return nil, err
		}
	}
	at := func(commit string) string {
		return commit + ":" + place
	}
	if under >= 0 && (!named || made.moved) {
		of := ref
		if made.moved {
			of = made.Base[:12]
		}
		base.Source = at(of)
		words[under] = shellwords.Join(base.Words())
	}
	if len(v.Env)+len(v.Args) == 0 {
		v.Env, v.Args = base.Env, base.Args
	}
	v.Source = at(made.Commit[:12])
	words[i] = shellwords.Join(v.Words())
	return &onBase{Patched{made.Name, made.Base, made.Commit, i, under}, made.said}, nil
}

// Made is the commit of a patch or a pull request.
type Made struct {
	Patched
	// moved says that the base is another commit than the one that was named.
	moved bool
	said  []string
	files []string
}

// MakeCommit makes a commit of a patch on a ref, or fetches a pull request and finds the commit from which it branched.
func MakeCommit(ctx context.Context, dir, ref, word string) (*Made, error) {
	base, err := git.FindCommit(ctx, dir, ref)
	if err != nil {
		return nil, err
	}
	m := &Made{Patched: Patched{Name: word, Base: base}}
	if source.IsPatch(dir, word) {
		err = m.apply(ctx, dir, word)
	} else {
		err = m.fetch(ctx, dir, word)
	}
	if err != nil {
		return nil, err
	}
	changed, err := git.TreeChanges(ctx, dir, m.Base, m.Commit)
	if err != nil {
		return nil, err
	}
	for _, c := range changed {
		m.files = append(m.files, c.Path)
	}
	on := fmt.Sprintf("%.12s", m.Base)
	if !strings.HasPrefix(m.Base, ref) && !m.moved {
		on = fmt.Sprintf("%s (%.12s)", ref, m.Base)
	}
	m.said = append(m.said, fmt.Sprintf("%s on %s is commit %.12s: %s", m.Name, on, m.Commit,
		units.Plural(len(changed), "changed file")))
	return m, nil
}

func (m *Made) apply(ctx context.Context, dir, word string) error {
	text, err := source.ReadPatch(dir, word, os.Stdin)
	if err != nil {
		return err
	}
	m.Name = text.Name
	p, err := git.Apply(ctx, dir, m.Base, text)
	if err != nil {
		return err
	}
	m.Commit = p.Commit
	if p.Note != "" {
		m.said = append(m.said, "note: "+p.Note)
	}
	return nil
}

func (m *Made) fetch(ctx context.Context, dir, word string) (err error) {
	if m.Commit, err = source.FetchPullRequest(ctx, dir, word); err != nil {
		return err
	}
	base, err := git.Base(ctx, dir, m.Base, m.Commit)
	if err != nil {
		return err
	}
	m.moved, m.Base = base != m.Base, base
	return nil
}

// packageOfPatch is the main package that a patch is measured in where none is named: the one here, the only one, or
// the only one whose files it changes.
func (a *App) packageOfPatch(dir string, made *Made, word string) (string, error) {
	mains, err := config.Discover(dir)
	if err != nil {
		return "", fail.New(fail.KindOf(err), "%s changes a program, and none is named: %w", made.Name, err).
			WithHint("name it with its commit: hone compare HEAD:./cmd/server %s", shellwords.Quote(word))
	}
	if len(mains) == 1 || slices.ContainsFunc(mains, func(m config.Main) bool { return m.Dir == "." }) {
		if len(mains) == 1 {
			return mains[0].Dir, nil
		}
		return ".", nil
	}
	below, err := git.Below(a.Ctx, dir)
	if err != nil {
		return "", err
	}
	var dirs, changed []string
	for _, m := range mains {
		dirs = append(dirs, m.Dir)
		if slices.ContainsFunc(made.files, func(file string) bool {
			return path.Dir(file) == path.Join(below, m.Dir)
		}) {
			changed = append(changed, m.Dir)
		}
	}
	if len(changed) == 1 {
		return changed[0], nil
	}
	return "", fail.New(fail.BadInput, "%s may be of any of %s", made.Name, units.Plural(len(mains), "main package")).
		WithHint("name one with its commit:\n%s", a.commandsWith(dirs, func(words []string, pkg string) []string {
			i := slices.IndexFunc(words, func(w string) bool { return w == word })
			if i < 0 {
				return words
			}
			if i > 1 && !strings.HasPrefix(words[i-1], "-") {
				words[i-1] += ":" + pkg
				return words
			}
			return slices.Insert(words, i, "HEAD:"+pkg)
		}))
}
