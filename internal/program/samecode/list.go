package samecode

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/gocommand"
)

// ListArgs are the arguments of go, before build flags and packages, whose output ReadListing reads.
var ListArgs = []string{"list", "-deps", "-test", "-export", "-json=" + listedFields}

// ListProgramArgs are those for a main package, without its tests.
var ListProgramArgs = []string{"list", "-deps", "-export", "-json=" + listedFields}

// listedFields are what listed holds.
const listedFields = "ImportPath,Export,BuildID,Standard,Deps,DefaultGODEBUG,Name,Dir,GoFiles,CgoFiles,EmbedFiles,DepOnly"

// Listing is what go says of packages, and of the binaries of their tests.
type Listing map[string]listed

type listed struct {
	ImportPath, Export, BuildID, DefaultGODEBUG string
	Standard, DepOnly                           bool
	Deps                                        []string
	Name, Dir                                   string
	GoFiles, CgoFiles, EmbedFiles               []string
}

// ReadListing reads what go prints with ListArgs.
func ReadListing(answer []byte) (Listing, error) {
	documents, err := gocommand.Documents[listed](answer)
	all := Listing{}
	for _, one := range documents {
		all[one.ImportPath] = one
	}
	return all, err
}

// Named are the packages that go was asked for, by their import paths.
func (l Listing) Named() (paths []string) {
	for path, one := range l {
		if !one.DepOnly && !strings.Contains(path, " [") && !strings.HasSuffix(path, ".test") {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// Binary is what a program, or a test binary, is linked from.
type Binary struct {
	Packages []Package
	// Settings are those of GODEBUG that its module chooses: the linker writes them into the binary.
	Settings string
}

// MainPath is what the linker knows a main package by.
const MainPath = "main"

// IsTest says that it is a test binary, whose main package go test has written.
func (b Binary) IsTest() bool {
	return len(b.Packages) > 0 && strings.HasSuffix(b.Packages[0].Import, ".test")
}

// Package is a package of a binary.
type Package struct {
	// Path is what the linker knows it by: without the binary that a variant is built for.
	Path string
	// Archive is a file of the build cache, and Content what go calls its content: two archives of one content are the
	// same.
	Archive, Content string
	// Standard says that it is of Go's library: it opens no files of the module by itself.
	Standard bool
	// Import is its import path, which differs from Path for a main package, and Name what its source calls it.
	Import, Name string
	// Files are its Go files, and Embedded what it embeds, absolute.
	Files, Embedded []string
}

// Tests is the test binary of a package.
func (l Listing) Tests(path string) (Binary, error) {
	if !l.HasTests(path) {
		return Binary{}, fmt.Errorf("%s has no test binary", path)
	}
	return l.Program(path + ".test")
}

// HasTests says whether a package has a test binary.
func (l Listing) HasTests(path string) bool {
	_, has := l[path+".test"]
	return has
}

// Program is the program of a main package, or what another package would be one with.
func (l Listing) Program(path string) (Binary, error) {
	main, known := l[path]
	if !known {
		return Binary{}, fmt.Errorf("go does not list %s", path)
	}
	if main.Name == MainPath {
		path = MainPath
	}
	b := Binary{[]Package{main.compiled(path)}, main.DefaultGODEBUG}
	for _, dep := range main.Deps {
		if dep == "unsafe" { // it has no code
			continue
		}
		plain, _, _ := strings.Cut(dep, " [")
		b.Packages = append(b.Packages, l[dep].compiled(plain))
	}
	for _, p := range b.Packages {
		if p.Archive == "" {
			return Binary{}, fmt.Errorf("%s has no archive", p.Path)
		}
	}
	return b, nil
}

func (l listed) compiled(path string) Package {
	_, content, _ := strings.Cut(l.BuildID, "/") // before it are the inputs
	p := Package{Path: path, Archive: l.Export, Content: content, Standard: l.Standard, Name: l.Name}
	p.Import, _, _ = strings.Cut(l.ImportPath, " [")
	for _, name := range slices.Concat(l.GoFiles, l.CgoFiles) {
		p.Files = append(p.Files, l.absolute(name))
	}
	for _, name := range l.EmbedFiles {
		p.Embedded = append(p.Embedded, l.absolute(name))
	}
	return p
}

// absolute is a file of a package by its full path: what go generates for a test binary has one.
func (l listed) absolute(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(l.Dir, name)
}
