package precheck

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/gocommand"
	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/sys/paths"
)

// module is a Go module of the repository with the directories of the packages that the patch changes, all
// slash-separated: dir from the root of the repository, and the packages from dir, "." and "./x".
type module struct {
	dir     string
	changed []string
}

// modules are those of the files. A file that is no Go file, as one that is embedded, belongs to the package of the
// nearest directory with Go files; a package that is gone to none.
func (s *sides) modules(ctx context.Context, files []string) ([]*module, error) {
	root, err := s.of(ctx, 1)
	if err != nil {
		return nil, err
	}
	var all []*module
	for _, file := range files {
		dir, ok := packageOf(root, file)
		if !ok {
			continue
		}
		home := dir
		for home != "." && !paths.IsFile(filepath.Join(root, filepath.FromSlash(home), "go.mod")) {
			home = path.Dir(home)
		}
		if !paths.IsFile(filepath.Join(root, filepath.FromSlash(home), "go.mod")) {
			continue // go test needs a module
		}
		i := slices.IndexFunc(all, func(m *module) bool { return m.dir == home })
		if i < 0 {
			i, all = len(all), append(all, &module{dir: home})
		}
		name := "."
		if dir != home {
			name = "./" + strings.TrimPrefix(strings.TrimPrefix(dir, home), "/")
		}
		if !slices.Contains(all[i].changed, name) {
			all[i].changed = append(all[i].changed, name)
		}
	}
	return all, nil
}

func packageOf(root, file string) (dir string, ok bool) {
	dir = path.Dir(file)
	for {
		parts := strings.Split(dir, "/")
		found, _ := paths.Named(filepath.Join(root, filepath.FromSlash(dir)), "*.go")
		if len(found) > 0 && !slices.Contains(parts, "testdata") && !slices.Contains(parts, "vendor") {
			return dir, true
		}
		if dir == "." {
			return "", false
		}
		dir = path.Dir(dir)
	}
}

// listed is what go list says of a package.
type listed struct {
	ImportPath, Dir           string
	TestGoFiles, XTestGoFiles []string
	TestImports, XTestImports []string
}

func (l listed) hasTests() bool { return len(l.TestGoFiles)+len(l.XTestGoFiles) > 0 }

// tested are the packages of a module whose tests run: those that the patch changes, and those whose tests import one
// that it changes.
func (s *sides) tested(ctx context.Context, m *module) ([]string, error) {
	root, err := s.of(ctx, 1)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(root, filepath.FromSlash(m.dir))
	o := source.Options{WorkDir: dir, Env: s.task.Env[1], Flags: s.task.Flags[1]}
	out, err := source.List(ctx, dir, o, "-e",
		"-json=ImportPath,Dir,TestGoFiles,XTestGoFiles,TestImports,XTestImports", "--", "./...")
	if err != nil {
		return nil, err
	}
	all, err := gocommand.Documents[listed](out)
	if err != nil {
		return nil, err
	}
	name := func(l listed) string {
		rel, err := filepath.Rel(dir, l.Dir)
		if err != nil || rel == "." {
			return "."
		}
		return "./" + filepath.ToSlash(rel)
	}
	var changed []string
	for _, l := range all {
		if slices.Contains(m.changed, name(l)) {
			changed = append(changed, l.ImportPath)
		}
	}
	var packages []string
	for _, l := range all {
		imports := slices.ContainsFunc(changed, func(of string) bool {
			return of == l.ImportPath || slices.Contains(l.TestImports, of) || slices.Contains(l.XTestImports, of)
		})
		if imports && l.hasTests() {
			packages = append(packages, name(l))
		}
	}
	return packages, nil
}

// there are the packages that exist without the patch, too.
func (s *sides) there(ctx context.Context, m *module, packages []string) (those []string, err error) {
	root, err := s.of(ctx, 0)
	for _, name := range packages {
		if paths.IsDirectory(filepath.Join(root, filepath.FromSlash(path.Join(m.dir, name)))) {
			those = append(those, name)
		}
	}
	return those, err
}
