package changes

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/conduct/gobench/sources"
	"github.com/gohone/hone/internal/program/gocommand"
	"github.com/gohone/hone/internal/text/fail"
)

// dep is a package that tests are built with (go help list).
type dep struct {
	Dir, ImportPath     string
	Standard            bool
	Module              *struct{ Path, Version string }
	GoFiles, EmbedFiles []string
	OtherFiles          []string `json:"SFiles"`
	Imports             []string
}

// Deps are the packages that the tests of a side are built with, by what go calls them: "p [p.test]" is p as its tests
// see it.
type Deps map[string]dep

// DepsOf asks go for the packages that the tests of the packages of a side are built with, by further flags than the
// side's own.
func DepsOf(ctx context.Context, s *sources.Side, flags, packages []string) (Deps, error) {
	args := append([]string{"list", "-e", "-deps", "-test",
		"-json=Dir,ImportPath,Standard,Module,GoFiles,EmbedFiles,SFiles,Imports"}, slices.Concat(s.Flags, flags)...)
	out, err := sources.GoCommand(ctx, s, func(why error) error {
		return fail.New(fail.BadInput, "list what tests of side %s import: %w", s.Name, why)
	}, append(append(args, "-buildvcs=false", "--"), packages...)...)
	if err != nil {
		return nil, err
	}
	built, err := gocommand.Documents[dep]([]byte(out))
	all := Deps{}
	for _, one := range built {
		all[one.ImportPath] = one
	}
	return all, err
}

// reached are the packages that some packages import, directly or through others, with themselves.
func (d Deps) reached(from ...string) map[string]bool {
	found := map[string]bool{}
	for todo := from; len(todo) > 0; todo = todo[1:] {
		if one, known := d[todo[0]]; known && !found[todo[0]] {
			found[todo[0]] = true
			todo = append(todo[:len(todo):len(todo)], one.Imports...)
		}
	}
	return found
}

// testOnly are the packages of others that only the tests of a package import: what they hold is the benchmark's input.
// A package of tests alone measures what it imports.
func (d Deps) testOnly(path string) map[string]dep {
	if len(d[path].GoFiles) == 0 {
		return nil
	}
	only, own := map[string]dep{}, d.reached(path)
	for name := range d.reached(path+" ["+path+".test]", path+"_test ["+path+".test]") {
		plain, _, variant := strings.Cut(name, " [")
		if one := d[name]; !one.Standard && !own[name] && !(variant && own[plain]) && plain != path &&
			plain != path+"_test" {
			only[plain] = one
		}
	}
	return only
}

// changedInputs are the packages that only tests import and that differ between the sides, with the files that do.
func changedInputs(a, b map[string]dep) map[string][]string {
	changed := map[string][]string{}
	for path, now := range b {
		was, there := a[path]
		if !there || was.Dir == now.Dir { // an import that is new shows in the test files
			continue
		}
		if was.Module != nil && now.Module != nil && was.Module.Version != "" &&
			was.Module.Version == now.Module.Version {
			continue
		}
		names := map[string]bool{}
		for _, one := range []dep{was, now} {
			for _, name := range slices.Concat(one.GoFiles, one.OtherFiles, one.EmbedFiles) {
				names[name] = true
			}
		}
		for _, name := range slices.Sorted(maps.Keys(names)) {
			same, err := sameFile(filepath.Join(was.Dir, name), filepath.Join(now.Dir, name))
			if err != nil || !same { // it is on one side only
				changed[path] = append(changed[path], path+"/"+filepath.ToSlash(name))
			}
		}
	}
	return changed
}

// changedDeps are the packages that only the tests of a package import and that differ between the sides.
type changedDeps struct {
	files map[string][]string // by the path of the package
	deps  Deps                // of B
	tests sources.Listed      // of B
}

// behind are the files of those packages that the source of a benchmark leads to: through what it imports, and through
// imports of the test files that nothing names. all is the source of all that the test files declare.
func (c changedDeps) behind(source, all string) (files []string) {
	module := c.tests.ModulePath()
	for _, direct := range c.deps[c.tests.ImportPath+" ["+c.tests.ImportPath+".test]"].Imports {
		files = append(files, c.through(direct, module, source, all)...)
	}
	for _, direct := range c.deps[c.tests.ImportPath+"_test ["+c.tests.ImportPath+".test]"].Imports {
		files = append(files, c.through(direct, module, source, all)...)
	}
	slices.Sort(files)
	return slices.Compact(files)
}

func (c changedDeps) through(direct, module, source, all string) (files []string) {
	plain, _, _ := strings.Cut(direct, " [")
	named := "=" + strings.TrimPrefix(plain, module)
	if !strings.Contains(source, named) && strings.Contains(all, named) {
		return nil
	}
	for reached := range c.deps.reached(direct) {
		plain, _, _ := strings.Cut(reached, " [")
		files = append(files, c.files[plain]...)
	}
	return files
}
