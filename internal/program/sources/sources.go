// Package sources finds the source files of a measured program by the names that its
// profiles give them: in the commit that was measured, in a checkout, in the module cache
// and in GOROOT, and nowhere else. A profile may name any file of this machine, and the
// document of a run any directory; only Go, assembly and C files below the user's own module,
// the module cache and GOROOT are ever read.
package sources

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/gohone/hone/internal/sys/git"
)

// Program is what is known of the program that the profiles are of. All fields may be
// empty.
type Program struct {
	// Module is the path of the main module, ModuleDir where it was when the program was
	// built, which need not exist any more.
	Module    string
	ModuleDir string
	// Own says that this user's hone built it, so that ModuleDir is the user's own module. Otherwise files named
	// below ModuleDir are looked for in the module of the present checkout, and nothing is read in ModuleDir.
	Own bool
	// GoVersion is the toolchain that built it: go1.26.8.
	GoVersion string
	// Commit is what was built, Dirty that there were changes besides.
	Commit string
	Dirty  bool
}

// Finder finds the sources of one program. It is safe for use by several goroutines.
type Finder struct {
	program Program
	here    string
	env     func() (goEnv, error)
	commit  func() (*commitFiles, error)
}

// New returns a finder for a program; here is a directory of its present checkout, if
// there is one. Nothing is looked for before it is asked for.
func New(ctx context.Context, p Program, here string) *Finder {
	return &Finder{
		program: p, here: here,
		env:    sync.OnceValues(func() (goEnv, error) { return readGoEnv(ctx, here) }),
		commit: sync.OnceValues(func() (*commitFiles, error) { return findCommit(ctx, p, here) }),
	}
}

// Source returns the text of a file. The error says where it was looked for.
func (f *Finder) Source(name string) ([]byte, error) {
	name = path.Clean(strings.ReplaceAll(name, `\`, "/"))
	if !isSource(name) {
		return nil, fmt.Errorf("%s is not a Go, assembly or C file", name)
	}
	var looked []error
	for _, look := range []func(string) ([]byte, error){f.inModule, f.inVendor, f.inModuleCache, f.inGoroot} {
		text, err := look(name)
		if err == nil {
			return text, nil
		}
		if !errors.Is(err, errElsewhere) {
			looked = append(looked, err)
		}
	}
	if len(looked) == 0 {
		return nil, fmt.Errorf("%s is neither the main module's, nor a dependency's, nor the standard library's", name)
	}
	return nil, errors.Join(looked...)
}

// errElsewhere says that a name cannot belong here.
var errElsewhere = errors.New("not here")

// inModule looks in the commit that was built, or else in the work tree.
func (f *Finder) inModule(name string) ([]byte, error) {
	rel, ok := f.inside(name)
	if !ok {
		return nil, errElsewhere
	}
	return f.own(rel)
}

// own reads a file of the main module, by its name below the root.
func (f *Finder) own(rel string) ([]byte, error) {
	if f.program.Commit != "" && !f.program.Dirty {
		files, err := f.commit()
		if err == nil {
			text, err := files.read(rel)
			if err == nil || !strings.HasPrefix(rel, vendorDir) { // which git may leave out
				return text, err
			}
		}
	}
	var looked []error
	built := ""
	if f.program.Own {
		built = f.program.ModuleDir
	}
	for _, dir := range []string{built, moduleRoot(f.here, f.program.Module)} {
		if dir == "" {
			continue
		}
		text, err := readIn(dir, rel)
		if err == nil {
			return text, nil
		}
		looked = append(looked, err)
	}
	if len(looked) == 0 {
		return nil, fmt.Errorf("%s: the module %s is not checked out here", rel, f.program.Module)
	}
	return nil, errors.Join(looked...)
}

// inside returns a name relative to the root of the main module, if it is in there.
func (f *Finder) inside(name string) (string, bool) {
	for _, root := range []string{filepath.ToSlash(f.program.ModuleDir), f.program.Module} {
		if root == "" {
			continue
		}
		if rel, ok := strings.CutPrefix(name, strings.TrimSuffix(root, "/")+"/"); ok && filepath.IsLocal(rel) {
			return rel, true
		}
	}
	return "", false
}

// ModuleDir is the root of the module that a package's directory belongs to.
func ModuleDir(dir, pkg, module string) string {
	rel := strings.TrimPrefix(strings.TrimPrefix(pkg, module), "/")
	return strings.TrimSuffix(strings.TrimSuffix(dir, filepath.FromSlash(path.Clean("/"+rel))), "/")
}

// moduleRoot is the directory with the go.mod of that module at or above dir, or "".
func moduleRoot(dir, module string) string {
	if root, found := moduleAround(dir); module != "" && found == module {
		return root
	}
	return ""
}

// modulePath is the path of the module that a go.mod declares.
func modulePath(gomod []byte) string {
	for line := range strings.Lines(string(gomod)) {
		words := strings.Fields(line)
		if len(words) >= 2 && words[0] == "module" {
			return strings.Trim(words[1], `"`)
		}
	}
	return ""
}

// commitFiles are the files of one commit. A commit does not change, so that git is asked once for its list, and once
// for each file.
type commitFiles struct {
	ctx    context.Context
	dir    string
	commit string
	below  string // what stands before a name: "./" where names are relative to dir
	names  []string
	blobs  *git.Blobs

	mu    sync.Mutex
	texts map[string][]byte
}

// hash is the form of a commit's name: git takes other words for flags, and for expressions.
var hash = regexp.MustCompile(`^[0-9a-f]{7,64}$`)

// findCommit finds the commit in the repository around here: all of it for the user's own program, of another program
// what lies in the module of the same name.
func findCommit(ctx context.Context, p Program, here string) (*commitFiles, error) {
	missing := fmt.Errorf("commit %.12q is not in the repository of %s", p.Commit, here)
	c := &commitFiles{ctx: ctx, dir: here, commit: p.Commit, texts: map[string][]byte{}}
	list := []string{"ls-tree", "-r", "--name-only", "-z"}
	if p.Own {
		list = append(list, "--full-tree")
	} else if c.dir, c.below = moduleRoot(here, p.Module), "./"; c.dir == "" {
		return nil, missing
	}
	if !hash.MatchString(p.Commit) {
		return nil, missing
	}
	if _, err := git.Run(ctx, c.dir, "cat-file", "-e", c.commit+"^{commit}"); err != nil {
		return nil, missing
	}
	found, err := git.Run(ctx, c.dir, append(list, c.commit)...)
	if err != nil {
		return nil, err
	}
	c.names = strings.Split(found, "\x00")
	c.blobs, err = git.OpenBlobs(ctx, c.dir)
	return c, err
}

// find is the name of a file. The module may lie in a directory of the repository: of all
// files whose path ends so, the shortest is the one nearest to the root.
func (c *commitFiles) find(rel string) (best string) {
	for _, file := range c.names {
		if file == rel || c.below == "" && strings.HasSuffix(file, "/"+rel) && (best == "" || len(file) < len(best)) {
			best = file
		}
	}
	return best
}

func (c *commitFiles) read(rel string) ([]byte, error) {
	best := c.find(rel)
	if best == "" {
		return nil, fmt.Errorf("%s: commit %.12s has no such file", rel, c.commit)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	text, known := c.texts[best]
	if !known {
		var err error
		if text, err = c.blobs.Read(c.ctx, c.commit+":"+c.below+best, maxFile); errors.Is(err, git.ErrTooMuch) {
			err = errNoSource
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", best, err)
		}
		c.texts[best] = text
	}
	return text, nil
}
