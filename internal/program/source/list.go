package source

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/program/gocommand"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/sys/paths"
	"github.com/gohone/hone/internal/text/fail"
)

// ProbePackage is what a program imports that wants the probe by itself.
const ProbePackage = "github.com/gohone/hone/probe"

// listed is what hone reads of go list's answer (go help list).
type listed struct {
	Dir, ImportPath, Name string
	Module                *struct{ Path, Dir, GoVersion string }
	GoFiles, CgoFiles     []string
	Error                 *struct{ Err string }
}

// Find lists s, and fills in the commit of its files. Of the module cache, and of a released version, there is none.
func (s *Source) Find(ctx context.Context, name string, o Options) (*Source, error) {
	if err := s.list(ctx, name, o); err != nil {
		return nil, err
	}
	if !s.Frozen && s.Release == "" {
		s.Commit, s.Dirty = git.CommitOf(ctx, s.Dir)
	}
	return s, nil
}

// list asks go what Targets are and fills in s. name is what the user called it.
func (s *Source) list(ctx context.Context, name string, o Options) error {
	// -find leaves out the dependencies, which take a second in a large program.
	out, err := List(ctx, s.WorkDir, o, append([]string{"-e", "-find", "-json", "--"}, s.Targets...)...)
	if err != nil {
		return fmt.Errorf("resolve source %q: %w", name, err) // go may be missing, or the disk full
	}
	var p listed
	if err := json.Unmarshal(out, &p); err != nil {
		return fail.New(fail.BadInput, "resolve source %q: read answer of go list: %w", name, err)
	}
	switch {
	case p.Name == "main":
	case p.Name == "" && p.Error != nil:
		if full := gocommand.CheckDisk(ctx, o.Env, s.WorkDir, "", p.Error.Err); full != nil {
			return fmt.Errorf("resolve source %q: %w", name, full)
		}
		return noProgram(ctx, name, s.WorkDir, o, "resolve source %q: %s", name, strings.TrimSpace(p.Error.Err))
	case p.ImportPath == FilesPackage:
		return noProgram(ctx, name, s.WorkDir, o, "source %q: the files are of package %s, not of a main package", name,
			p.Name)
	default:
		return noProgram(ctx, name, cmp.Or(p.Dir, s.WorkDir), o, "package %s is not a main package", p.ImportPath)
	}
	s.Dir, s.Package = p.Dir, p.ImportPath
	s.ImportsProbe = importsProbe(p.Dir, append(p.GoFiles, p.CgoFiles...))
	if p.Module != nil {
		s.Module = p.Module.Path
	}
	if s.OfFiles() {
		s.Module = moduleAround(ctx, s.WorkDir, o)
		return nil
	}
	if s.Targets[0] != "." {
		settings, _ := gocommand.ReadSettings(ctx, o.Env, s.WorkDir) // a fault means no module cache
		s.Frozen = paths.Beneath(settings.GOMODCACHE, s.Dir)
	}
	return nil
}

// moduleAround is the module of a directory, "" outside of modules: go names none for a
// package that is made of files.
func moduleAround(ctx context.Context, dir string, o Options) string {
	out, err := List(ctx, dir, o, "-e", "-find", "-f", "{{with .Module}}{{.Path}}{{end}}", ".")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// importsProbe says whether one of a package's files has the probe without hone's help.
// go list -find does not tell imports. What cannot be read, the build will report.
func importsProbe(dir string, files []string) bool {
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.ImportsOnly)
		if err != nil {
			continue
		}
		for _, spec := range file.Imports {
			if spec.Path.Value == strconv.Quote(ProbePackage) {
				return true
			}
		}
	}
	return false
}

// mainPackages lists main packages below a directory, for hints: as the user would name
// them from the working directory, if they are in it. Any fault means none.
func mainPackages(ctx context.Context, dir string, o Options) []string {
	out, err := List(ctx, dir, o, "-e", "-find", "-f", `{{if eq .Name "main"}}{{.Dir}}{{end}}`, "./...")
	if err != nil {
		return nil
	}
	var names []string
	for _, found := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		rel, err := filepath.Rel(o.WorkDir, found)
		if err != nil || !filepath.IsLocal(rel) {
			rel, err = filepath.Rel(dir, found)
		}
		if found == "" || err != nil || !filepath.IsLocal(rel) {
			continue
		}
		names = append(names, "./"+filepath.ToSlash(rel))
	}
	return names
}

// List runs go list with the environment and the flags of the build.
func List(ctx context.Context, dir string, o Options, args ...string) ([]byte, error) {
	// Without a stamp go runs no git; the last flag counts.
	flags := append(append([]string{"list"}, o.Flags...), "-buildvcs=false")
	answer, complaint, err := gocommand.Ask(ctx, o.Env, dir, append(flags, args...)...)
	var fault *fail.Error
	if !errors.As(err, &fault) || fault.Kind != fail.BadInput {
		return answer, err
	}
	if err := gocommand.CheckAvailable(ctx, o.Env, dir); err != nil {
		return nil, err
	}
	if full := gocommand.CheckDisk(ctx, o.Env, dir, "", complaint); full != nil {
		return nil, full
	}
	switch {
	case strings.Contains(complaint, "go.mod file not found"):
		return nil, fail.New(fail.BadInput, "%s is not in a module", dir).
			WithHint("hone runs Go files outside of modules, too: hone run main.go; go mod init NAME makes a module")
	case strings.Contains(complaint, "requires go >="):
		return nil, fault.WithHint("the toolchain is older than the module asks for: choose a newer one (--toolchain), " +
			"or --toolchain auto")
	}
	return nil, fault
}
