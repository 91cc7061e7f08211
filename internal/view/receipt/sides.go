package receipt

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/sys/paths"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/internal/text/shellwords"
)

// making is what a receipt is made with.
type making struct {
	ctx  context.Context
	dir  string
	tree func(commit string) string // empty where the repository does not have the commit
}

func (s *making) repository() (r Repository) {
	below, err := git.Below(s.ctx, s.dir)
	if err != nil {
		return r
	}
	r.Below = below
	if remote := git.Origin(s.ctx, s.dir); remote != "" {
		r.Remote = withoutUser(remote)
	}
	return r
}

// withoutUser is the address of a repository without credentials, and of one in a directory of this machine nothing.
func withoutUser(remote string) string {
	if u, err := url.Parse(remote); err == nil && u.Host != "" {
		if u.User = nil; u.Scheme == "ssh" {
			u.User = url.User("git")
		}
		u.RawQuery, u.Fragment = "", ""
		return u.String()
	}
	user, path, ok := strings.Cut(remote, "@")
	if ok && !strings.ContainsAny(user, "/:") && strings.Contains(path, ":") {
		return remote // user@host:path of ssh, which has no password
	}
	return ""
}

func (s *making) sides(runs []record.Run) (all []Side) {
	for _, r := range runs {
		b := &r.Binary
		side := Side{Name: b.Variant.Name, Commit: b.Commit, Tree: s.tree(b.Commit), Dirty: b.Dirty, Release: b.Release,
			GoVersion: b.GoVersion}
		if words := s.source(b); words != nil {
			side.Source = shellwords.Join(append(words, b.Variant.Args...))
		}
		all = append(all, side)
	}
	return all
}

// source is the package of a binary at its commit, seen from the root of the repository: COMMIT:cmd/server. It is nil
// where there is none.
func (s *making) source(b *build.Binary) []string {
	text := b.Variant.Source
	switch {
	case b.Release != "":
		if at := strings.LastIndexByte(text, '@'); at > 0 {
			text = text[:at]
		}
		return []string{text + "@" + b.Release}
	case b.Commit == "":
		return nil
	case b.Checkout != nil:
		_, text, _ = strings.Cut(text, ":")
		return atCommit(b.Commit, b.Checkout.Below, strings.Fields(text))
	}
	words, err := source.AtRef(text, b.Commit, source.Options{WorkDir: s.dir})
	if err != nil || words == nil { // an import path
		words, err = source.AtRef(b.Dir, b.Commit, source.Options{WorkDir: s.dir})
	}
	below, errBelow := git.Below(s.ctx, s.dir)
	if err != nil || words == nil || errBelow != nil {
		return nil
	}
	words[0] = strings.TrimPrefix(words[0], b.Commit+":")
	return atCommit(b.Commit, below, words)
}

// atCommit are the words of a directory or of files, as they are called from the root; below is where those begin that
// begin with a dot.
func atCommit(commit, below string, files []string) []string {
	for i, file := range files {
		if i == 0 || strings.Contains(file, "/") {
			if source.IsRelative(file) {
				file = path.Join(below, file)
			}
			files[i] = path.Clean(file)
		}
	}
	if len(files) == 0 {
		return nil
	}
	files[0] = commit + ":" + files[0]
	return files
}

// patch is the change of a commit that hone made of one; nil of others.
func (s *making) patch(commit string) (*Patch, error) {
	if s.tree(commit) == "" {
		return nil, nil
	}
	p, base, err := git.PatchOf(s.ctx, s.dir, commit)
	if p == nil {
		return nil, err
	}
	sum := sha256.Sum256(p.Text)
	made := &Patch{Base: base, SHA256: hex.EncodeToString(sum[:])}
	if len(p.Text) <= mostPatch && utf8.Valid(p.Text) {
		made.Text = string(p.Text)
	}
	return made, nil
}

func (s *making) benchSides(r *benchmarks.Result) (all []Side) {
	for _, b := range r.Sides {
		all = append(all, Side{Name: b.Name, Commit: b.Commit, Tree: s.tree(b.Commit), Dirty: b.Dirty,
			GoVersion: b.GoVersion})
	}
	return all
}

// fromFile is the line with what hone.yaml said of the programs: they are named by their packages now. why says what no
// line can say.
func fromFile(line spec.Line, runs []record.Run) (full spec.Line, why string) {
	var more []string
	lacks := func(name string) bool { _, has := line.Flag(name); return !has }
	for _, r := range runs {
		v := r.Binary.Variant
		if lacks("toolchain") && v.Toolchain != "" {
			more = append(more, "--toolchain="+v.Name+"="+v.Toolchain)
		}
		for _, flag := range v.BuildFlags {
			if lacks("flags") {
				more = append(more, "--flags="+v.Name+":"+flag)
			}
		}
		for _, entry := range v.Env {
			if lacks("env") {
				more = append(more, "--env="+v.Name+":"+entry)
			}
		}
	}
	if asked := runs[0].Asked; asked != nil {
		if lacks("target") && asked.Target != "" {
			more = append(more, "--target="+asked.Target)
		}
		if lacks("need") && len(asked.Needs) > 0 {
			return nil, "hone.yaml starts other programs first, which the receipt does not hold: give --need instead"
		}
	}
	if at := slices.Index(line, "--"); at >= 0 {
		return slices.Insert(slices.Clone(line), at, more...), ""
	}
	return append(slices.Clone(line), more...), ""
}

// repeatable is a line without what becomes of a result. A patch is the commit of its side.
func repeatable(line spec.Line) spec.Line { return line.Again().Without("ledger", "patch", "allow") }

// line is the command that measures the sides again in a checkout of the last one. why says why there is none.
func (s *making) line(line spec.Line, sides []Side, runs []record.Run) (again spec.Line, why string) {
	if len(line) == 0 {
		return nil, "the comparison does not say by which command it was measured"
	}
	again = repeatable(line)
	for _, side := range sides {
		switch {
		case side.Dirty:
			return nil, side.Name +
				" was a working tree with changes that are not committed: commit them, and measure again"
		case side.Tree == "" && side.Release == "":
			return nil, fmt.Sprintf("%s is neither a commit of this repository nor a released version", side.Name)
		}
	}
	if runs == nil {
		again = again.With("--vs=" + sides[0].Commit)
	} else {
		var words []string
		for _, side := range sides {
			if side.Source == "" {
				return nil, fmt.Sprintf("the package of %s cannot be named at its commit", side.Name)
			}
			words = append(words, side.Source)
		}
		if again, why = fromFile(again.Naming(words...), runs); why != "" {
			return nil, why
		}
	}
	for _, word := range again {
		// A path of HTTP begins with a slash, too.
		if _, value, _ := strings.Cut(word, "="); filepath.IsAbs(value) && paths.IsFile(value) {
			return nil, fmt.Sprintf("the command names a file of this machine: %s", word)
		}
	}
	if unset := spec.Unset(again.String()); unset != "" || redact.Partial(strings.Join(again, " ")) {
		return nil, "the command holds a secret, which no receipt has" + unset
	}
	return again, ""
}
