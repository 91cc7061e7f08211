package samecode

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ListArgs are the arguments of go, before build flags and packages, whose output ReadListing reads.
var ListArgs = []string{"list", "-deps", "-test", "-export",
	"-json=ImportPath,Export,BuildID,Standard,Deps,DefaultGODEBUG"}

// Listing is what go says of packages, and of the binaries of their tests.
type Listing map[string]listed

type listed struct {
	ImportPath, Export, BuildID, DefaultGODEBUG string
	Standard                                    bool
	Deps                                        []string
}

// ReadListing reads the output of go with ListArgs.
func ReadListing(r io.Reader) (Listing, error) {
	all := Listing{}
	for d := json.NewDecoder(r); ; {
		var one listed
		switch err := d.Decode(&one); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, fmt.Errorf("read the answer of go list: %w", err)
		}
		all[one.ImportPath] = one
	}
}

// Binary is what a test binary is linked from.
type Binary struct {
	Packages []Package
	// Settings are those of GODEBUG that its module chooses: the linker writes them into the binary.
	Settings string
}

// Package is a package of a test binary.
type Package struct {
	// Path is what the linker knows it by: without the binary that a variant is built for.
	Path string
	// Archive is a file of the build cache, and Content what go calls its content: two archives of one content are the
	// same.
	Archive, Content string
	// Standard says that it is of Go's library: it opens no files of the module by itself.
	Standard bool
}

// Tests is the test binary of a package.
func (l Listing) Tests(path string) (Binary, error) {
	main, known := l[path+".test"]
	if !known {
		return Binary{}, fmt.Errorf("%s has no test binary", path)
	}
	b := Binary{[]Package{main.compiled("main")}, main.DefaultGODEBUG}
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
	return Package{path, l.Export, content, l.Standard}
}
