// Package sources finds the source files of a measured program by the names that its
// profiles give them: in the commit that was measured, in a checkout, in the module cache
// and in GOROOT, and nowhere else. A profile may name any file of this machine; only those
// that belong to the program's source are ever read.
package sources

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/gohone/hone/internal/git"
)

// maxFile bounds what is read of a file; generated Go reaches some MB.
const maxFile = 32 << 20

// Program is what is known of the program that the profiles are of. All fields may be
// empty.
type Program struct {
	// Module is the path of the main module, ModuleDir where it was when the program was
	// built, which need not exist any more.
	Module    string
	ModuleDir string
	// GoVersion is the toolchain that built it: go1.26.8.
	GoVersion string
	// Commit is what was built, Dirty that there were changes besides.
	Commit string
	Dirty  bool

	guessed bool // ModuleDir is only what a profile says
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
		commit: sync.OnceValues(func() (*commitFiles, error) { return readCommit(ctx, here, p.Commit) }),
	}
}

// Source returns the text of a file. The error says where it was looked for.
func (f *Finder) Source(name string) ([]byte, error) {
	name = path.Clean(strings.ReplaceAll(name, `\`, "/"))
	var looked []error
	for _, look := range []func(string) ([]byte, error){f.inModule, f.inModuleCache, f.inGoroot} {
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
	if f.program.Commit != "" && !f.program.Dirty {
		files, err := f.commit()
		if err == nil {
			return files.read(rel)
		}
	}
	var looked []error
	built := f.program.ModuleDir
	if f.program.guessed {
		built = ""
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

// readIn reads a file below a directory, also if what lies between are links out of it.
func readIn(dir, rel string) ([]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	info, err := root.Stat(filepath.FromSlash(rel))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, rel), cause(err))
	}
	if !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil, fmt.Errorf("%s: no source file of at most %d MB", filepath.Join(dir, rel), maxFile>>20)
	}
	return root.ReadFile(filepath.FromSlash(rel))
}

// cause is an error without the path and operation around it.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// commitFiles are the files of one commit. A commit does not change, so that git is asked once for its list, and once for
// each file.
type commitFiles struct {
	ctx    context.Context
	dir    string
	commit string
	names  []string

	mu    sync.Mutex
	texts map[string]string
}

// readCommit finds the commit in the repository around dir.
func readCommit(ctx context.Context, dir, commit string) (*commitFiles, error) {
	if _, err := git.Run(ctx, dir, "cat-file", "-e", commit+"^{commit}"); err != nil {
		return nil, fmt.Errorf("commit %.12s is not in the repository of %s", commit, dir)
	}
	found, err := git.Run(ctx, dir, "ls-tree", "-r", "--full-tree", "--name-only", "-z", commit)
	if err != nil {
		return nil, err
	}
	return &commitFiles{ctx: ctx, dir: dir, commit: commit, names: strings.Split(found, "\x00"), texts: map[string]string{}}, nil
}

func (c *commitFiles) read(rel string) ([]byte, error) {
	// The module may lie in a directory of the repository: of all files whose path ends
	// so, the shortest is the one nearest to the root.
	best := ""
	for _, file := range c.names {
		if (file == rel || strings.HasSuffix(file, "/"+rel)) && (best == "" || len(file) < len(best)) {
			best = file
		}
	}
	if best == "" {
		return nil, fmt.Errorf("%s: commit %.12s has no such file", rel, c.commit)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	text, known := c.texts[best]
	if !known {
		var err error
		if text, err = git.Run(c.ctx, c.dir, "cat-file", "blob", c.commit+":"+best); err != nil {
			return nil, err
		}
		c.texts[best] = text
	}
	return []byte(text), nil
}
