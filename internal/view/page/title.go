package page

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/store/ledger"
)

// titled is a variant as titles have it: what its user typed, taken apart.
type titled struct {
	// program is the last element of its package: server of ./cmd/server, and of "." in that directory.
	program string
	// ref is the commit or branch that it was built from; empty for the working tree.
	ref string
	// settings are its environment and its arguments.
	settings []string
	// commit is that of its source; it tells apart what was typed alike.
	commit string
}

// titledOf takes a label apart. It is ENVIRONMENT SOURCE ARGUMENTS, and the source PACKAGE or REF:PACKAGE
// (build.Variant).
func titledOf(label, pkg string) titled {
	words := strings.Fields(label)
	i := slices.IndexFunc(words, func(w string) bool { return !strings.Contains(w, "=") })
	if i < 0 { // no source: that of what was running already
		return titled{program: cmp.Or(label, pkg)}
	}
	t := titled{settings: slices.Delete(slices.Clone(words), i, i+1)}
	source := words[i]
	if strings.Contains(source, "://") {
		t.program = source
		return t
	}
	if ref, dir, found := strings.Cut(source, ":"); found {
		t.ref, source = ref, dir
	}
	// a directory without a name of its own
	if t.program = path.Base(source); strings.Trim(t.program, ".") == "" && pkg != "" {
		t.program = build.BaseName(pkg)
	}
	return t
}

// Title names what was measured: "server -cache=off", "server at v1.2.0".
func (t titled) String() string {
	words := append([]string{t.program}, t.settings...)
	if t.ref != "" {
		words = append(words, "at", t.ref)
	}
	return strings.Join(words, " ")
}

// runTitle names the program of a run; what was running already, by its label.
func runTitle(row ledger.Run) string {
	if row.Label == "" || row.Package == "" {
		return cmp.Or(row.Label, row.Package)
	}
	return titledOf(row.Label, row.Package).String()
}

// versus names the program and what differs between variants of it: "server: v1.2.0 vs working tree", "server vs server
// -x", "server against itself".
func versus(all []titled) string {
	if len(all) == 0 {
		return ""
	}
	same := func(of func(titled) string) bool {
		return !slices.ContainsFunc(all, func(t titled) bool { return of(t) != of(all[0]) })
	}
	program := same(func(t titled) string { return t.program })
	if len(all) > 1 && same(titled.String) {
		if same(func(t titled) string { return t.commit }) {
			return all[0].String() + " against itself"
		}
		all = slices.Clone(all)
		for i, t := range all {
			all[i].ref = t.commit
		}
	}
	refs := !same(func(t titled) string { return t.ref })
	names, bare := make([]string, len(all)), false
	for i, t := range all {
		words := t.own(all)
		if refs {
			words = append([]string{cmp.Or(t.ref, "working tree")}, words...)
		}
		names[i] = strings.Join(words, " ")
		bare = bare || names[i] == ""
	}
	if program && !bare {
		return all[0].program + ": " + strings.Join(names, " vs ")
	}
	for i, t := range all {
		names[i] = strings.TrimSpace(t.program + " " + names[i])
	}
	return strings.Join(names, " vs ")
}

// own are the settings that not all variants have, each with the flag before it: -stage raw.
func (t titled) own(all []titled) (own []string) {
	shared := func(word string) bool {
		return !slices.ContainsFunc(all, func(o titled) bool { return !slices.Contains(o.settings, word) })
	}
	for i, word := range t.settings {
		flag := strings.HasPrefix(word, "-") && !strings.Contains(word, "=") && i+1 < len(t.settings) &&
			!strings.HasPrefix(t.settings[i+1], "-")
		if !shared(word) || flag && !shared(t.settings[i+1]) {
			own = append(own, word)
		}
	}
	return own
}
