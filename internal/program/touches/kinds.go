package touches

import (
	"path"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/fail"
)

// Kind is a kind of what a change touches besides code, by the word that allows it.
type Kind string

// The kinds.
const (
	Tests      Kind = "tests"
	Benchmarks Kind = "benchmarks"
	Testdata   Kind = "testdata"
	Modules    Kind = "go.mod"
	Vendor     Kind = "vendor"
	Toolchain  Kind = "toolchain"
	Profile    Kind = "default.pgo"
	BuildTags  Kind = "build-tags"
	CI         Kind = "ci"
	Hone       Kind = "hone.yaml"
	Owners     Kind = "codeowners"
	Linkname   Kind = "linkname"
	Cgo        Kind = "cgo"
	Assembly   Kind = "assembly"
	Unsafe     Kind = "unsafe"
	Embed      Kind = "embed"
	Generate   Kind = "generate"
	Git        Kind = "git"
	Links      Kind = "links"
)

// Kinds are all kinds, with what each is.
var Kinds = []struct {
	Kind Kind
	What string
}{
	{Tests, "_test.go files"},
	{Benchmarks, "functions that are benchmarks"},
	{Testdata, "files in testdata"},
	{Modules, "go.mod, go.sum, go.work"},
	{Vendor, "vendored packages"},
	{Toolchain, "the lines go, toolchain and godebug of go.mod and go.work, //go:debug, .go-version"},
	{Profile, "default.pgo"},
	{BuildTags, "//go:build lines, and file names such as _linux.go"},
	{CI, "CI files, Makefiles"},
	{Hone, "hone.yaml"},
	{Owners, "CODEOWNERS"},
	{Linkname, "new //go:linkname"},
	{Cgo, "new import \"C\" and #cgo; C and C++ files"},
	{Assembly, "assembly (.s) and object files (.syso)"},
	{Unsafe, "new imports of unsafe"},
	{Embed, "new //go:embed"},
	{Generate, "new //go:generate"},
	{Git, ".gitattributes, .gitmodules, submodules"},
	{Links, "symbolic links"},
}

// ParseKinds reads the words of --allow.
func ParseKinds(words []string) ([]Kind, error) {
	var kinds []Kind
	var names []string
	for _, k := range Kinds {
		names = append(names, string(k.Kind))
	}
	for _, word := range words {
		if !slices.Contains(names, word) {
			fault := fail.New(fail.BadInput, "--allow %q: there is no such kind of change", word)
			if near := fail.Nearest(word, names); near != "" {
				return nil, fault.WithHint("did you mean %q?", near)
			}
			return nil, fault.WithHint("kinds: %s", strings.Join(names, ", "))
		}
		kinds = append(kinds, Kind(word))
	}
	return kinds, nil
}

// byPath are the kinds of a file that its path shows.
func byPath(c git.TreeChange) (kinds []Kind) {
	base, parts := path.Base(c.Path), strings.Split(path.Dir(c.Path), "/")
	if c.NewMode == git.LinkMode || c.OldMode == git.LinkMode {
		kinds = append(kinds, Links)
	}
	if c.NewMode == git.SubmoduleMode || c.OldMode == git.SubmoduleMode || base == ".gitattributes" ||
		base == ".gitmodules" {
		kinds = append(kinds, Git)
	}
	if slices.Contains(parts, "testdata") {
		kinds = append(kinds, Testdata)
	}
	if slices.Contains(parts, "vendor") {
		kinds = append(kinds, Vendor)
	}
	switch base {
	case "go.sum", "go.work.sum":
		kinds = append(kinds, Modules)
	case ".go-version", ".tool-versions":
		kinds = append(kinds, Toolchain)
	case "default.pgo":
		kinds = append(kinds, Profile)
	case "hone.yaml":
		kinds = append(kinds, Hone)
	case "CODEOWNERS":
		kinds = append(kinds, Owners)
	}
	if ofCI(base, parts[0]) {
		kinds = append(kinds, CI)
	}
	switch path.Ext(base) {
	case ".s", ".S", ".sx", ".syso":
		kinds = append(kinds, Assembly)
	case ".c", ".cc", ".cpp", ".cxx", ".m", ".h", ".hh", ".hpp", ".hxx", ".f", ".F", ".for", ".f90", ".swig",
		".swigcxx": // go help c, and go/build
		kinds = append(kinds, Cgo)
	}
	return kinds
}

func ofCI(base, first string) bool {
	switch first {
	case ".github", ".gitlab", ".circleci", ".buildkite", ".ci", ".forgejo", ".gitea", ".woodpecker":
		return base != "CODEOWNERS"
	}
	switch base {
	case "Makefile", "makefile", "GNUmakefile", "Jenkinsfile", ".travis.yml", ".drone.yml", "azure-pipelines.yml",
		".cirrus.yml", "appveyor.yml", ".appveyor.yml", "Taskfile.yml", "Taskfile.yaml", ".gitlab-ci.yml",
		".woodpecker.yml", "bitbucket-pipelines.yml":
		return true
	}
	return strings.HasSuffix(base, ".mk") || strings.HasPrefix(base, ".goreleaser")
}
