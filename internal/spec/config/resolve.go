package config

import (
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/shellwords"
)

// Resolved is a variant with the subject's defaults filled in.
type Resolved struct {
	build.Variant
	// Dir is the directory it runs in, absolute; "" if the file names none.
	Dir string
	// Copy are the files that each start gets fresh, from Dir, or else from Base, the directory of the file.
	Copy []string
	Base string
}

// Names lists the variants in order, without the subject itself.
func (f *File) Names() []string { return slices.Sorted(maps.Keys(f.Variants)) }

// PlanNames lists the plans in order.
func (f *File) PlanNames() []string { return slices.Sorted(maps.Keys(f.Plans)) }

// Has says whether the file has a variant of that name; SubjectName is one if the file
// has a subject.
func (f *File) Has(name string) bool {
	if name == SubjectName {
		return f.Subject.Package.given()
	}
	_, ok := f.Variants[name]
	return ok
}

// FeatureNames lists the features in order.
func (f *File) FeatureNames() []string { return slices.Sorted(maps.Keys(f.Features)) }

// Off returns what switches a feature off.
func (one Feature) Off() (env, args, tags []string) {
	return values(one.Env.Values), values(one.Args.Values), values(one.Tags.Values)
}

// Variant returns a variant by its name, SubjectName for the subject as it is. What a
// variant does not give it takes from subject; lists replace, environments add up. A
// package that is a directory is absolute in the result. Errors are fail.BadInput.
func (f *File) Variant(name string) (Resolved, error) {
	v, at := f.Subject.Program, Position{1, 1}
	if name != SubjectName {
		own, ok := f.Variants[name]
		if !ok {
			names := f.Names()
			return Resolved{}, fail.New(fail.BadInput, "%s has no variant %q%s", f.Shown, name, meant(name, names)).
				WithHint("its variants are %s", listOf(append(names, SubjectName)))
		}
		v = merge(v, own)
	}
	if !v.Package.given() {
		return Resolved{}, f.At(at, "give subject a package: ./cmd/server", "variant %s has no package", name)
	}
	return Resolved{
		Variant: build.Variant{
			Name:       name,
			Source:     f.source(v.Package.Value),
			Args:       values(v.Args),
			Env:        environment(v.Env),
			Toolchain:  v.Toolchain.Value,
			BuildFlags: values(v.Flags),
			Prepare:    v.command().Words,
			AfterStart: v.AfterStart.Words,
		},
		Dir: f.WorkDir().Value, Copy: values(f.Subject.Copy), Base: f.Dir,
	}, nil
}

// merge lays what a variant gives over the subject's.
func merge(base, own Program) Program {
	if own.Package.given() {
		base.Package = own.Package
	}
	if own.Args != nil {
		base.Args = own.Args
	}
	if own.Toolchain.given() {
		base.Toolchain = own.Toolchain
	}
	if own.Flags != nil {
		base.Flags = own.Flags
	}
	if own.command().Words != nil {
		base.Prepare, base.Build = own.Prepare, own.Build
	}
	if own.AfterStart.Words != nil {
		base.AfterStart = own.AfterStart
	}
	env := maps.Clone(base.Env)
	if env == nil {
		env = map[string]Text{}
	}
	maps.Copy(env, own.Env)
	base.Env = env
	return base
}

// source makes a directory and Go files absolute, as seen from the file, and a path behind a
// ref one from the root of the repository. Import paths stay as they are.
func (f *File) source(text string) string {
	name := filepath.FromSlash(text)
	if !filepath.IsAbs(name) { // with all its parts: to clean it would make a directory x of main:../x
		name = f.Dir + string(filepath.Separator) + name
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return filepath.Clean(name)
	}
	if files := source.GoFiles(text); files != nil {
		for i, file := range files {
			if i > 0 && isAtRef(files[0]) {
				files[i] = f.insideRepository(file)
			} else {
				files[i] = f.sourceWord(file)
			}
		}
		return shellwords.Join(files)
	}
	return f.sourceWord(text)
}

// sourceWord does so for one directory or file that may not be there.
func (f *File) sourceWord(text string) string {
	path := within(f.Dir, filepath.FromSlash(text))
	switch {
	case isAtRef(text):
		ref, inside, _ := strings.Cut(text, ":")
		return ref + ":" + f.insideRepository(inside)
	case source.IsRelative(text), exists(path), source.IsGoFile(text) && !strings.Contains(text, "/"):
		return path
	}
	return text
}

// isAtRef says whether a ref stands before a path.
func isAtRef(text string) bool {
	return strings.Contains(text, ":") && !filepath.IsAbs(text) && !source.IsRelative(text)
}

// insideRepository is a path behind a ref, from the root of the repository. Outside of one,
// where a ref means nothing, it stays as it is.
func (f *File) insideRepository(inside string) string {
	_, prefix := repositoryOf(f.Dir)
	joined := path.Join(prefix, inside)
	switch {
	case prefix == "" || !source.IsRelative(inside) || !filepath.IsLocal(joined):
		return inside
	case joined == ".":
		return ""
	}
	return joined
}

// WorkDir is the directory that all variants run in, absolute; not given if the file names
// none.
func (f *File) WorkDir() Text {
	dir := f.Subject.WorkDir
	if dir.given() {
		dir.Value = within(f.Dir, filepath.FromSlash(dir.Value))
	}
	return dir
}

// Copies are the paths that each start gets fresh copies of.
func (f *File) Copies() []string { return values(f.Subject.Copy) }

// Plan returns a plan by its name. Without a name it is the one called default, and an
// empty one if the file has none. Errors are fail.BadInput.
func (f *File) Plan(name string) (Plan, error) {
	if name == "" {
		return f.Plans["default"], nil
	}
	plan, ok := f.Plans[name]
	if !ok {
		names := f.PlanNames()
		return nil, fail.New(fail.BadInput, "%s has no plan %q%s", f.Shown, name, meant(name, names)).
			WithHint("its plans are %s", listOf(names))
	}
	return plan, nil
}

// Keys lists the flags of a plan in the order of the file.
func (p Plan) Keys() []string {
	return slices.SortedFunc(maps.Keys(p), func(a, b string) int {
		if l := p[a].Key.Line - p[b].Key.Line; l != 0 {
			return l
		}
		return p[a].Key.Column - p[b].Key.Column
	})
}

func values(texts []Text) []string {
	if texts == nil {
		return nil
	}
	list := make([]string, len(texts))
	for i, t := range texts {
		list[i] = t.Value
	}
	return list
}

// environment writes KEY=VALUE in the order of the keys: the same file gives the same
// variant each time.
func environment(env map[string]Text) []string {
	var list []string
	for _, key := range slices.Sorted(maps.Keys(env)) {
		list = append(list, key+"="+env[key].Value)
	}
	return list
}

func listOf(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
