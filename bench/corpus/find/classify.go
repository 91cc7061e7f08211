package main

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/gohone/hone/bench/corpus"
)

// subject is a benchmark, or the program of a service, in a repository.
type subject struct {
	*repository
	dir, root string
	tests     bool
	known     map[string]bool // methods of the interfaces of the standard library
	trees     map[string]*tree
}

// at is the tree of a commit.
func (s *subject) at(commit string) (*tree, error) {
	if t, ok := s.trees[commit]; ok {
		return t, nil
	}
	t, err := s.tree(commit, s.dir, s.tests)
	if err == nil {
		s.trees[commit] = t
	}
	return t, err
}

// classify says what kind of no-op a commit is; the error says why it may be none.
func (s *subject) classify(parent, commit string) (corpus.Kind, error) {
	a, err := s.at(parent)
	if err != nil {
		return "", err
	}
	b, err := s.at(commit)
	if err != nil {
		return "", err
	}
	if a.module != b.module {
		return "", errors.New("the module has another name")
	}
	if !a.has(s.root) || !b.has(s.root) {
		return "", fmt.Errorf("no %s on both sides", s.root)
	}
	kind, changed := 0, map[string]bool{}
	for name := range both(a.blobs, b.blobs) {
		if a.blobs[name] == b.blobs[name] {
			continue
		}
		k, ids, err := difference(a, b, name)
		if err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		kind = max(kind, slices.Index(corpus.Kinds, k))
		for _, id := range ids {
			changed[id] = true
		}
	}
	for _, t := range []*tree{a, b} {
		if len(changed) == 0 {
			break
		}
		for id := range t.reached(s.root, s.known) {
			if changed[id] {
				return "", fmt.Errorf("%s is reached", id)
			}
		}
	}
	return corpus.Kinds[kind], nil
}

// both are the keys of two maps.
func both[V any](a, b map[string]V) map[string]bool {
	all := map[string]bool{}
	for k := range maps.Keys(a) {
		all[k] = true
	}
	for k := range maps.Keys(b) {
		all[k] = true
	}
	return all
}

// difference is the kind of what differs in a file, with the declarations that do, if the program has it.
func difference(a, b *tree, name string) (corpus.Kind, []string, error) {
	linked := a.dirs[path.Dir(name)] || b.dirs[path.Dir(name)]
	fileA, fileB := a.files[name], b.files[name]
	switch {
	case name == "go.mod" || name == "go.sum" || name == "go.work" || strings.HasPrefix(name, "vendor/"):
		return "", nil, errors.New("other modules")
	case strings.HasSuffix(name, ".go") && fileA == nil && fileB == nil:
		return corpus.Packages, nil, nil // of another package, or a test of one
	case !strings.HasSuffix(name, ".go") && isDocument(name, linked):
		return corpus.Documents, nil, nil
	case !strings.HasSuffix(name, ".go") && !linked && !strings.Contains(name, "testdata"):
		return corpus.Documents, nil, nil
	case !strings.HasSuffix(name, ".go"):
		return "", nil, errors.New("neither Go nor a document")
	}
	kind := corpus.Functions
	if strings.HasSuffix(name, "_test.go") {
		kind = corpus.Tests
	}
	ids, err := fileA.difference(fileB, name)
	if len(ids) == 0 {
		kind = corpus.Comments
	}
	return kind, ids, err
}

// isDocument goes by what no program reads.
func isDocument(name string, linked bool) bool {
	if strings.Contains(name, "testdata") {
		return false
	}
	base := path.Base(name)
	return strings.HasPrefix(name, ".") || slices.Contains([]string{".md", ".yml", ".yaml"}, path.Ext(name)) && !strings.HasPrefix(base, "_") ||
		slices.Contains([]string{"LICENSE", "AUTHORS", "CONTRIBUTORS", "Makefile", "CODEOWNERS", "NOTICE", "VERSION", "Dockerfile"}, base)
}

// difference are the declarations that differ, by the path and their keys. One of the files may be nil. What the whole file depends
// on may not differ.
func (f *file) difference(g *file, name string) (ids []string, err error) {
	if f == nil {
		f = &file{pkg: g.pkg}
	}
	if g == nil {
		g = &file{pkg: f.pkg}
	}
	if f.pkg != g.pkg || f.directives != g.directives {
		return nil, errors.New("its package or its directives differ")
	}
	for n := range both(f.imports, g.imports) {
		a, b := f.imports[n], g.imports[n]
		if n != "" && !slices.Equal(a, b) && (n == "_" || n == "." || a != nil && b != nil) {
			return nil, fmt.Errorf("%s is another import", n)
		}
	}
	texts := func(f *file) map[string]string {
		m := map[string]string{}
		for _, d := range f.decls {
			m[d.key()] += d.text // several can be called init, or _
		}
		return m
	}
	a, b := texts(f), texts(g)
	for key := range both(a, b) {
		if a[key] != b[key] {
			ids = append(ids, name+" "+key)
		}
	}
	return ids, nil
}
