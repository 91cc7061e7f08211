package build

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gohone/hone/internal/sys/paths"
	"github.com/gohone/hone/internal/text/fail"
)

// Place is the directory that a variant runs in.
type Place struct {
	// Dir is the directory, absolute.
	Dir string
	// Root is the root of the copy of a checkout that Dir is in; empty for a directory of the
	// user's.
	Root string
	// checkouts is where hone keeps those of the repository.
	checkouts string
	before    map[string]stamp
}

// stamp tells whether a file was written to.
type stamp struct {
	mode fs.FileMode
	size int64
	time time.Time
}

// Place returns where the variant runs. That is the directory named, if there is one, and
// workDir for a program that was built from the user's own files. A source at a git ref runs
// in a copy of its checkout, so that the files it opens are of that ref, too; in it, in the
// directory that stands for workDir. The copy is made in the directory copies, under the
// variant's name. Programs may write in it; the checkout itself stays as it is, for builds and
// for other hones.
//
// Errors: fail.BadInput if the ref has no such directory; fail.Storage if the copy cannot be
// made.
func (b *Binary) Place(workDir, named, copies string) (*Place, error) {
	switch {
	case named != "":
		return &Place{Dir: named}, nil
	case b.Checkout == nil:
		return &Place{Dir: workDir}, nil
	}
	below := filepath.FromSlash(b.Checkout.Below)
	if !paths.IsDirectory(filepath.Join(b.Checkout.Root, below)) {
		return nil, fail.New(fail.BadInput, "variant %s (%s) runs in a checkout of %s, and there is no directory %q",
			b.Variant.Name, b.Variant.Source, b.Checkout.Ref, b.Checkout.Below).
			WithHint("start hone in a directory that %s has, or run all variants in one directory: --work-dir .",
				b.Checkout.Ref)
	}
	p := &Place{Root: filepath.Join(copies, b.Variant.Name+".checkout"), checkouts: filepath.Dir(b.Checkout.Root)}
	p.Dir = filepath.Join(p.Root, below)
	if err := os.CopyFS(p.Root, os.DirFS(b.Checkout.Root)); err != nil {
		return nil, fail.New(fail.Storage, "copy the checkout of %s for variant %s to run in: %w", b.Checkout.Ref,
			b.Variant.Name, err).
			WithHint("free some space there, or point TMPDIR at another directory; --work-dir . needs no copy")
	}
	var err error
	if p.before, err = stamps(p.Root); err != nil {
		return nil, fail.New(fail.Storage, "read the copy of the checkout of %s: %w", b.Checkout.Ref, err)
	}
	return p, nil
}

// Written lists the files in the copy of a checkout that were written, made or removed since
// it was made, as seen from its root. In a directory of the user's hone does not look.
func (p *Place) Written() []string {
	if p.Root == "" {
		return nil
	}
	after, err := stamps(p.Root)
	if err != nil {
		return nil // the program may still be at it, or have removed all of it
	}
	var names []string
	for name, now := range after {
		if was, known := p.before[name]; !known || now != was {
			names = append(names, name)
		}
	}
	for name := range p.before {
		if _, there := after[name]; !there {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// stamps reads those of all files below root but git's own.
func stamps(root string) (map[string]stamp, error) {
	all := map[string]stamp{}
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name == ".git":
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		all[name] = stamp{info.Mode(), info.Size(), info.ModTime()}
		return nil
	})
	return all, err
}

// FindDir returns the directory that the user names for programs to run in, absolute; "" stays
// "". Errors are fail.BadInput.
func FindDir(workDir, named string) (string, error) {
	if named == "" {
		return "", nil
	}
	dir, err := filepath.Abs(paths.Within(workDir, named))
	if err != nil {
		return "", fail.New(fail.Environment, "find directory %s: %w", named, err)
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fail.New(fail.BadInput, "--work-dir %s: there is no directory %s", named, dir)
	case err != nil:
		return "", fail.New(fail.BadInput, "--work-dir %s: %w", named, err)
	case !info.IsDir():
		return "", fail.New(fail.BadInput, "--work-dir %s: %s is not a directory", named, dir)
	}
	return dir, nil
}
