package config

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/subject"
)

// Resolved is a variant with the subject's defaults filled in.
type Resolved struct {
	subject.Variant
	// Prepare is the command to run before the build; nil for none.
	Prepare []string
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
		Variant: subject.Variant{
			Name:       name,
			Source:     f.source(v.Package.Value),
			Args:       values(v.Args),
			Env:        environment(v.Env),
			Toolchain:  v.Toolchain.Value,
			BuildFlags: values(v.Flags),
		},
		Prepare: v.command().Words,
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
	env := maps.Clone(base.Env)
	if env == nil {
		env = map[string]Text{}
	}
	maps.Copy(env, own.Env)
	base.Env = env
	return base
}

// source makes a directory absolute, as seen from the file. ref:directory and import
// paths stay as they are.
func (f *File) source(text string) string {
	if filepath.IsAbs(text) {
		return text
	}
	path := filepath.Join(f.Dir, filepath.FromSlash(text))
	first, _, _ := strings.Cut(filepath.ToSlash(text), "/")
	if info, err := os.Stat(path); first == "." || first == ".." || err == nil && info.IsDir() {
		return path
	}
	return text
}

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
