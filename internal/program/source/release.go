package source

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/gocommand"
	"github.com/gohone/hone/internal/sys/paths"
	"github.com/gohone/hone/internal/sys/tempdir"
	"github.com/gohone/hone/internal/text/fail"
)

// Release is a released version of a module, in a copy of hone's own. The go command gets it from the module proxy, or
// from where GOPRIVATE and the like say.
type Release struct {
	// Path is the package that was named, or a pattern for several; Module and Version are those of its module.
	Path, Module, Version string
	// Root is the copy of the module, absolute.
	Root string
	// Notes are for the user: that the version is retracted, say.
	Notes []string

	frozen, goMod string // the module and its go.mod, in the module cache
}

// releaseHost is how the path of a module that a proxy can have begins.
var releaseHost = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*\.[A-Za-z][A-Za-z0-9-]*(/|$)`)

// IsRelease says whether a word names packages of a released version: an import path, @, and a version or what go
// takes instead of one (go help modules, "Module queries").
func IsRelease(word string) bool {
	pkg, version, found := strings.Cut(word, "@")
	return found && releaseHost.MatchString(pkg) && isQuery(version) && !strings.ContainsAny(pkg, ": \\")
}

// IsVersion says whether a word is @VERSION, which is of the package of the word before.
func IsVersion(word string) bool {
	version, found := strings.CutPrefix(word, "@")
	return found && isQuery(version)
}

// isQuery says whether a text can be a version; HEAD@{1} is a git ref.
func isQuery(version string) bool {
	return version != "" && version[0] != '{' && version[0] != '-' && !strings.ContainsAny(version, ":@ \\")
}

// exactVersion is one that go does not look up: v1.2.3, or with a part after it.
var exactVersion = regexp.MustCompile(`^v[0-9]+\.[0-9]+\.[0-9]+([-+].*)?$`)

// ReleaseEnv is what the build of a released version needs: no workspace of the user's may change it.
const ReleaseEnv = "GOWORK=off"

// FindRelease finds a released version, and makes the copy of its module unless it is there. env is that of the build.
// Nothing of the module is executed.
//
// Errors: fail.BadInput for a module, version or package that is not there, or to which there is no access;
// fail.Environment where no proxy answers; fail.Storage.
func FindRelease(ctx context.Context, word string, o Options) (*Release, error) {
	q, err := newQuestion(word, o)
	if err != nil {
		return nil, err
	}
	defer q.temp.Remove()
	r, err := q.find(ctx)
	if err != nil {
		return nil, err
	}
	q.noteRetraction(ctx, r)
	return r, r.copy(ctx, o)
}

// ExactRelease is a word of IsRelease with the version that is meant by it now: that of latest, of a branch, of a
// commit.
func ExactRelease(ctx context.Context, word string, o Options) (string, error) {
	if _, version, _ := strings.Cut(word, "@"); exactVersion.MatchString(version) {
		return word, nil
	}
	q, err := newQuestion(word, o)
	if err != nil {
		return "", err
	}
	defer q.temp.Remove()
	q.onlyVersion = true
	r, err := q.find(ctx)
	if err != nil {
		return "", err
	}
	return r.Word(), nil
}

// Word names the release with its exact version.
func (r *Release) Word() string { return r.Path + "@" + r.Version }

// Below is the way from the root of the module to what was named: "." or cmd/server, slash-separated.
func (r *Release) Below() string {
	return path.Clean("./" + strings.TrimPrefix(strings.TrimPrefix(r.Path, r.Module), "/"))
}

// question asks the go command about a released version, in an empty module: that of the user's directory has no part
// in the answers.
type question struct {
	word, path, version string
	onlyVersion         bool // the module is not looked into, if only one has such a version
	temp                *tempdir.Dir
	env                 []string
}

func newQuestion(word string, o Options) (*question, error) {
	q := &question{word: word}
	q.path, q.version, _ = strings.Cut(word, "@")
	temp, err := tempdir.Make()
	if err != nil {
		return nil, err
	}
	q.temp, q.env = temp, gocommand.Env(o.Env, temp.Path, ReleaseEnv)
	if err := os.WriteFile(filepath.Join(temp.Path, "go.mod"), []byte("module hone.invalid\n"), 0o600); err != nil {
		return nil, errors.Join(fail.New(fail.Storage, "find %s: %w", word, err), temp.Remove())
	}
	return q, nil
}

// listedRelease is what is read of the answers of go list -m and go mod download.
type listedRelease struct {
	Path, Version, Dir, GoMod string
	Versions, Retracted       []string
	Error                     any // an object of go list, a text of go mod download
}

// fault is the error of an answer as text.
func (l listedRelease) fault() string {
	switch e := l.Error.(type) {
	case string:
		return e
	case map[string]any:
		text, _ := e["Err"].(string)
		return text
	}
	return ""
}

// ask runs go, and returns its answers, also together with an error.
func (q *question) ask(ctx context.Context, env []string, args ...string) ([]listedRelease, error) {
	answer, complaint, err := gocommand.Ask(ctx, append(slices.Clone(q.env), env...), q.temp.Path, args...)
	all, bad := gocommand.Documents[listedRelease](answer)
	if err == nil {
		err = bad
	}
	if complaint != "" {
		if full := gocommand.CheckDisk(ctx, q.env, q.temp.Path, "", complaint); full != nil {
			return nil, full
		}
	}
	return all, err
}

// find finds the module that has the package: of those whose paths begin the package's, the longest one. An exact
// version is looked for in the module cache first.
func (q *question) find(ctx context.Context) (*Release, error) {
	var lacking *Release
	var faults []listedRelease
	for _, env := range [][]string{{"GOPROXY=off"}, nil} {
		if env != nil && !exactVersion.MatchString(q.version) {
			continue
		}
		args := []string{"list", "-m", "-mod=mod", "-e", "-json", "--"}
		for _, module := range modulesOf(q.path) {
			args = append(args, module+"@"+q.version)
		}
		listed, err := q.ask(ctx, env, args...)
		if err != nil {
			return nil, q.explain(ctx, nil, err.Error(), err)
		}
		faults = slices.DeleteFunc(slices.Clone(listed), func(l listedRelease) bool { return l.fault() == "" })
		for _, l := range listed {
			if l.fault() != "" {
				continue
			}
			if q.onlyVersion && len(listed)-len(faults) == 1 {
				return &Release{Path: q.path, Module: l.Path, Version: l.Version}, nil
			}
			r, err := q.download(ctx, env, l)
			switch {
			case ctx.Err() != nil:
				return nil, ctx.Err()
			case err != nil && env == nil:
				return nil, err
			case err != nil:
			case r.hasPackage():
				return r, nil
			case lacking == nil:
				lacking = r
			}
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if lacking != nil {
		return nil, q.noPackage(ctx, lacking)
	}
	return nil, q.notFound(ctx, faults)
}

// modulesOf are the paths of the modules that a package may be of, the longest first.
func modulesOf(pkg string) (all []string) {
	pkg, _, _ = strings.Cut(pkg, "...")
	pkg = strings.TrimSuffix(pkg, "/")
	least := 1
	if host, _, _ := strings.Cut(pkg, "/"); host == "github.com" || host == "gitlab.com" || host == "bitbucket.org" {
		least = 3 // HOST/OWNER/NAME
	}
	for strings.Count(pkg, "/")+1 >= least {
		all = append(all, pkg)
		i := strings.LastIndex(pkg, "/")
		if i < 0 {
			break
		}
		pkg = pkg[:i]
	}
	if all == nil {
		all = []string{pkg}
	}
	return all
}

// download has go put a module into its cache.
func (q *question) download(ctx context.Context, env []string, l listedRelease) (*Release, error) {
	got, err := q.ask(ctx, env, "mod", "download", "-json", "--", l.Path+"@"+l.Version)
	switch {
	case len(got) == 1 && got[0].fault() != "":
		return nil, q.explain(ctx, &l, got[0].fault(), nil)
	case err != nil:
		return nil, q.explain(ctx, &l, err.Error(), err)
	case len(got) != 1:
		return nil, fail.New(fail.Environment, "download %s@%s: go mod download said nothing", l.Path, l.Version)
	}
	return &Release{Path: q.path, Module: l.Path, Version: l.Version, frozen: got[0].Dir, goMod: got[0].GoMod}, nil
}

// hasPackage says whether the module has the directory of what was named, with a Go file in it where it is one package.
func (r *Release) hasPackage() bool {
	below, _, pattern := strings.Cut(r.Below(), "...")
	if pattern {
		return paths.IsDirectory(filepath.Join(r.frozen, filepath.Dir(filepath.FromSlash(below+"x"))))
	}
	return len(goFilesIn(filepath.Join(r.frozen, filepath.FromSlash(below)))) > 0
}

// noteRetraction notes that the authors took the version back. Where the proxy does not say it, nothing is known.
func (q *question) noteRetraction(ctx context.Context, r *Release) {
	listed, err := q.ask(ctx, nil, "list", "-m", "-mod=mod", "-retracted", "-json", "--", r.Module+"@"+r.Version)
	if err != nil || len(listed) != 1 || listed[0].Retracted == nil {
		return
	}
	why := strings.Join(listed[0].Retracted, "; ")
	if why != "" {
		why = ": " + why
	}
	r.Notes = append(r.Notes, r.Module+"@"+r.Version+" is retracted by its authors"+why)
}
