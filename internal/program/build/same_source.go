package build

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/gocommand"
	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/sys/paths"
)

// SameSource says whether two binaries, of which at least one comes from a git ref or a release, are the same program:
// they are built alike from files with the same content, and of the other files that git tracks none differs that a
// program may read. A program with C in it counts as another one, since what it links is not known. The files are listed
// once for each binary, in some tenths of a second.
func SameSource(ctx context.Context, workDir string, a, b *Binary) (bool, error) {
	v := a.Variant
	v.Source = b.Variant.Source
	if a.Variant.Source == b.Variant.Source || a.Version() == "" && b.Version() == "" || !v.BuiltLike(b.Variant) ||
		len(v.Overlay) > 0 || a.GoVersion != b.GoVersion {
		return false, nil
	}
	if files, err := DifferingFiles(ctx, workDir, a, b); err != nil || len(files) > 0 {
		return false, err
	}
	var contents [2]map[string]string
	for i, one := range []*Binary{a, b} {
		var err error
		if contents[i], err = one.contents(ctx); err != nil || contents[i] == nil {
			return false, err
		}
	}
	return maps.Equal(contents[0], contents[1]), nil
}

// DifferingFiles are the files that a program may read while it runs, and that differ between the trees of two
// binaries; slash-separated from the root of the repository. A released version runs where its user is, without the
// other files of its module.
func DifferingFiles(ctx context.Context, workDir string, a, b *Binary) ([]string, error) {
	if a.Release != "" || b.Release != "" {
		return nil, nil
	}
	files, err := changedBetween(ctx, workDir, a, b)
	return slices.DeleteFunc(files, func(name string) bool { return !MayBeRead(name) }), err
}

// changedBetween are the files that differ between the trees of two binaries, slash-separated from the root of the
// repository.
func changedBetween(ctx context.Context, workDir string, binaries ...*Binary) (changed []string, err error) {
	var trees [2]map[string]string
	for i, b := range binaries {
		if trees[i], err = treeOf(ctx, workDir, b.Commit); err != nil {
			return nil, err
		}
		if b.Checkout == nil { // what is not committed
			out, err := git.Run(ctx, workDir, "status", "--porcelain", "--no-renames", "--untracked-files=all", "-z")
			if err != nil {
				return nil, err
			}
			for entry := range strings.SplitSeq(out, "\x00") {
				if len(entry) > 3 { // XY, a space and the name
					changed = append(changed, entry[3:])
				}
			}
		}
	}
	for name, blob := range trees[0] {
		if trees[1][name] != blob {
			changed = append(changed, name)
		}
		delete(trees[1], name)
	}
	return slices.AppendSeq(changed, maps.Keys(trees[1])), nil
}

// treeOf has mode and hash of every file of a commit.
func treeOf(ctx context.Context, workDir, commit string) (map[string]string, error) {
	out, err := git.Run(ctx, workDir, "ls-tree", "-r", "-z", "--full-tree", commit)
	files := map[string]string{}
	for entry := range strings.SplitSeq(out, "\x00") {
		if what, name, found := strings.Cut(entry, "\t"); found {
			files[name] = what
		}
	}
	return files, err
}

// ofTools are the beginnings of names of files and directories that only tools read.
var ofTools = []string{".git", ".circleci", ".travis", ".golangci", ".goreleaser", ".editorconfig", ".vscode", ".idea"}

// compiledOrText are the ends of names of files that a program does not read: go compiles them, or people read them.
var compiledOrText = []string{".go", ".md", ".rst", ".adoc", "go.mod", "go.sum", "go.work", "go.work.sum", "LICENSE",
	"COPYING", "NOTICE", "AUTHORS", "Makefile", "Dockerfile"}

// MayBeRead says whether a program may read a file of its repository while it runs.
func MayBeRead(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if part == "testdata" ||
			slices.ContainsFunc(ofTools, func(begin string) bool { return strings.HasPrefix(part, begin) }) {
			return false
		}
	}
	return !slices.ContainsFunc(compiledOrText, func(end string) bool {
		return strings.HasSuffix(path.Base(name), end)
	})
}

// contentFields are what go list has to say of each package for contents.
const contentFields = "ImportPath,Dir,Standard,Module,DefaultGODEBUG,GoFiles,CgoFiles,SFiles,HFiles,SysoFiles,EmbedFiles"

// listedPackage is what go list says of a package that is built into a program.
type listedPackage struct {
	ImportPath, Dir, DefaultGODEBUG string
	Standard                        bool
	Module                          *listedModule

	GoFiles, CgoFiles, SFiles, HFiles, SysoFiles, EmbedFiles []string
}

type listedModule struct {
	Path, Version, GoVersion string
	Replace                  *listedModule
}

// version is the version of a module in the module cache, and empty for a directory of the user's.
func (m *listedModule) version() string {
	for m.Replace != nil {
		m = m.Replace
	}
	if m.Version == "" {
		return ""
	}
	return m.Path + "@" + m.Version
}

// contents are what a binary is built from, by import path: the version of a module, or hashes of files. They are nil
// where C is among it.
func (b *Binary) contents(ctx context.Context) (map[string]string, error) {
	o := source.Options{Env: Env(b.Variant), Flags: b.Variant.BuildFlags}
	targets := b.Command[slices.Index(b.Command, "--")+1:]
	// the probe's
	targets = slices.DeleteFunc(slices.Clone(targets),
		func(file string) bool { return source.IsGoFile(file) && !paths.IsFile(paths.Within(b.WorkDir, file)) })
	out, err := source.List(ctx, b.WorkDir, o, append([]string{"-deps", "-json=" + contentFields, "--"}, targets...)...)
	if err != nil {
		return nil, err
	}
	packages, err := gocommand.Documents[listedPackage](out)
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for _, p := range packages {
		if !p.Standard && len(p.CgoFiles) > 0 {
			return nil, nil
		}
		if all[p.ImportPath], err = p.content(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// content is what a package is built from: in Go's own library and in the module cache a version says it.
func (p *listedPackage) content() (string, error) {
	language := ""
	if p.Module != nil {
		vendored := strings.Contains(filepath.ToSlash(p.Dir), "/vendor/") // files that the user can change
		if version := p.Module.version(); version != "" && !vendored {
			return version, nil
		}
		language = p.Module.GoVersion
	}
	if p.Standard {
		return "", nil
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\n%s\n", language, p.DefaultGODEBUG)
	for _, name := range slices.Concat(p.GoFiles, p.SFiles, p.HFiles, p.SysoFiles, p.EmbedFiles) {
		fmt.Fprintf(sum, "%s\n", name)
		if err := addFile(sum, filepath.Join(p.Dir, name)); err != nil {
			return "", err
		}
	}
	return string(sum.Sum(nil)), nil
}

// addFile adds the length and the content of a file to a hash.
func addFile(sum io.Writer, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	fmt.Fprintf(sum, "%d\n", info.Size())
	_, err = io.Copy(sum, f)
	return err
}
